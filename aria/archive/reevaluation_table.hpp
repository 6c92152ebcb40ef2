// What repeated evaluations of solutions came to, as a table: what metrics make, and files and reports hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "aria/archive/grid.hpp"
#include "aria/core/matrix.hpp"

namespace aria {

// One row per solution, in the order given. A solution that failed every time has index -1 and NaN statistics.
struct Reevaluation {
  std::size_t samples = 0;                    // evaluations per solution
  std::optional<Grid> grid;                   // whose cells are meant
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
  std::vector<float> objective_samples;       // (n x kept) the first fitness values of each solution; NaN: failed
  Matrix measures_samples;                    // (n * kept x m) their descriptors

  std::size_t size() const { return objective_mean.size(); }
  std::size_t kept_samples() const { return size() == 0 ? 0 : objective_samples.size() / size(); }  // per solution
  std::size_t failures() const;                                                                     // in all
};

}  // namespace aria
