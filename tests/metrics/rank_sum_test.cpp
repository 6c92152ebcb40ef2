// Expected values: scipy.stats.mannwhitneyu(a, b, alternative="two-sided", method="exact" or "asymptotic"), SciPy 1.17.
#include "aria/metrics/rank_sum.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/messages.hpp"

namespace aria {
namespace {

using aria::testing::message_of;
using ::testing::HasSubstr;
using Method = RankSum::Method;
using Sample = std::vector<double>;

constexpr double kTolerance = 1e-12;

void expect_test(const Sample& a, const Sample& b, double statistic, double exact, double normal) {
  SCOPED_TRACE(::testing::PrintToString(a) + " against " + ::testing::PrintToString(b));
  for (const auto& [method, p] : {std::pair(Method::kExact, exact), std::pair(Method::kNormal, normal)}) {
    const RankSum test = rank_sum_test(a, b, method);
    EXPECT_EQ(test.statistic, statistic);
    EXPECT_NEAR(test.p, p, kTolerance);
    EXPECT_EQ(test.method, method);
    // the other way round: the other statistic, the same p
    const RankSum swapped = rank_sum_test(b, a, method);
    EXPECT_EQ(swapped.statistic, static_cast<double>(a.size() * b.size()) - statistic);
    EXPECT_NEAR(swapped.p, p, kTolerance);
  }
}

Sample sequence(std::size_t count, double (*value)(std::size_t)) {
  Sample result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(value(i));
  return result;
}

const Sample kFirst = {722.4, 725.1, 719.8, 730.2, 715.5, 727.3, 721.0, 718.6, 724.4, 729.9};
const Sample kSecond = {706.3, 711.8, 720.5, 708.8, 716.1, 723.7, 702.2, 713.4, 709.9, 717.7};

TEST(RankSum, GivesWhatSciPyGives) {
  expect_test({1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}, 0, 0.007936507936507936, 0.012185780355344813);
  expect_test({0.8, 2.1, 3.3, 4.7}, {1.5, 2.9, 5.2, 6.0, 7.1, 8.8}, 5, 0.17142857142857143, 0.16580656019401352);
  expect_test({3}, {1, 2}, 2, 0.6666666666666666, 0.5402913746074199);
  expect_test({1}, {2}, 0, 1, 1);
  expect_test({1, 4}, {2, 3}, 2, 1, 1);
  expect_test(kFirst, kSecond, 90, 0.0015046872632011952, 0.0028272720911168077);
  const auto number = [](std::size_t i) { return static_cast<double>(i); };
  const auto ten_more = [](std::size_t i) { return static_cast<double>(i) + 10; };
  expect_test(sequence(10, number), sequence(10, ten_more), 0, 1.082508822446903e-05, 0.00018267179110955002);
  const auto scattered = [](std::size_t i) { return static_cast<double>(i * 37 % 101); };
  const auto also = [](std::size_t i) { return static_cast<double>(i * 53 % 103) + 0.5; };
  expect_test(sequence(30, scattered), sequence(25, also), 413, 0.529174917975293, 0.5261684777561433);
}

TEST(RankSum, CorrectsForTies) {
  const RankSum few = rank_sum_test(Sample{1, 2, 2, 3, 5}, Sample{2, 4, 4, 6, 7, 7});
  EXPECT_EQ(few.statistic, 5);
  EXPECT_NEAR(few.p, 0.07864522326072336, kTolerance);
  EXPECT_EQ(few.method, Method::kNormal);
  const RankSum counts = rank_sum_test(Sample{856, 856, 857, 855, 856, 858, 856, 855, 857, 856},
                                       Sample{570, 571, 856, 857, 569, 568, 855, 855, 572, 570});
  EXPECT_EQ(counts.statistic, 85.5);
  EXPECT_NEAR(counts.p, 0.006998174293442218, kTolerance);
}

TEST(RankSum, IsExactForSmallSamplesWithoutTies) {
  EXPECT_EQ(rank_sum_test(kFirst, kSecond).method, Method::kExact);
  EXPECT_EQ(rank_sum_test(Sample{1}, Sample{1}).method, Method::kNormal);
  const auto number = [](std::size_t i) { return static_cast<double>(i); };
  const auto half = [](std::size_t i) { return static_cast<double>(i) + 0.5; };
  EXPECT_EQ(rank_sum_test(sequence(49, number), sequence(49, half)).method, Method::kExact);
  EXPECT_EQ(rank_sum_test(sequence(50, number), sequence(3, half)).method, Method::kNormal);
  // where both are there, they nearly agree: also the exact one counts beyond 2^53 orders
  const auto a = sequence(49, [](std::size_t i) { return static_cast<double>(i * 17 % 97); });
  const auto b = sequence(49, [](std::size_t i) { return static_cast<double>(i * 31 % 101) + 10.25; });
  EXPECT_NEAR(rank_sum_test(a, b, Method::kExact).p, rank_sum_test(a, b, Method::kNormal).p, 2e-3);
}

TEST(RankSum, FindsNoDifferenceWhereAllIsEqual) {
  const RankSum test = rank_sum_test(Sample{2, 2, 2}, Sample{2, 2});
  EXPECT_EQ(test.p, 1);
  EXPECT_EQ(test.statistic, 3);
}

TEST(RankSum, NeedsNumbers) {
  EXPECT_THAT(message_of([] { rank_sum_test(Sample{}, Sample{1}); }),
              HasSubstr("at least one value each, got 0 and 1"));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(message_of([&] { rank_sum_test(Sample{1}, Sample{nan}); }), HasSubstr("got a NaN"));
}

}  // namespace
}  // namespace aria
