#include "aria/core/interval.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace aria {
namespace {

struct Known {
  std::size_t hits, trials;
  double lower, upper;
};

// Worked out apart, from Wilson's formula with z = 1.959963984540054.
TEST(WilsonInterval, HasKnownValues) {
  constexpr Known kKnown[] = {{0, 10, 0, 0.2775327998628892},
                              {5, 10, 0.236593090512564, 0.7634069094874361},
                              {10, 10, 0.7224672001371107, 1},
                              {653, 1024, 0.6077909860191898, 0.6665703929463523},
                              {1, 1024, 0.0001724080656205127, 0.005510821357131506},
                              {512, 1024, 0.46943284426047427, 0.5305671557395257},
                              {0, 1, 0, 0.7934506856227626},
                              {1, 1, 0.20654931437723745, 1}};
  for (const Known& known : kKnown) {
    const Interval interval = wilson_interval(known.hits, known.trials);
    EXPECT_NEAR(interval.lower, known.lower, 1e-12) << known.hits << '/' << known.trials;
    EXPECT_NEAR(interval.upper, known.upper, 1e-12) << known.hits << '/' << known.trials;
  }
}

TEST(WilsonInterval, IsExactAtTheEnds) {
  for (const std::size_t trials : {1u, 7u, 1024u, 1'000'000u}) {
    EXPECT_EQ(wilson_interval(0, trials).lower, 0);
    EXPECT_EQ(wilson_interval(trials, trials).upper, 1);
  }
}

TEST(WilsonInterval, SaysNothingWithoutTrials) {
  EXPECT_EQ(wilson_interval(0, 0).lower, 0);
  EXPECT_EQ(wilson_interval(0, 0).upper, 1);
}

TEST(WilsonInterval, HoldsTheShareAndStaysWithinZeroAndOne) {
  for (const std::size_t trials : {1u, 2u, 10u, 100u}) {
    for (std::size_t hits = 0; hits <= trials; ++hits) {
      const Interval interval = wilson_interval(hits, trials);
      const double share = static_cast<double>(hits) / static_cast<double>(trials);
      EXPECT_GE(interval.lower, 0);
      EXPECT_LE(interval.upper, 1);
      EXPECT_LE(interval.lower, share);
      EXPECT_GE(interval.upper, share);
      EXPECT_LT(interval.lower, interval.upper);
    }
  }
}

TEST(WilsonInterval, IsTheSameForHitsAndMisses) {
  for (std::size_t hits = 0; hits <= 20; ++hits) {
    EXPECT_NEAR(wilson_interval(hits, 20).lower, 1 - wilson_interval(20 - hits, 20).upper, 1e-15);
  }
}

// 8 of 10 at one deviation: (0.8 + 0.05 - sqrt(0.016 + 0.0025)) / 1.1.
TEST(WilsonInterval, IsAsWideAsTheDeviationsGiven) {
  EXPECT_NEAR(wilson_interval(8, 10, 1).lower, (0.85 - std::sqrt(0.0185)) / 1.1, 1e-15);
  EXPECT_NEAR(wilson_interval(8, 10, 1).upper, (0.85 + std::sqrt(0.0185)) / 1.1, 1e-15);
  EXPECT_LT(wilson_interval(8, 10, 2).lower, wilson_interval(8, 10, 1).lower);
}

TEST(WilsonInterval, NarrowsAsTrialsAreAdded) {
  const auto width = [](std::size_t trials) {
    const Interval interval = wilson_interval(trials / 2, trials);
    return interval.upper - interval.lower;
  };
  EXPECT_NEAR(width(40'000), 2 * 1.959963984540054 * std::sqrt(0.25 / 40'000), 1e-5);
  EXPECT_GT(width(100), width(1000));
}

}  // namespace
}  // namespace aria
