#include "aria/algorithm/placement.hpp"

#include <algorithm>
#include <utility>

#include "aria/core/require.hpp"
#include "aria/evaluation/cloud_mean.hpp"

namespace aria {

namespace {

// Evaluations per request; bounds memory, not part of the result.
constexpr std::size_t kEvaluationsAtOnce = std::size_t{1} << 17;

}  // namespace

Placement::Placement(Grid grid, SymmetricCells symmetry, std::size_t samples, Key key)
    : grid_(std::move(grid)),
      symmetry_(std::move(symmetry)),
      samples_(samples),
      key_(key),
      best_row_(grid_.cells(), -1),
      best_map_(grid_.cells(), -1),
      best_fitness_(grid_.cells(), 0),
      best_descriptor_(grid_.cells(), grid_.dimensions()) {}

void Placement::start(Matrix genotypes) {
  genotypes_ = std::move(genotypes);
  placed_ = 0;
  std::ranges::fill(best_row_, -1);
}

const SampleRequest& Placement::ask() {
  const std::size_t chunk = std::max<std::size_t>(1, kEvaluationsAtOnce / samples_);
  const std::size_t count = std::min(chunk, genotypes_.rows() - placed_);
  request_.centres.resize(count, genotypes_.columns());
  request_.ids.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::ranges::copy(genotypes_.row(placed_ + i), request_.centres.row(i).begin());
    request_.ids[i] = static_cast<std::uint32_t>(placed_ + i);
  }
  request_.samples = samples_;
  request_.key = key_;
  return request_;
}

void Placement::tell(const Evaluations& evaluations) {
  for (std::size_t i = 0; i < request_.centres.rows(); ++i) {
    const CentreEvaluations of = of_centre(evaluations, request_, i);
    const CloudMean mean = cloud_mean(of.fitness, of.descriptors);
    if (mean.finite == 0) continue;
    const std::size_t found = grid_.cell_of(mean.descriptor);
    const std::size_t cell = symmetry_.representative(found);
    if (best_row_[cell] >= 0 && mean.fitness <= best_fitness_[cell]) continue;
    best_row_[cell] = static_cast<std::int64_t>(placed_ + i);
    best_map_[cell] = symmetry_.way_there(found);
    best_fitness_[cell] = mean.fitness;
    std::ranges::copy(mean.descriptor, best_descriptor_.row(cell).begin());
  }
  placed_ += request_.centres.rows();
}

std::vector<float> Placement::genotype(std::size_t cell) const {
  return symmetry_.mapped(genotypes_.row(static_cast<std::size_t>(best_row_[cell])), best_map_[cell]);
}

std::vector<float> Placement::descriptor(std::size_t cell) const {
  return symmetry_.mapped_descriptor(best_descriptor_.row(cell), best_map_[cell]);
}

State Placement::save() const {
  State state;
  state.put("placed", static_cast<std::int64_t>(placed_));
  state.put("best_row", best_row_);
  state.put("best_map", best_map_);
  state.put("best_fitness", best_fitness_);
  state.put("best_descriptor", best_descriptor_.values());
  return state;
}

void Placement::load(const State& state) {
  const auto rows = static_cast<std::int64_t>(genotypes_.rows());
  const std::int64_t placed = state.get_integer("placed");
  require(placed >= 0 && placed <= rows, "'placed' of the saved state", fmt::format("0 .. {}", rows), placed);
  const auto& best_row = state.get<std::int64_t>("best_row", grid_.cells());
  for (const std::int64_t row : best_row) {
    require(row >= -1 && row < rows, "a row of the saved state", fmt::format("-1 .. {}", rows - 1), row);
  }
  const auto& best_map = state.get<std::int64_t>("best_map", grid_.cells());
  symmetry_.check_maps(best_map);
  best_fitness_ = state.get<float>("best_fitness", grid_.cells());
  const auto& descriptors = state.get<float>("best_descriptor", grid_.cells() * grid_.dimensions());
  best_descriptor_ = Matrix(grid_.cells(), grid_.dimensions(), descriptors);
  best_row_ = best_row;
  best_map_ = best_map;
  placed_ = static_cast<std::size_t>(placed);
}

}  // namespace aria
