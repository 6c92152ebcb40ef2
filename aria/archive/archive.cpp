#include "aria/archive/archive.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include "aria/core/finite.hpp"
#include "aria/core/require.hpp"

namespace aria {

Archive::Archive(Grid grid, std::size_t parameters)
    : grid_(std::move(grid)),
      genotypes_(0, parameters),
      descriptors_(0, grid_.dimensions()),
      slot_of_(grid_.cells(), -1) {
  require(parameters >= 1, "the genotype", "at least one parameter long", parameters);
}

Archive::Insertion Archive::insert(MatrixView genotypes, std::span<const float> fitness, MatrixView descriptors) {
  require(genotypes.columns() == parameters(), "a genotype", fmt::format("{} parameters long", parameters()),
          genotypes.columns());
  require(descriptors.columns() == grid_.dimensions(), "a descriptor",
          fmt::format("{} numbers long", grid_.dimensions()), descriptors.columns());
  require(fitness.size() == genotypes.rows() && descriptors.rows() == genotypes.rows(), "a batch",
          fmt::format("{} rows of fitness and descriptors", genotypes.rows()),
          fmt::format("{} and {}", fitness.size(), descriptors.rows()));
  Insertion report;
  // a genotype may be long: which candidates stay is settled before any is copied
  std::vector<std::size_t> winner_of_slot(size(), SIZE_MAX);
  std::vector<std::uint32_t> cells(fitness.size());
  grid_.cells_of(descriptors, cells);
  for (std::size_t i = 0; i < fitness.size(); ++i) {
    if (!is_finite(fitness[i]) || !all_finite(descriptors.row(i))) {
      ++report.failed;
      continue;
    }
    const std::size_t cell = cells[i];
    std::int64_t& slot = slot_of_[cell];
    if (slot < 0) {
      slot = static_cast<std::int64_t>(size());
      cells_.push_back(static_cast<std::int64_t>(cell));
      fitness_.push_back(fitness[i]);
      winner_of_slot.push_back(i);
      ++report.added;
    } else if (fitness[i] > fitness_[static_cast<std::size_t>(slot)]) {
      std::size_t& winner = winner_of_slot[static_cast<std::size_t>(slot)];
      if (winner == SIZE_MAX) ++report.improved;
      winner = i;
      fitness_[static_cast<std::size_t>(slot)] = fitness[i];
    }
  }
  genotypes_.resize(size(), genotypes.columns());
  descriptors_.resize(size(), grid_.dimensions());
  for (std::size_t slot = 0; slot < size(); ++slot) {
    if (winner_of_slot[slot] == SIZE_MAX) continue;
    std::ranges::copy(genotypes.row(winner_of_slot[slot]), genotypes_.row(slot).begin());
    std::ranges::copy(descriptors.row(winner_of_slot[slot]), descriptors_.row(slot).begin());
  }
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
  state.put("descriptors", descriptors_.values());
  state.put("cells", cells_);
  return state;
}

void Archive::load(const State& state) {
  const auto& cells = state.get<std::int64_t>("cells");
  std::vector<std::int64_t> slot_of(grid_.cells(), -1);
  for (std::size_t slot = 0; slot < cells.size(); ++slot) {
    const std::int64_t cell = cells[slot];
    require(cell >= 0 && static_cast<std::size_t>(cell) < grid_.cells(), "a cell of the saved archive",
            fmt::format("0 .. {}", grid_.cells() - 1), cell);
    std::int64_t& entry = slot_of[static_cast<std::size_t>(cell)];
    require(entry < 0, "a cell of the saved archive", "named once", cell);
    entry = static_cast<std::int64_t>(slot);
  }
  Matrix genotypes(cells.size(), parameters(), state.get<float>("genotypes", cells.size() * parameters()));
  Matrix descriptors(cells.size(), grid_.dimensions(),
                     state.get<float>("descriptors", cells.size() * grid_.dimensions()));
  const auto& fitness = state.get<float>("fitness", cells.size());
  // as at insertion: a NaN would never be replaced
  require(all_finite(fitness), "the fitness of the saved archive", "finite", "a value that is not");
  require(all_finite(descriptors.values()), "the descriptors of the saved archive", "finite", "a value that is not");
  fitness_ = fitness;
  genotypes_ = std::move(genotypes);
  descriptors_ = std::move(descriptors);
  cells_ = cells;
  slot_of_ = std::move(slot_of);
}

}  // namespace aria
