#include "aria/metrics/quantiles.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "aria/core/require.hpp"

namespace aria {

double quantile(std::vector<double> values, double share) {
  require(!values.empty(), "the numbers that a quantile is taken of", "at least one", values.size());
  require(share >= 0 && share <= 1, "the share of a quantile", "from 0 to 1", share);
  std::ranges::sort(values);
  const double position = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (position - static_cast<double>(below)) * (values[above] - values[below]);
}

Quartiles quartiles(const std::vector<double>& values) {
  return {quantile(values, 0.5), quantile(values, 0.25), quantile(values, 0.75)};
}

}  // namespace aria
