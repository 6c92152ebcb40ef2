#include "aria/metrics/holm.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace aria {

std::vector<double> holm_correction(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p[i]; });
  std::vector<double> corrected(p.size());
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    // a test is never more significant than one that came before it
    largest = std::max(largest, std::min(1.0, static_cast<double>(p.size() - i) * p[order[i]]));
    corrected[order[i]] = largest;
  }
  return corrected;
}

}  // namespace aria
