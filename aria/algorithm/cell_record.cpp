#include "aria/algorithm/cell_record.hpp"

#include <algorithm>
#include <limits>

#include "aria/core/finite.hpp"
#include "aria/core/interval.hpp"

namespace aria {

namespace {

constexpr double kMargin = 1;  // standard deviations

}  // namespace

double CellRecord::probability() const {
  return samples == 0 ? 0 : static_cast<double>(inside) / static_cast<double>(samples);
}

double CellRecord::assured() const { return wilson_interval(inside, samples, kMargin).lower; }

double CellRecord::score(const Range& fitness, double fitness_weight) const {
  if (mean.finite == 0) return -std::numeric_limits<double>::infinity();
  const double within = (double{mean.fitness} - fitness.lower) / (fitness.upper - fitness.lower);
  return assured() + fitness_weight * std::clamp(within, 0.0, 1.0);
}

CellRecord cell_record(const Grid& grid, std::size_t cell, std::span<const float> fitness, MatrixView descriptors) {
  CellRecord record{fitness.size(), 0, cloud_mean(fitness, descriptors)};
  for (std::size_t e = 0; e < fitness.size(); ++e) {
    if (is_finite(fitness[e]) && grid.cell_of(descriptors.row(e)) == cell) ++record.inside;
  }
  return record;
}

std::optional<std::size_t> place_of(std::span<const std::size_t> cells, std::size_t cell) {
  const auto place = std::ranges::lower_bound(cells, cell);
  if (place == cells.end() || *place != cell) return std::nullopt;
  return static_cast<std::size_t>(place - cells.begin());
}

std::vector<std::vector<std::size_t>> neighbour_places(const Grid& grid, std::span<const std::size_t> cells) {
  std::vector<std::vector<std::size_t>> places(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    for (const std::size_t neighbour : grid.neighbours(cells[i])) {
      if (const auto place = place_of(cells, neighbour)) places[i].push_back(*place);
    }
  }
  return places;
}

}  // namespace aria
