// The two-sample Kolmogorov-Smirnov test: could both samples come from one distribution?
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace aria::testing {

// By the asymptotic distribution with Stephens' correction. Ties make it cautious: it rejects too rarely.
inline double kolmogorov_smirnov_p(std::vector<double> a, std::vector<double> b) {
  std::ranges::sort(a);
  std::ranges::sort(b);
  double largest = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const double x = std::min(a[i], b[j]);
    while (i < a.size() && a[i] <= x) ++i;
    while (j < b.size() && b[j] <= x) ++j;
    const double difference =
        static_cast<double>(i) / static_cast<double>(a.size()) - static_cast<double>(j) / static_cast<double>(b.size());
    largest = std::max(largest, std::abs(difference));
  }
  const double n =
      static_cast<double>(a.size()) * static_cast<double>(b.size()) / static_cast<double>(a.size() + b.size());
  const double lambda = (std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n)) * largest;
  if (lambda < 0.2) return 1;
  double p = 0;
  for (int k = 1; k <= 100; ++k) p += (k % 2 == 1 ? 2 : -2) * std::exp(-2 * lambda * lambda * k * k);
  return std::clamp(p, 0.0, 1.0);
}

}  // namespace aria::testing
