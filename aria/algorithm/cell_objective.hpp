// How evaluations are ordered when a solution is optimised for a cell: anything inside the cell ranks above anything
// outside; inside, by fitness; outside, by distance to the centroid; a failed evaluation ranks last. The Linear RIM,
// the paper's ablation, weighs fitness against distance instead.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "aria/archive/grid.hpp"
#include "aria/core/matrix.hpp"
#include "aria/optim/ranks.hpp"
#include "aria/task/task.hpp"

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

// What the Linear RIM weighs, and by which ranges: w norm(f) + (1 - w) norm(-distance to the centroid).
struct LinearConfig {
  double fitness_weight = 0.5;  // w, from 0 to 1
  Range fitness;                // the task's fitness range
  Range distance;               // the task's distance range

  void validate() const;
};

// Scores are the weighted sum but for a constant, which ranks do not see. Evaluations that did not fail are all in one
// tier.
class LinearObjective {
 public:
  LinearObjective(const Grid& grid, std::size_t cell, const LinearConfig& config);

  void score(std::span<const float> fitness, MatrixView descriptors, TieredScores& out) const;

 private:
  std::vector<float> centroid_;  // (dimensions)
  float per_fitness_;            // w over the width of the fitness range
  float per_distance_;           // (1 - w) over the width of the distance range
};

// The order by fitness alone, of the evolution strategy that looks for a first solution.
void score_by_fitness(std::span<const float> fitness, TieredScores& out);

}  // namespace aria
