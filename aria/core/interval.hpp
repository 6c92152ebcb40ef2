// Confidence interval of a probability that was estimated by counting.
#pragma once

#include <cstddef>

namespace aria {

struct Interval {
  double lower = 0;
  double upper = 1;
};

inline constexpr double k95PercentDeviations = 1.959963984540054;  // 97.5 % quantile of the normal distribution

// Wilson score interval of `hits` out of `trials`, so many standard deviations to each side; unlike the normal
// approximation it is never empty and never leaves [0, 1], also at 0 and at all.
Interval wilson_interval(std::size_t hits, std::size_t trials, double deviations = k95PercentDeviations);

}  // namespace aria
