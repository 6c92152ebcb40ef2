// What solutions are really like: each is evaluated many times, and the clouds are summed up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "aria/archive/grid.hpp"
#include "aria/core/key.hpp"
#include "aria/core/matrix.hpp"
#include "aria/evaluation/evaluator.hpp"

namespace aria {

// One row per solution, in the order given. A solution that failed every time has index -1 and NaN statistics.
struct Reevaluation {
  std::size_t samples = 0;                    // evaluations per solution
  std::vector<float> objective_mean;          // (n)
  std::vector<float> objective_std;           // (n) unbiased
  Matrix measures_mean;                       // (n x m)
  Matrix measures_std;                        // (n x m) unbiased
  std::vector<double> descriptor_variance;    // (n) trace of the covariance, unbiased
  std::vector<float> cell_probability;        // (n) share of all evaluations in the cell of the mean; a failure is out
  std::vector<float> cell_probability_lower;  // (n) 95 % confidence interval
  std::vector<float> cell_probability_upper;  // (n)
  std::vector<std::int32_t> index;            // (n) cell of the mean
  std::vector<std::int64_t> non_finite;       // (n) failed evaluations
  std::vector<float> objective_samples;       // (n x samples) every fitness, where they are kept; NaN: failed
  Matrix measures_samples;                    // (n * samples x m) every descriptor, where they are kept

  std::size_t size() const { return objective_mean.size(); }
  std::size_t failures() const;
};

struct ReevaluationConfig {
  std::size_t reevaluations = 1024;  // evaluations per solution
  bool keep_samples = false;         // keep every single evaluation

  void validate() const;
};

// Draws of solution i are named by (key, i). `progress` is told the evaluations done so far and may end the work early
// by giving back false; what is returned then holds the solutions that were finished.
Reevaluation reevaluate(Evaluator& evaluator, const Grid& grid, MatrixView solutions, const ReevaluationConfig& config,
                        Key key, const std::function<bool(std::size_t)>& progress = {});

}  // namespace aria
