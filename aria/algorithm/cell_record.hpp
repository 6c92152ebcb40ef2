// What a genotype that is meant for a cell did there, and what that is worth.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "aria/archive/grid.hpp"
#include "aria/core/matrix.hpp"
#include "aria/evaluation/cloud_mean.hpp"
#include "aria/task/task.hpp"

namespace aria {

struct CellRecord {
  std::size_t samples = 0;  // evaluations
  std::size_t inside = 0;   // of which landed in the cell
  CloudMean mean;           // of those that did not fail

  double probability() const;  // of landing in the cell, as it seems
  double assured() const;      // the same with a margin: a lower bound
  // How surely it stays in its cell, plus so much of how fit it is within the range; nothing evaluated is worth least.
  double score(const Range& fitness, double fitness_weight) const;
};

// Of the evaluations of one genotype.
CellRecord cell_record(const Grid& grid, std::size_t cell, std::span<const float> fitness, MatrixView descriptors);

// Where a cell is among these, which are in ascending order.
std::optional<std::size_t> place_of(std::span<const std::size_t> cells, std::size_t cell);

// The neighbours of each of these cells, in ascending order too, among them: their places there.
std::vector<std::vector<std::size_t>> neighbour_places(const Grid& grid, std::span<const std::size_t> cells);

}  // namespace aria
