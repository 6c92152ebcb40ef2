#include "aria/archive/archive.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include "aria/archive/archive_checks.hpp"
#include "aria/core/finite.hpp"
#include "aria/core/require.hpp"

namespace aria {

Archive::Archive(Grid grid, std::size_t parameters, Rivalry rivalry)
    : grid_(std::move(grid)),
      rivalry_(rivalry),
      genotypes_(0, parameters),
      descriptors_(0, grid_.dimensions()),
      slot_of_(grid_.cells(), -1) {
  require(parameters >= 1, "the genotype", "at least one parameter long", parameters);
}

Archive::Insertion Archive::insert(MatrixView genotypes, std::span<const float> fitness, MatrixView descriptors,
                                   std::span<const float> scores) {
  check_candidates(genotypes, descriptors, parameters(), grid_);
  require(fitness.size() == genotypes.rows() && descriptors.rows() == genotypes.rows(), "a batch",
          fmt::format("{} rows of fitness and descriptors", genotypes.rows()),
          fmt::format("{} and {}", fitness.size(), descriptors.rows()));
  const bool scored = rivalry_ == Rivalry::kScore;
  require(scores.size() == (scored ? fitness.size() : 0), "the scores of a batch",
          fmt::format("{} in number", scored ? fitness.size() : 0), scores.size());
  const std::span<const float> merit = scored ? scores : fitness;
  std::vector<float>& best = scored ? scores_ : fitness_;  // (slots)

  // a genotype may be long: which candidates stay is settled before any is copied
  Insertion report;
  struct Success {
    std::size_t slot, candidate;
  };
  std::vector<Success> successes;
  std::vector<std::uint32_t> cells(fitness.size());
  grid_.cells_of(descriptors, cells);
  // nearly always nothing has failed, which is quickly seen for the whole batch
  const bool none_failed = all_finite(fitness) && all_finite(merit) && all_finite(descriptors.values());
  for (std::size_t i = 0; i < fitness.size(); ++i) {
    if (!none_failed && !(is_finite(fitness[i]) && is_finite(merit[i]) && all_finite(descriptors.row(i)))) {
      ++report.failed;
      continue;
    }
    const std::size_t cell = cells[i];
    std::int64_t& slot = slot_of_[cell];
    if (slot < 0) {
      slot = static_cast<std::int64_t>(size());
      cells_.push_back(static_cast<std::int64_t>(cell));
      best.push_back(merit[i]);
      ++report.added;
    } else if (merit[i] > best[static_cast<std::size_t>(slot)]) {
      best[static_cast<std::size_t>(slot)] = merit[i];
    } else {
      continue;
    }
    successes.push_back({static_cast<std::size_t>(slot), i});
  }
  genotypes_.resize(size(), genotypes.columns());
  descriptors_.resize(size(), grid_.dimensions());
  fitness_.resize(size());
  for (const auto& [slot, i] : successes) {
    // each success in a slot is strictly better than the one before: all but the last are history
    if (merit[i] != best[slot]) continue;
    std::ranges::copy(genotypes.row(i), genotypes_.row(slot).begin());
    std::ranges::copy(descriptors.row(i), descriptors_.row(slot).begin());
    fitness_[slot] = fitness[i];
    report.kept.push_back(i);
  }
  report.improved = report.kept.size() - report.added;
  return report;
}

double Archive::best_fitness() const {
  assert(size() > 0);
  return *std::max_element(fitness_.begin(), fitness_.end());
}

ArchiveTable Archive::table() const {
  ArchiveTable table;
  table.solution = genotypes_;
  table.objective = fitness_;
  table.measures = descriptors_;
  table.index.assign(cells_.begin(), cells_.end());
  table.grid = grid_;
  std::vector<std::size_t> order(size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t slot) { return cells_[slot]; });
  return table.select(order);
}

State Archive::save() const {
  State state;
  state.put("genotypes", genotypes_.values());
  state.put("fitness", fitness_);
  if (rivalry_ == Rivalry::kScore) state.put("scores", scores_);
  state.put("descriptors", descriptors_.values());
  state.put("cells", cells_);
  return state;
}

void Archive::load(const State& state) {
  const auto& cells = state.get<std::int64_t>("cells");
  std::vector<std::int64_t> slot_of = slots_of_saved_cells(cells, grid_);
  Matrix genotypes(cells.size(), parameters(), state.get<float>("genotypes", cells.size() * parameters()));
  Matrix descriptors(cells.size(), grid_.dimensions(),
                     state.get<float>("descriptors", cells.size() * grid_.dimensions()));
  const auto& fitness = state.get<float>("fitness", cells.size());
  std::vector<float> scores;
  if (rivalry_ == Rivalry::kScore) scores = state.get<float>("scores", cells.size());
  // as at insertion: a NaN would never be replaced
  require(all_finite(fitness), "the fitness of the saved archive", "finite", "a value that is not");
  require(all_finite(scores), "the scores of the saved archive", "finite", "a value that is not");
  require(all_finite(descriptors.values()), "the descriptors of the saved archive", "finite", "a value that is not");
  fitness_ = fitness;
  scores_ = std::move(scores);
  genotypes_ = std::move(genotypes);
  descriptors_ = std::move(descriptors);
  cells_ = cells;
  slot_of_ = std::move(slot_of);
}

}  // namespace aria
