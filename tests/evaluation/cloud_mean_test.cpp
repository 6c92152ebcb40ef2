#include "aria/evaluation/cloud_mean.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace aria {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

TEST(CloudMean, IsTheMeanOfWhatDidNotFail) {
  const std::vector<float> fitness = {1, kNaN, 3, 8};
  const Matrix descriptors(4, 2, {0, 1, 1000, 1000, 2, 3, 4, 5});
  const CloudMean mean = cloud_mean(fitness, descriptors);
  EXPECT_EQ(mean.finite, 3u);
  EXPECT_EQ(mean.fitness, 4.0f);
  EXPECT_THAT(mean.descriptor, ElementsAre(2.0f, 3.0f));
}

TEST(CloudMean, IsNotTouchedByTheDescriptorOfAFailure) {
  const std::vector<float> fitness = {1, kNaN};
  const Matrix descriptors(2, 1, {7, kNaN});
  EXPECT_THAT(cloud_mean(fitness, descriptors).descriptor, ElementsAre(7.0f));
}

TEST(CloudMean, IsZeroWhereEverythingFailed) {
  const std::vector<float> fitness = {kNaN, kNaN};
  const CloudMean mean = cloud_mean(fitness, Matrix(2, 3));
  EXPECT_EQ(mean.finite, 0u);
  EXPECT_EQ(mean.fitness, 0.0f);
  EXPECT_THAT(mean.descriptor, ElementsAre(0.0f, 0.0f, 0.0f));
}

// Twenty million in single precision would lose every one of these.
TEST(CloudMean, AddsUpInDoublePrecision) {
  std::vector<float> fitness(1001, 0.1f);
  fitness[0] = 2e7f;
  const CloudMean mean = cloud_mean(fitness, Matrix(1001, 1));
  EXPECT_THAT(mean.fitness, FloatEq(static_cast<float>((2e7 + 1000 * static_cast<double>(0.1f)) / 1001)));
}

TEST(CloudSpread, IsTheUnbiasedDeviationOfWhatDidNotFail) {
  const std::vector<float> fitness = {1, 3, kNaN, 8};
  const Matrix descriptors(4, 2, {0, 1, 2, 1, 1000, 1000, 4, 1});
  const CloudSpread spread = cloud_spread(fitness, descriptors);
  EXPECT_THAT(spread.fitness, FloatEq(std::sqrt(13.0f)));  // deviations -3, -1, 4
  EXPECT_THAT(spread.descriptor, ElementsAre(FloatEq(2.0f), FloatEq(0.0f)));
  EXPECT_DOUBLE_EQ(spread.variance, 4);
}

TEST(CloudSpread, OfFewerThanTwoIsZero) {
  const CloudSpread one = cloud_spread(std::vector<float>{5, kNaN}, Matrix(2, 2, {1, 2, 3, 4}));
  EXPECT_EQ(one.fitness, 0.0f);
  EXPECT_THAT(one.descriptor, ElementsAre(0.0f, 0.0f));
  EXPECT_EQ(one.variance, 0);
  EXPECT_EQ(cloud_spread(std::vector<float>{kNaN}, Matrix(1, 1)).variance, 0);
}

TEST(CloudSpread, DoesNotLoseASmallSpreadAroundALargeMean) {
  std::vector<float> fitness;
  Matrix descriptors;
  for (int i = 0; i < 1000; ++i) {
    fitness.push_back(4096.0f + (i % 2 == 0 ? 0.0f : 0.0009765625f));
    descriptors.append_row(std::vector{4096.0f - (i % 2 == 0 ? 0.0f : 0.0009765625f)});
  }
  const double expected = 0.0009765625 / 2 * std::sqrt(1000.0 / 999);
  const CloudSpread spread = cloud_spread(fitness, descriptors);
  EXPECT_NEAR(spread.fitness, expected, 1e-9);
  EXPECT_NEAR(spread.descriptor[0], expected, 1e-9);
}

TEST(CloudSpread, AgreesWithAPlainReferenceOnRandomClouds) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal(3, 2);
  for (const std::size_t n : {2u, 3u, 17u, 130u, 1000u}) {
    for (const std::size_t dimensions : {1u, 2u, 5u}) {
      std::vector<float> fitness(n);
      Matrix descriptors(n, dimensions);
      for (float& f : fitness) f = random() % 4 == 0 ? kNaN : normal(random);
      fitness[0] = fitness[1] = 2;
      for (std::size_t i = 0; i < n; ++i) {
        for (float& d : descriptors.row(i)) d = normal(random);
      }
      double count = 0;
      double sums[6] = {};
      double squares[6] = {};
      const auto value = [&](std::size_t i, std::size_t k) {
        return static_cast<double>(k == 0 ? fitness[i] : descriptors(i, k - 1));
      };
      for (std::size_t i = 0; i < n; ++i) {
        if (std::isnan(fitness[i])) continue;
        count += 1;
        for (std::size_t k = 0; k <= dimensions; ++k) sums[k] += value(i, k);
      }
      for (std::size_t i = 0; i < n; ++i) {
        if (std::isnan(fitness[i])) continue;
        for (std::size_t k = 0; k <= dimensions; ++k) squares[k] += std::pow(value(i, k) - sums[k] / count, 2);
      }
      const CloudMean mean = cloud_mean(fitness, descriptors);
      const CloudSpread spread = cloud_spread(fitness, descriptors);
      EXPECT_EQ(static_cast<double>(mean.finite), count);
      EXPECT_NEAR(mean.fitness, sums[0] / count, 1e-6);
      EXPECT_NEAR(spread.fitness, std::sqrt(squares[0] / (count - 1)), 1e-6);
      double trace = 0;
      for (std::size_t k = 0; k < dimensions; ++k) {
        EXPECT_NEAR(mean.descriptor[k], sums[k + 1] / count, 1e-6);
        EXPECT_NEAR(spread.descriptor[k], std::sqrt(squares[k + 1] / (count - 1)), 1e-6);
        trace += squares[k + 1] / (count - 1);
      }
      EXPECT_NEAR(spread.variance, trace, 1e-9);
    }
  }
}

}  // namespace
}  // namespace aria
