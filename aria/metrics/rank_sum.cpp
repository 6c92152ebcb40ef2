#include "aria/metrics/rank_sum.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "aria/core/require.hpp"

namespace aria {

namespace {

constexpr std::size_t kExactBelow = 50;  // as in R: beyond, the two methods hardly differ

struct Ranking {
  double u = 0;           // of the first sample
  double tie_excess = 0;  // sum over groups of equal values of t^3 - t
};

Ranking rank(std::span<const double> a, std::span<const double> b) {
  struct Value {
    double value;
    bool first;
  };
  std::vector<Value> all;
  all.reserve(a.size() + b.size());
  for (const double x : a) all.push_back({x, true});
  for (const double x : b) all.push_back({x, false});
  std::ranges::sort(all, {}, &Value::value);
  Ranking result;
  double rank_sum = 0;
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin;
    std::size_t of_first = 0;
    while (end < all.size() && all[end].value == all[begin].value) of_first += all[end++].first ? 1 : 0;
    // ranks count from 1, and equal values share the mean of theirs
    const double mean_rank = (static_cast<double>(begin + end) + 1) / 2;
    const auto group = static_cast<double>(end - begin);
    rank_sum += mean_rank * static_cast<double>(of_first);
    result.tie_excess += group * group * group - group;
    begin = end;
  }
  const auto n = static_cast<double>(a.size());
  result.u = rank_sum - n * (n + 1) / 2;
  return result;
}

// Probability that U is at least `u` when all orders of the two samples are equally likely. The orders with U = k are
// as many as the partitions of k into at most n parts, none larger than m. Only positive numbers are added, so the
// rounding of counts beyond 2^53 does not matter.
double exact_tail(std::size_t n, std::size_t m, std::size_t u) {
  const std::size_t largest = n * m;
  std::vector<std::vector<double>> ways(n + 1, std::vector<double>(largest + 1));  // (parts, their sum)
  ways[0][0] = 1;
  for (std::size_t part = 1; part <= m; ++part) {
    for (std::size_t parts = 1; parts <= n; ++parts) {
      for (std::size_t sum = part; sum <= largest; ++sum) ways[parts][sum] += ways[parts - 1][sum - part];
    }
  }
  double tail = 0;
  double all = 0;
  for (const auto& row : ways) {
    for (std::size_t sum = 0; sum <= largest; ++sum) {
      all += row[sum];
      if (sum >= u) tail += row[sum];
    }
  }
  return tail / all;
}

double normal_tail(double z) { return 0.5 * std::erfc(z / std::numbers::sqrt2); }

RankSum test_by(const Ranking& ranking, std::size_t n, std::size_t m, RankSum::Method method) {
  const auto pairs = static_cast<double>(n) * static_cast<double>(m);
  const double larger = std::max(ranking.u, pairs - ranking.u);
  RankSum result{ranking.u, 1, method};
  if (method == RankSum::Method::kExact) {
    result.p = std::min(1.0, 2 * exact_tail(n, m, static_cast<std::size_t>(larger)));
    return result;
  }
  const auto all = static_cast<double>(n + m);
  const double variance = pairs / 12 * (all + 1 - ranking.tie_excess / (all * (all - 1)));
  // half a step towards the middle: U is a whole number, the normal distribution is not
  if (variance > 0) result.p = std::min(1.0, 2 * normal_tail((larger - pairs / 2 - 0.5) / std::sqrt(variance)));
  return result;
}

Ranking checked_ranking(std::span<const double> a, std::span<const double> b) {
  require(!a.empty() && !b.empty(), "the samples of a rank-sum test", "of at least one value each",
          fmt::format("{} and {}", a.size(), b.size()));
  const auto is_nan = [](double x) { return std::isnan(x); };
  require(std::ranges::none_of(a, is_nan) && std::ranges::none_of(b, is_nan), "the samples of a rank-sum test",
          "numbers", "a NaN");
  return rank(a, b);
}

}  // namespace

RankSum rank_sum_test(std::span<const double> a, std::span<const double> b) {
  const Ranking ranking = checked_ranking(a, b);
  const bool exact = ranking.tie_excess == 0 && std::max(a.size(), b.size()) < kExactBelow;
  return test_by(ranking, a.size(), b.size(), exact ? RankSum::Method::kExact : RankSum::Method::kNormal);
}

RankSum rank_sum_test(std::span<const double> a, std::span<const double> b, RankSum::Method method) {
  return test_by(checked_ranking(a, b), a.size(), b.size(), method);
}

}  // namespace aria
