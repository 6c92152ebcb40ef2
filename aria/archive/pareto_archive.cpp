#include "aria/archive/pareto_archive.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "aria/archive/archive_checks.hpp"
#include "aria/core/finite.hpp"
#include "aria/core/require.hpp"

namespace aria {

namespace {

// The member to be crowded out of a front of more than two.
template <class Front>
std::size_t most_crowded(const Front& front) {
  const std::size_t last = front.size() - 1;
  const double fitness_width = double{front[0].fitness} - double{front[last].fitness};
  const double reproducibility_width = double{front[last].reproducibility} - double{front[0].reproducibility};
  std::size_t chosen = 1;
  double least = 0;
  for (std::size_t i = 1; i < last; ++i) {
    const auto& fitter = front[i - 1];
    const auto& steadier = front[i + 1];
    const double distance = (double{fitter.fitness} - double{steadier.fitness}) / fitness_width +
                            (double{steadier.reproducibility} - double{fitter.reproducibility}) / reproducibility_width;
    if (i > 1 && distance > least) continue;
    chosen = i;
    least = distance;
  }
  return chosen;
}

}  // namespace

ParetoArchive::ParetoArchive(Grid grid, std::size_t parameters, std::size_t front_size)
    : grid_(std::move(grid)),
      front_size_(front_size),
      slot_of_(grid_.cells(), -1),
      genotypes_(0, parameters),
      descriptors_(0, grid_.dimensions()) {
  require(parameters >= 1, "the genotype", "at least one parameter long", parameters);
  require(front_size >= 1, "the bound of a Pareto front", ">= 1", front_size);
}

ParetoArchive::Insertion ParetoArchive::insert(MatrixView genotypes, std::span<const float> fitness,
                                               std::span<const float> reproducibility, MatrixView descriptors) {
  check_candidates(genotypes, descriptors, parameters(), grid_);
  require(fitness.size() == genotypes.rows() && reproducibility.size() == genotypes.rows() &&
              descriptors.rows() == genotypes.rows(),
          "a batch", fmt::format("{} rows of both objectives and descriptors", genotypes.rows()),
          fmt::format("{}, {} and {}", fitness.size(), reproducibility.size(), descriptors.rows()));
  Insertion report;
  const Batch batch{genotypes, descriptors};
  std::vector<std::uint32_t> cells(fitness.size());
  grid_.cells_of(descriptors, cells);
  // Fronts grow freely while the batch lasts: to crowd out in between would make the order matter
  std::vector<std::size_t> changed;
  for (std::size_t i = 0; i < fitness.size(); ++i) {
    if (!is_finite(fitness[i]) || !is_finite(reproducibility[i]) || !all_finite(descriptors.row(i))) {
      ++report.failed;
      continue;
    }
    std::int64_t& slot = slot_of_[cells[i]];
    if (slot < 0) {
      slot = static_cast<std::int64_t>(size());
      cells_.push_back(static_cast<std::int64_t>(cells[i]));
      fronts_.emplace_back();
      ++report.added;
    }
    const Member candidate{fitness[i], reproducibility[i], -1 - static_cast<std::int64_t>(i)};
    if (offer(fronts_[static_cast<std::size_t>(slot)], candidate, batch)) {
      changed.push_back(static_cast<std::size_t>(slot));
    }
  }
  for (const std::size_t slot : changed) settle(fronts_[slot], batch, report);
  return report;
}

// Takes a candidate into a front, whose order makes this a search for one place: of the members that are at least as
// fit, the last is the most reproducible.
bool ParetoArchive::offer(Front& front, const Member& candidate, const Batch& batch) {
  auto less_fit =
      std::partition_point(front.begin(), front.end(), [&](const Member& m) { return m.fitness >= candidate.fitness; });
  if (less_fit != front.begin()) {
    Member& rival = *(less_fit - 1);
    const bool duplicate = rival.fitness == candidate.fitness && rival.reproducibility == candidate.reproducibility;
    if (duplicate && rival.row < 0) {
      // both are new: the choice must not depend on which came first
      const auto mine = static_cast<std::size_t>(-1 - candidate.row);
      const auto other = static_cast<std::size_t>(-1 - rival.row);
      const auto by_genotype =
          std::lexicographical_compare_three_way(batch.genotypes.row(mine).begin(), batch.genotypes.row(mine).end(),
                                                 batch.genotypes.row(other).begin(), batch.genotypes.row(other).end());
      const bool first =
          by_genotype < 0 || (by_genotype == 0 && std::ranges::lexicographical_compare(batch.descriptors.row(mine),
                                                                                       batch.descriptors.row(other)));
      if (first) rival.row = candidate.row;
      return false;
    }
    if (rival.reproducibility >= candidate.reproducibility) return false;
    // as fit, and less reproducible
    if (rival.fitness == candidate.fitness) --less_fit;
  }
  const auto beaten_end = std::find_if(less_fit, front.end(),
                                       [&](const Member& m) { return m.reproducibility > candidate.reproducibility; });
  std::for_each(less_fit, beaten_end, [&](const Member& m) { release(m); });
  if (less_fit == beaten_end) {
    front.insert(less_fit, candidate);
  } else {
    *less_fit = candidate;
    front.erase(less_fit + 1, beaten_end);
  }
  return true;
}

// Brings a front to its bound, then stores what is new in it. Doing it twice does nothing more.
void ParetoArchive::settle(Front& front, const Batch& batch, Insertion& report) {
  while (front.size() > front_size_) {
    const std::size_t i = front_size_ == 1 ? front.size() - 1 : most_crowded(front);
    release(front[i]);
    front.erase(front.begin() + static_cast<std::ptrdiff_t>(i));
  }
  for (Member& member : front) {
    if (member.row >= 0) continue;
    const auto i = static_cast<std::size_t>(-1 - member.row);
    member.row = store(batch.genotypes.row(i), batch.descriptors.row(i));
    ++report.kept;
  }
}

void ParetoArchive::release(const Member& member) {
  if (member.row >= 0) free_rows_.push_back(member.row);
}

std::int64_t ParetoArchive::store(std::span<const float> genotype, std::span<const float> descriptor) {
  if (free_rows_.empty()) {
    genotypes_.append_row(genotype);
    descriptors_.append_row(descriptor);
    return static_cast<std::int64_t>(genotypes_.rows()) - 1;
  }
  const std::int64_t row = free_rows_.back();
  free_rows_.pop_back();
  std::ranges::copy(genotype, genotypes_.row(static_cast<std::size_t>(row)).begin());
  std::ranges::copy(descriptor, descriptors_.row(static_cast<std::size_t>(row)).begin());
  return row;
}

double ParetoArchive::best_fitness() const {
  assert(size() > 0);
  float best = fronts_.front().front().fitness;
  for (const Front& front : fronts_) best = std::max(best, front.front().fitness);
  return best;
}

ArchiveTable ParetoArchive::table(const std::function<double(float, float)>& score) const {
  std::vector<std::size_t> order(size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t slot) { return cells_[slot]; });
  ArchiveTable table;
  table.grid = grid_;
  for (const std::size_t slot : order) {
    std::size_t best = 0;
    double best_score = score(fitness(slot, 0), reproducibility(slot, 0));
    for (std::size_t i = 1; i < members(slot); ++i) {
      const double s = score(fitness(slot, i), reproducibility(slot, i));
      if (s > best_score) {
        best = i;
        best_score = s;
      }
    }
    table.solution.append_row(genotype(slot, best));
    table.objective.push_back(fitness(slot, best));
    table.measures.append_row(descriptor(slot, best));
    table.index.push_back(static_cast<std::int32_t>(cell(slot)));
  }
  return table;
}

// Front after front, member after member: which rows they have is not part of the state.
State ParetoArchive::save() const {
  std::vector<std::int64_t> sizes;
  std::vector<float> fitnesses;
  std::vector<float> reproducibilities;
  std::vector<float> genotypes;
  std::vector<float> descriptors;
  for (std::size_t slot = 0; slot < size(); ++slot) {
    sizes.push_back(static_cast<std::int64_t>(members(slot)));
    for (std::size_t i = 0; i < members(slot); ++i) {
      fitnesses.push_back(fitness(slot, i));
      reproducibilities.push_back(reproducibility(slot, i));
      genotypes.insert(genotypes.end(), genotype(slot, i).begin(), genotype(slot, i).end());
      descriptors.insert(descriptors.end(), descriptor(slot, i).begin(), descriptor(slot, i).end());
    }
  }
  State state;
  state.put("cells", cells_);
  state.put("sizes", sizes);
  state.put("fitness", fitnesses);
  state.put("reproducibility", reproducibilities);
  state.put("genotypes", genotypes);
  state.put("descriptors", descriptors);
  return state;
}

void ParetoArchive::load(const State& state) {
  const auto& cells = state.get<std::int64_t>("cells");
  const auto& sizes = state.get<std::int64_t>("sizes", cells.size());
  const auto& fitness = state.get<float>("fitness");
  const std::size_t count = fitness.size();
  const auto& reproducibility = state.get<float>("reproducibility", count);
  const auto& genotypes = state.get<float>("genotypes", count * parameters());
  const auto& descriptors = state.get<float>("descriptors", count * grid_.dimensions());
  std::vector<std::int64_t> slot_of = slots_of_saved_cells(cells, grid_);
  std::vector<Front> fronts(cells.size());
  std::size_t next = 0;
  for (std::size_t slot = 0; slot < cells.size(); ++slot) {
    require(sizes[slot] >= 1 && static_cast<std::size_t>(sizes[slot]) <= std::min(front_size_, count - next),
            "the size of a saved front", fmt::format("from 1 to {}", std::min(front_size_, count - next)), sizes[slot]);
    for (const std::size_t end = next + static_cast<std::size_t>(sizes[slot]); next < end; ++next) {
      const Member member{fitness[next], reproducibility[next], static_cast<std::int64_t>(next)};
      const Front& front = fronts[slot];
      const bool in_order = front.empty() || (member.fitness < front.back().fitness &&
                                              member.reproducibility > front.back().reproducibility);
      require(in_order && is_finite(member.fitness) && is_finite(member.reproducibility), "a saved front",
              "finite numbers in the order of a Pareto front",
              fmt::format("{} and {}", member.fitness, member.reproducibility));
      fronts[slot].push_back(member);
    }
  }
  require(next == count, "the saved fronts", fmt::format("{} solutions long", count), next);
  genotypes_ = Matrix(count, parameters(), genotypes);
  descriptors_ = Matrix(count, grid_.dimensions(), descriptors);
  fronts_ = std::move(fronts);
  cells_ = cells;
  slot_of_ = std::move(slot_of);
  free_rows_.clear();
}

}  // namespace aria
