#include "aria/optim/ranks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "tests/support/bits.hpp"
#include "tests/support/simd_targets.hpp"

namespace aria {
namespace {

using aria::testing::bits_of;
using aria::testing::for_each_simd_target;
using ::testing::ElementsAre;

constexpr float kLargest = std::numeric_limits<float>::max();
constexpr float kDenormal = std::numeric_limits<float>::denorm_min();
constexpr std::size_t kSizes[] = {2, 3, 15, 16, 17, 31, 63, 64, 65, 130, 1000, 4096};
// Around what 16 bits can number.
constexpr std::size_t kLargeSizes[] = {31'999, 32'000, 32'001, 32'768, 65'535, 65'537, 140'000};

TieredScores scores_of(std::vector<float> score, std::vector<std::uint8_t> tier) {
  TieredScores scores;
  scores.score = std::move(score);
  scores.tier = std::move(tier);
  return scores;
}

std::vector<float> ranks_of(const TieredScores& scores) {
  RankScratch scratch;
  std::vector<float> utility(scores.size());
  centered_ranks(scores, utility, scratch);
  return utility;
}

// By sorting: the mean rank of each run of equals.
std::vector<double> reference_of(const TieredScores& scores) {
  const std::size_t n = scores.size();
  const auto key = [&](std::size_t i) { return std::pair(scores.tier[i], scores.score[i] + 0.0f); };
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  std::vector<double> utility(n);
  for (std::size_t first = 0; first < n;) {
    std::size_t last = first;
    while (last < n && key(order[last]) == key(order[first])) ++last;
    const double rank = static_cast<double>(first + last - 1) / 2;
    for (std::size_t i = first; i < last; ++i) utility[order[i]] = rank / static_cast<double>(n - 1) - 0.5;
    first = last;
  }
  return utility;
}

// Compares on every target, at every size; targets with fused multiply-add must agree to the bit.
void compare(const std::function<float(std::mt19937&, std::size_t)>& score,
             const std::function<std::uint8_t(std::mt19937&, std::size_t)>& tier,
             std::span<const std::size_t> sizes = kSizes) {
  for (const std::size_t n : sizes) {
    SCOPED_TRACE(::testing::Message() << n << " scores");
    std::mt19937 random(static_cast<std::uint32_t>(n));
    TieredScores scores;
    scores.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      scores.score[i] = score(random, i);
      scores.tier[i] = tier(random, i);
    }
    const std::vector<double> expected = reference_of(scores);
    std::vector<std::uint32_t> fused_bits;
    for_each_simd_target([&](bool fused) {
      const std::vector<float> utility = ranks_of(scores);
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_NEAR(utility[i], expected[i], 1.5e-7) << i << ": " << scores.score[i] << " in tier " << +scores.tier[i];
      }
      if (!fused) return;
      if (fused_bits.empty()) fused_bits = bits_of(utility);
      EXPECT_EQ(bits_of(utility), fused_bits);
    });
    if (::testing::Test::HasFailure()) return;
  }
}

float gaussian(std::mt19937& random) { return std::normal_distribution<float>()(random); }
std::uint8_t one_of_three(std::mt19937& random, std::size_t) { return static_cast<std::uint8_t>(random() % 3); }
std::function<std::uint8_t(std::mt19937&, std::size_t)> all_in(std::uint8_t tier) {
  return [tier](std::mt19937&, std::size_t) { return tier; };
}

// --- By hand -------------------------------------------------------------------------------------------------------

TEST(CenteredRanks, RunFromMinusAHalfToAHalf) {
  EXPECT_THAT(ranks_of(scores_of({30, 10, 20}, {2, 2, 2})), ElementsAre(0.5f, -0.5f, 0.0f));
  EXPECT_THAT(ranks_of(scores_of({-1, 1}, {1, 1})), ElementsAre(-0.5f, 0.5f));
}

TEST(CenteredRanks, OfOneOrNoScoreAreZero) {
  EXPECT_THAT(ranks_of(scores_of({7}, {2})), ElementsAre(0.0f));
  EXPECT_TRUE(ranks_of(TieredScores()).empty());
}

TEST(CenteredRanks, PutAHigherTierAboveAnyScoreOfALowerOne) {
  EXPECT_THAT(ranks_of(scores_of({-1e30f, 1e30f, 0, -1e30f, 5}, {2, 1, 1, 1, 0})),
              ElementsAre(0.5f, 0.25f, 0.0f, -0.25f, -0.5f));
}

TEST(CenteredRanks, ShareTheMeanRankAmongEquals) {
  EXPECT_THAT(ranks_of(scores_of({1, 2, 2, 3, 0}, {2, 2, 2, 2, 2})), ElementsAre(-0.25f, 0.125f, 0.125f, 0.5f, -0.5f));
}

TEST(CenteredRanks, DoNotTakeScoresOfTwoTiersForEquals) {
  EXPECT_THAT(ranks_of(scores_of({1, 1, 1}, {2, 0, 1})), ElementsAre(0.5f, -0.5f, 0.0f));
}

TEST(CenteredRanks, TakeBothZerosForEquals) {
  EXPECT_THAT(ranks_of(scores_of({0.0f, -0.0f, 1, -1}, {2, 2, 2, 2})),
              ElementsAre(::testing::FloatNear(0, 1e-7f), ::testing::FloatNear(0, 1e-7f), 0.5f, -0.5f));
}

TEST(CenteredRanks, DoNotDependOnWhatTheScratchHeldBefore) {
  RankScratch scratch;
  std::mt19937 random(1);
  for (const std::size_t n : {4096u, 3u, 130u, 1u, 1000u, 17u}) {
    TieredScores scores;
    scores.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      scores.score[i] = n == 130 ? std::round(gaussian(random)) : gaussian(random);
      scores.tier[i] = one_of_three(random, i);
    }
    std::vector<float> utility(n);
    centered_ranks(scores, utility, scratch);
    EXPECT_EQ(utility, ranks_of(scores)) << n;
  }
}

// --- Against sorting -----------------------------------------------------------------------------------------------

TEST(CenteredRanks, AreRightForRandomScoresOfOneTier) {
  for (const std::uint8_t tier : {std::uint8_t{0}, std::uint8_t{1}, std::uint8_t{2}}) {
    compare([](std::mt19937& random, std::size_t) { return gaussian(random); }, all_in(tier));
  }
}

TEST(CenteredRanks, AreRightForRandomScoresOfThreeTiers) {
  compare([](std::mt19937& random, std::size_t) { return gaussian(random); }, one_of_three);
}

TEST(CenteredRanks, AreRightForRandomScoresOfTwoTiers) {
  for (const unsigned lower : {0u, 1u}) {
    const auto one_of_two = [=](std::mt19937& random, std::size_t) {
      return static_cast<std::uint8_t>(lower + random() % 2);
    };
    compare([](std::mt19937& random, std::size_t) { return gaussian(random); }, one_of_two);
    compare([](std::mt19937& random, std::size_t) { return gaussian(random); }, one_of_two, kLargeSizes);
  }
}

TEST(CenteredRanks, AreRightWhereOneTierHasASingleScore) {
  compare([](std::mt19937& random, std::size_t) { return gaussian(random); },
          [](std::mt19937&, std::size_t i) { return static_cast<std::uint8_t>(i == 1 ? 0 : 2); });
}

TEST(CenteredRanks, AreRightWhereAllAreEqual) {
  compare([](std::mt19937&, std::size_t) { return 0.25f; }, all_in(2));
  compare([](std::mt19937&, std::size_t) { return 0.0f; }, one_of_three);
  compare([](std::mt19937&, std::size_t) { return -kLargest; }, all_in(1));
}

TEST(CenteredRanks, AreRightWhereFewValuesComeUpOftenOnEveryTarget) {
  for (const unsigned values : {2u, 3u, 17u, 100u, 700u}) {
    compare([&](std::mt19937& random, std::size_t) { return 0.1f * static_cast<float>(random() % values); },
            one_of_three);
  }
}

TEST(CenteredRanks, AreRightForFitnessRoundedToAResolution) {
  compare([](std::mt19937& random, std::size_t) { return std::round(gaussian(random) * 16) / 16; }, all_in(2));
}

// Near the limits of what is compared one by one and of what a byte counts.
TEST(CenteredRanks, AreRightForRunsOfEqualsOfManyLengths) {
  for (const std::size_t run : {2u, 8u, 15u, 16u, 17u, 32u, 33u, 254u, 255u, 256u, 257u, 512u}) {
    SCOPED_TRACE(::testing::Message() << "runs of " << run);
    compare(
        [&](std::mt19937&, std::size_t i) {
          const std::size_t number = i / run;
          return static_cast<float>(number);
        },
        all_in(2));
  }
}

// One run of equals among scores that are all different.
TEST(CenteredRanks, AreRightForOneRunOfEqualsAmongOthers) {
  for (const std::size_t run : {2u, 15u, 16u, 17u, 255u, 256u, 257u, 1024u}) {
    SCOPED_TRACE(::testing::Message() << "a run of " << run);
    compare([&](std::mt19937& random, std::size_t i) { return i % 3 == 0 && i / 3 < run ? 0.5f : gaussian(random); },
            one_of_three);
  }
}

TEST(CenteredRanks, AreRightForExtremeScores) {
  const float extremes[] = {kLargest, 0.0f,   -0.0f,        kDenormal, -kDenormal, 1.0f,
                            -1.0f,    1e-38f, kLargest / 2, 1e30f,     -1e30f,     -1e-38f};
  compare([&](std::mt19937& random, std::size_t) { return extremes[random() % std::size(extremes)]; }, one_of_three);
  compare([&](std::mt19937& random, std::size_t) { return -extremes[random() % std::size(extremes)]; }, all_in(2));
  compare([](std::mt19937& random, std::size_t i) { return i == 0 ? kLargest : gaussian(random); }, all_in(1));
}

// The width of the range is no float any more.
TEST(CenteredRanks, AreRightWhereScoresReachFromEndToEndOfTheFloats) {
  compare([](std::mt19937& random, std::size_t i) { return i == 0   ? kLargest
                                                           : i == 1 ? -kLargest
                                                                    : gaussian(random); },
          all_in(2));
  compare([](std::mt19937& random, std::size_t) { return kLargest * std::clamp(gaussian(random), -1.0f, 1.0f); },
          one_of_three);
}

TEST(CenteredRanks, AreRightForDenormals) {
  compare([](std::mt19937& random, std::size_t) { return kDenormal * static_cast<float>(random() % 5000); }, all_in(2));
  compare([](std::mt19937& random, std::size_t) { return kDenormal * (static_cast<float>(random() % 500) - 250); },
          one_of_three);
}

TEST(CenteredRanks, AreRightForNeighbouringFloats) {
  compare(
      [](std::mt19937& random, std::size_t) {
        return 1.0f + std::numeric_limits<float>::epsilon() * static_cast<float>(random() % 9000);
      },
      all_in(2));
}

TEST(CenteredRanks, AreRightForHeavyClusters) {
  // nearly all in a small part of the range
  compare([](std::mt19937& random, std::size_t i) { return i == 2 ? 1e30f : 0.5f + 1e-6f * gaussian(random); },
          all_in(2));
  // several clusters far apart
  compare(
      [](std::mt19937& random, std::size_t i) { return static_cast<float>(i % 5) * 1000 + gaussian(random) * 1e-3f; },
      one_of_three);
  // some forty in each of many neighbouring places
  compare(
      [](std::mt19937& random, std::size_t i) {
        const std::size_t place = i / 40;
        return static_cast<float>(place) + 1e-4f * gaussian(random);
      },
      all_in(2));
  // over the whole range of exponents
  compare([](std::mt19937& random, std::size_t) { return std::pow(10.0f, 30 * gaussian(random) / 3); }, all_in(2));
}

TEST(CenteredRanks, AreRightForScoresInOrderAndInReverse) {
  compare([](std::mt19937&, std::size_t i) { return static_cast<float>(i); }, all_in(2));
  compare([](std::mt19937&, std::size_t i) { return -static_cast<float>(i) * 0.37f; }, all_in(1));
  compare([](std::mt19937&, std::size_t i) { return static_cast<float>(i % 2 == 0 ? i : 10'000 - i); }, all_in(2));
}

TEST(CenteredRanks, AreRightForManyScores) {
  compare([](std::mt19937& random, std::size_t) { return gaussian(random); }, one_of_three, kLargeSizes);
  compare([](std::mt19937& random, std::size_t) { return std::round(16 * gaussian(random)); }, all_in(2), kLargeSizes);
}

TEST(CenteredRanks, AddUpToZeroAndSpanTheWholeRange) {
  std::mt19937 random(3);
  TieredScores scores;
  scores.resize(4096);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    scores.score[i] = gaussian(random);
    scores.tier[i] = one_of_three(random, i);
  }
  const std::vector<float> utility = ranks_of(scores);
  EXPECT_NEAR(std::accumulate(utility.begin(), utility.end(), 0.0), 0, 1e-3);
  EXPECT_EQ(*std::ranges::min_element(utility), -0.5f);
  EXPECT_NEAR(*std::ranges::max_element(utility), 0.5f, 1e-7);
}

TEST(CenteredRanks, DependOnTheOrderAloneNotOnTheScale) {
  std::mt19937 random(4);
  TieredScores scores;
  scores.resize(1001);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    scores.score[i] = gaussian(random);
    scores.tier[i] = one_of_three(random, i);
  }
  const std::vector<float> utility = ranks_of(scores);
  TieredScores stretched = scores;
  for (float& score : stretched.score) score = 1e6f * score * score * score;
  EXPECT_EQ(ranks_of(stretched), utility);
}

}  // namespace
}  // namespace aria
