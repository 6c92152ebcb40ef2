#include "aria/core/interval.hpp"

#include <algorithm>
#include <cmath>

namespace aria {

Interval wilson_interval(std::size_t hits, std::size_t trials, double deviations) {
  if (trials == 0) return {0, 1};
  const double z = deviations;
  const auto n = static_cast<double>(trials);
  const double p = static_cast<double>(hits) / n;
  const double scale = 1 / (1 + z * z / n);
  const double centre = scale * (p + z * z / (2 * n));
  const double half = scale * z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  // at the ends the bound is exact, rounding aside
  return {hits == 0 ? 0 : std::max(0.0, centre - half), hits == trials ? 1 : std::min(1.0, centre + half)};
}

}  // namespace aria
