#include "aria/optim/search_gradient.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "aria/core/draws.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/simd_targets.hpp"

namespace aria {
namespace {

using aria::testing::bits_of;
using aria::testing::for_each_simd_target;
using ::testing::Each;

std::vector<float> random_utility(std::size_t pairs) {
  std::mt19937 random(static_cast<std::uint32_t>(pairs));
  std::uniform_real_distribution<float> uniform(-0.5f, 0.5f);
  std::vector<float> utility(2 * pairs);
  for (float& u : utility) u = uniform(random);
  return utility;
}

std::vector<float> gradient_of(Key key, std::uint32_t id, std::span<const float> utility, std::size_t parameters) {
  std::vector<float> gradient(parameters, std::nanf(""));
  search_gradient(key, id, utility, gradient);
  return gradient;
}

TEST(SearchGradient, IsTheWeightedMeanOfTheNoiseOnEveryTarget) {
  const Key key(12);
  constexpr std::uint32_t kId = 0x80000005u;
  for (const std::size_t pairs : {1u, 2u, 3u, 15u, 16u, 17u, 63u, 64u, 65u, 130u, 2048u}) {
    const std::vector<float> utility = random_utility(pairs);
    for (const std::size_t parameters : {1u, 3u, 8u, 9u, 20u}) {
      SCOPED_TRACE(::testing::Message() << pairs << " pairs, " << parameters << " parameters");
      std::vector<double> expected(parameters);
      for (std::uint32_t p = 0; p < pairs; ++p) {
        const double weight = static_cast<double>(utility[2 * p]) - static_cast<double>(utility[2 * p + 1]);
        for (std::uint32_t j = 0; j < parameters; ++j) {
          expected[j] += weight * normal(key, Purpose::kPerturbation, kId, p, j) / static_cast<double>(pairs);
        }
      }
      std::vector<std::uint32_t> fused_bits;
      for_each_simd_target([&](bool fused) {
        const std::vector<float> gradient = gradient_of(key, kId, utility, parameters);
        for (std::size_t j = 0; j < parameters; ++j) ASSERT_NEAR(gradient[j], expected[j], 1e-6) << j;
        if (!fused) return;
        if (fused_bits.empty()) fused_bits = bits_of(gradient);
        EXPECT_EQ(bits_of(gradient), fused_bits);
      });
    }
  }
}

TEST(SearchGradient, HasTheSameBitsFromNoiseThatWasKeptOnEveryTarget) {
  const Key key(12);
  for (const std::size_t pairs : {1u, 3u, 16u, 17u, 65u, 130u}) {
    const std::vector<float> utility = random_utility(pairs);
    for (const std::size_t parameters : {1u, 3u, 8u, 9u, 20u}) {
      SCOPED_TRACE(::testing::Message() << pairs << " pairs, " << parameters << " parameters");
      for_each_simd_target([&](bool fused) {
        // the last group of sixteen is filled up with noise that must not count
        const std::size_t padded = (pairs + 15) / 16 * 16;
        std::vector<float> noise(padded * parameters, 100.0f);
        for (std::size_t p = 0; p < pairs; ++p) {
          for (std::size_t j = 0; j < parameters; ++j) {
            noise[(p / 16 * parameters + j) * 16 + p % 16] =
                normal(key, Purpose::kPerturbation, 7, static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(j));
          }
        }
        std::vector<float> kept(parameters);
        search_gradient(noise, utility, kept);
        const std::vector<float> drawn = gradient_of(key, 7, utility, parameters);
        for (std::size_t j = 0; j < parameters; ++j) ASSERT_NEAR(kept[j], drawn[j], 1e-6);
        // without fused multiply-add the kernels draw other last bits than the scalar function
        if (fused) {
          EXPECT_EQ(bits_of(kept), bits_of(drawn));
        }
      });
    }
  }
}

TEST(SearchGradient, IsZeroWhereMirroredSamplesAreAlike) {
  const std::vector<float> utility(2 * 65, 0.3f);
  EXPECT_THAT(gradient_of(Key(1), 2, utility, 9), Each(0.0f));
}

TEST(SearchGradient, DoesNotDependOnHowManyParametersAreAskedFor) {
  const std::vector<float> utility = random_utility(100);
  const std::vector<float> all = gradient_of(Key(1), 2, utility, 20);
  for (const std::size_t parameters : {1u, 4u, 7u, 8u, 13u}) {
    const std::vector<float> some = gradient_of(Key(1), 2, utility, parameters);
    EXPECT_EQ(some, std::vector<float>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(parameters)));
  }
}

TEST(SearchGradient, IsTheSameForTheSameNameAndAnotherForAnother) {
  const std::vector<float> utility = random_utility(33);
  const std::vector<float> gradient = gradient_of(Key(1), 2, utility, 8);
  EXPECT_EQ(gradient, gradient_of(Key(1), 2, utility, 8));
  EXPECT_NE(gradient, gradient_of(Key(2), 2, utility, 8));
  EXPECT_NE(gradient, gradient_of(Key(1), 3, utility, 8));
}

// Utilities that grow along a direction give a gradient along it.
TEST(SearchGradient, PointsUphill) {
  const Key key(5);
  const double slope[] = {1, -2, 0.5};
  std::vector<float> utility;
  for (std::uint32_t p = 0; p < 2048; ++p) {
    double rise = 0;
    for (std::uint32_t j = 0; j < 3; ++j) rise += slope[j] * normal(key, Purpose::kPerturbation, 0, p, j);
    utility.push_back(static_cast<float>(0.1 * rise));
    utility.push_back(static_cast<float>(-0.1 * rise));
  }
  const std::vector<float> gradient = gradient_of(key, 0, utility, 3);
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(gradient[j], 0.2 * slope[j], 0.06);
}

}  // namespace
}  // namespace aria
