// Confidence interval of a probability that was estimated by counting.
#pragma once

#include <cstddef>

namespace aria {

struct Interval {
  double lower = 0;
  double upper = 1;
};

// 95 % Wilson score interval of `hits` out of `trials`; unlike the normal approximation it is never empty and never
// leaves [0, 1], also at 0 and at all.
Interval wilson_interval(std::size_t hits, std::size_t trials);

}  // namespace aria
