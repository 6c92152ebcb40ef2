// How evaluations are ordered when a solution is optimised for a cell: anything inside the cell ranks above anything
// outside; inside, by fitness; outside, by distance to the centroid; a failed evaluation ranks last.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "aria/archive/grid.hpp"
#include "aria/core/matrix.hpp"
#include "aria/optim/ranks.hpp"

namespace aria {

// Tiers of the scores below.
inline constexpr std::uint8_t kFailedTier = 0;
inline constexpr std::uint8_t kOutsideTier = 1;
inline constexpr std::uint8_t kInsideTier = 2;

class CellObjective {
 public:
  // Inside the cell, fitness is rounded to multiples of `fitness_resolution`; 0 compares it exactly.
  CellObjective(const Grid& grid, std::size_t cell, double fitness_resolution);

  void score(std::span<const float> fitness, MatrixView descriptors, TieredScores& out) const;

 private:
  std::vector<float> centroid_;     // (dimensions)
  std::vector<float> half_widths_;  // (dimensions)
  float per_resolution_;            // 0: exact
};

// The order by fitness alone, of the evolution strategy that looks for a first solution.
void score_by_fitness(std::span<const float> fitness, TieredScores& out);

}  // namespace aria
