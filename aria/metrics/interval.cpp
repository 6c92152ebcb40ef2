#include "aria/metrics/interval.hpp"

#include <algorithm>
#include <cmath>

namespace aria {

Interval wilson_interval(std::size_t hits, std::size_t trials) {
  if (trials == 0) return {0, 1};
  constexpr double kZ = 1.959963984540054;  // 97.5 % quantile of the normal distribution
  const auto n = static_cast<double>(trials);
  const double p = static_cast<double>(hits) / n;
  const double scale = 1 / (1 + kZ * kZ / n);
  const double centre = scale * (p + kZ * kZ / (2 * n));
  const double half = scale * kZ * std::sqrt(p * (1 - p) / n + kZ * kZ / (4 * n * n));
  // at the ends the bound is exact, rounding aside
  return {hits == 0 ? 0 : std::max(0.0, centre - half), hits == trials ? 1 : std::min(1.0, centre + half)};
}

}  // namespace aria
