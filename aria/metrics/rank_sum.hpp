// Wilcoxon's rank-sum test (Mann-Whitney): whether two samples come from one distribution.
#pragma once

#include <span>

namespace aria {

struct RankSum {
  enum class Method { kExact, kNormal };

  double statistic = 0;  // Mann-Whitney's U of the first sample: pairs in which it is the larger, ties count half
  double p = 1;          // two-sided
  Method method = Method::kExact;
};

// Exact where no value occurs twice and both samples are smaller than 50, else by the normal distribution, with the
// corrections for ties and for continuity. Samples must not be empty, nor hold a NaN. Where all values are equal, p
// is 1.
RankSum rank_sum_test(std::span<const double> a, std::span<const double> b);

// The same by a method of one's choice; the exact one takes no notice of ties.
RankSum rank_sum_test(std::span<const double> a, std::span<const double> b, RankSum::Method method);

}  // namespace aria
