#include "aria/evaluation/cloud_batch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "aria/evaluation/cloud_mean.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/simd_targets.hpp"
#include "tests/support/threads.hpp"

namespace aria {
namespace {

using aria::testing::bits_of;
using aria::testing::for_each_simd_target;
using aria::testing::for_each_thread_count;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

struct Clouds {
  std::vector<float> fitness;
  Matrix descriptors;
};

Clouds random_clouds(std::size_t solutions, std::size_t samples, std::size_t dimensions, double failures) {
  std::mt19937 random(static_cast<std::uint32_t>(solutions + 100 * samples + 10'000 * dimensions));
  std::normal_distribution<float> normal(3, 2);
  std::bernoulli_distribution failed(failures);
  Clouds clouds{std::vector<float>(solutions * samples), Matrix(solutions * samples, dimensions)};
  for (float& f : clouds.fitness) f = failed(random) ? kNaN : normal(random);
  for (float& d : clouds.descriptors.view().values()) d = normal(random);
  return clouds;
}

CloudBatch summary(const Clouds& clouds, std::size_t samples, bool variance = true) {
  CloudBatch batch;
  summarise_clouds(clouds.fitness, clouds.descriptors, samples, variance, batch);
  return batch;
}

TEST(CloudBatch, SummarisesByHand) {
  const Clouds clouds{{1, 3, 5, 5}, Matrix(4, 2, {0, 1, 2, 1, 4, 4, 4, 10})};
  const CloudBatch batch = summary(clouds, 2);
  EXPECT_THAT(batch.fitness, ElementsAre(2, 5));
  EXPECT_EQ(batch.descriptors, Matrix(2, 2, {1, 1, 4, 7}));
  EXPECT_THAT(batch.variance, ElementsAre(2, 18));
}

// Sizes around the number of strands, dimensions with a kernel and others, with and without failures.
TEST(CloudBatch, AgreesWithTheSummaryOfOneSolutionOnEveryTarget) {
  for (const std::size_t dimensions : {1u, 2u, 3u, 4u, 5u, 8u, 17u}) {
    for (const std::size_t samples : {1u, 2u, 3u, 7u, 8u, 15u, 16u, 17u, 32u, 33u, 130u}) {
      for (const double failures : {0.0, 0.2}) {
        SCOPED_TRACE(::testing::Message() << dimensions << " dimensions, " << samples << " samples, " << failures);
        const Clouds clouds = random_clouds(5, samples, dimensions, failures);
        std::vector<std::uint32_t> first_bits;
        for_each_simd_target([&](bool) {
          const CloudBatch batch = summary(clouds, samples);
          ASSERT_EQ(batch.fitness.size(), 5u);
          ASSERT_EQ(batch.variance.size(), 5u);
          for (std::size_t i = 0; i < 5; ++i) {
            const auto fitness = std::span(clouds.fitness).subspan(i * samples, samples);
            const auto descriptors = clouds.descriptors.view().rows(i * samples, samples);
            const CloudMean mean = cloud_mean(fitness, descriptors);
            if (mean.finite == 0) {
              EXPECT_TRUE(std::isnan(batch.fitness[i]));
              EXPECT_TRUE(std::isnan(batch.variance[i]));
              continue;
            }
            EXPECT_NEAR(batch.fitness[i], mean.fitness, 1e-6);
            for (std::size_t k = 0; k < dimensions; ++k) {
              EXPECT_NEAR(batch.descriptors(i, k), mean.descriptor[k], 1e-6);
            }
            if (mean.finite == 1) {
              EXPECT_TRUE(std::isnan(batch.variance[i]));
            } else {
              const double variance = cloud_spread(fitness, descriptors).variance;
              EXPECT_NEAR(batch.variance[i], variance, 1e-12 * variance);
            }
          }
          // no target fuses: all give the same bits
          std::vector<float> all = batch.fitness;
          all.insert(all.end(), batch.descriptors.values().begin(), batch.descriptors.values().end());
          for (const double v : batch.variance) all.push_back(static_cast<float>(v));
          if (first_bits.empty()) first_bits = bits_of(all);
          EXPECT_EQ(bits_of(all), first_bits);
        });
      }
    }
  }
}

TEST(CloudBatch, LeavesFailuresOut) {
  const Clouds clouds{{1, kNaN, 3, kNaN, kNaN, kNaN, kNaN, 9, kNaN}, Matrix(9, 1, {0, kNaN, 4, 5, 5, 5, 5, 7, 5})};
  const CloudBatch batch = summary(clouds, 3);
  EXPECT_EQ(batch.fitness[0], 2);
  EXPECT_EQ(batch.descriptors(0, 0), 2);
  EXPECT_EQ(batch.variance[0], 8);
  // nothing left
  EXPECT_TRUE(std::isnan(batch.fitness[1]));
  EXPECT_TRUE(std::isnan(batch.variance[1]));
  // one evaluation has a mean and no variance
  EXPECT_EQ(batch.fitness[2], 9);
  EXPECT_EQ(batch.descriptors(2, 0), 7);
  EXPECT_TRUE(std::isnan(batch.variance[2]));
}

TEST(CloudBatch, WorksOutNoVarianceWhereNoneIsWanted) {
  const Clouds clouds = random_clouds(9, 32, 2, 0.01);
  CloudBatch batch = summary(clouds, 32, true);
  const CloudBatch with = batch;
  summarise_clouds(clouds.fitness, clouds.descriptors, 32, false, batch);
  EXPECT_THAT(batch.variance, IsEmpty());
  EXPECT_EQ(bits_of(batch.fitness), bits_of(with.fitness));
  EXPECT_EQ(bits_of(batch.descriptors.values()), bits_of(with.descriptors.values()));
}

TEST(CloudBatch, DoesNotLoseASmallSpreadAroundALargeMean) {
  Clouds clouds{std::vector<float>(1000), Matrix(1000, 2)};
  for (std::size_t i = 0; i < 1000; ++i) {
    for (float& d : clouds.descriptors.row(i)) d = 4096.0f + (i % 2 == 0 ? 0.0f : 0.0009765625f);
  }
  const double expected = 2 * std::pow(0.0009765625 / 2, 2) * 1000 / 999;
  EXPECT_NEAR(summary(clouds, 1000).variance[0], expected, 1e-12 * expected);
}

TEST(CloudBatch, GivesTheSameBytesForEveryNumberOfThreads) {
  const Clouds clouds = random_clouds(3000, 32, 2, 0.001);
  const CloudBatch expected = summary(clouds, 32);
  for_each_thread_count([&](std::size_t) {
    const CloudBatch batch = summary(clouds, 32);
    EXPECT_EQ(bits_of(batch.fitness), bits_of(expected.fitness));
    EXPECT_EQ(bits_of(batch.descriptors.values()), bits_of(expected.descriptors.values()));
    EXPECT_EQ(batch.variance, expected.variance);
  });
}

TEST(CloudBatch, FitsItsMemoryToTheSolutions) {
  CloudBatch batch = summary(random_clouds(100, 4, 2, 0), 4);
  const Clouds few = random_clouds(3, 4, 2, 0);
  summarise_clouds(few.fitness, few.descriptors, 4, true, batch);
  EXPECT_EQ(batch.fitness.size(), 3u);
  EXPECT_EQ(batch.descriptors.rows(), 3u);
  EXPECT_EQ(batch.variance.size(), 3u);
  const Clouds none{{}, Matrix(0, 2)};
  summarise_clouds(none.fitness, none.descriptors, 4, true, batch);
  EXPECT_THAT(batch.fitness, IsEmpty());
}

}  // namespace
}  // namespace aria
