// Quantiles of a few numbers, such as the scores of the replications of a run.
#pragma once

#include <vector>

namespace aria {

// Between two numbers it interpolates linearly, as NumPy does by default. `share` is from 0 to 1; 0.5 is the median.
double quantile(std::vector<double> values, double share);

struct Quartiles {
  double median = 0;
  double lower = 0;
  double upper = 0;

  friend bool operator==(const Quartiles&, const Quartiles&) = default;
};

Quartiles quartiles(const std::vector<double>& values);

}  // namespace aria
