#include "aria/policy/initial_policy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace aria {
namespace {

using ::testing::Each;

const MlpShape kAntShape{{87, 64, 64, 8}};

std::vector<float> policy_of(std::uint64_t seed, std::uint32_t id) {
  std::vector<float> result(kAntShape.parameters(), 7.0f);
  initial_policy(kAntShape, Key(seed), id, result);
  return result;
}

// Calls body(weights, biases, fan_in) for each layer.
template <class F>
void for_each_layer(std::span<const float> policy, const F& body) {
  for (std::size_t layer = 0; layer < kAntShape.layers(); ++layer) {
    const std::size_t inputs = kAntShape.sizes[layer];
    const std::size_t outputs = kAntShape.sizes[layer + 1];
    body(policy.first(inputs * outputs), policy.subspan(inputs * outputs, outputs), static_cast<double>(inputs));
    policy = policy.subspan((inputs + 1) * outputs);
  }
}

TEST(InitialPolicy, HasBiasesOfZero) {
  for_each_layer(policy_of(1, 2), [](auto, auto biases, double) { EXPECT_THAT(biases, Each(0.0f)); });
}

TEST(InitialPolicy, FillsTheRangeOfLeCun) {
  for_each_layer(policy_of(1, 2), [](auto weights, auto, double fan_in) {
    const double bound = std::sqrt(3 / fan_in);
    EXPECT_LE(*std::ranges::max_element(weights), bound);
    EXPECT_GE(*std::ranges::min_element(weights), -bound * (1 + 1e-7));
    EXPECT_GT(*std::ranges::max_element(weights), 0.97 * bound);
    EXPECT_LT(*std::ranges::min_element(weights), -0.97 * bound);
  });
}

TEST(InitialPolicy, HasMeanZeroAndTheVarianceOfOneOverTheInputs) {
  for_each_layer(policy_of(3, 0), [](auto weights, auto, double fan_in) {
    const auto n = static_cast<double>(weights.size());
    double mean = 0;
    double variance = 0;
    for (const double w : weights) mean += w / n;
    for (const double w : weights) variance += w * w / n;
    // four standard errors; the variance's is sqrt(4/5) of itself for a uniform variate
    EXPECT_NEAR(mean, 0, 4 * std::sqrt(1 / fan_in / n));
    EXPECT_NEAR(variance * fan_in, 1, 4 * std::sqrt(0.8 / n));
  });
}

TEST(InitialPolicy, DependsOnKeyAndIdAlone) {
  EXPECT_EQ(policy_of(1, 2), policy_of(1, 2));
  EXPECT_NE(policy_of(1, 2), policy_of(1, 3));
  EXPECT_NE(policy_of(1, 2), policy_of(2, 2));
}

TEST(InitialPolicy, RepeatsNoWeight) {
  std::vector<float> weights = policy_of(1, 2);
  weights.resize(87 * 64);
  std::ranges::sort(weights);
  // 5,568 of 2^24 values: a pair or two may meet by chance
  EXPECT_LE(std::ranges::distance(std::ranges::unique(weights)), 6);
}

}  // namespace
}  // namespace aria
