#include "aria/task/robot_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "tests/support/simd_targets.hpp"

namespace aria {
namespace {

using aria::testing::for_each_simd_target;

constexpr std::size_t kStride = 32;

std::vector<float> random_rows(std::size_t rows, float size) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> uniform(-size, size);
  std::vector<float> values(rows * kStride);
  for (float& value : values) value = uniform(random);
  return values;
}

TEST(RobotRows, AreClippedWhereNamed) {
  for_each_simd_target([](bool) {
    for (const std::size_t worlds : {1u, 3u, 17u}) {
      const std::vector<float> from = random_rows(4, 2);
      std::vector<float> to(from.size(), -9);
      const std::size_t rows[] = {1, 3};
      clip_rows({from.data(), worlds, kStride}, rows, 1, to.data());
      for (std::size_t w = 0; w < worlds; ++w) {
        for (const std::size_t row : rows) {
          EXPECT_EQ(to[row * kStride + w], std::clamp(from[row * kStride + w], -1.0f, 1.0f));
        }
        EXPECT_EQ(to[w], -9);
        EXPECT_EQ(to[2 * kStride + w], -9);
      }
    }
  });
}

TEST(RobotRows, AreSquaredAndTakenAway) {
  for_each_simd_target([](bool) {
    const std::vector<float> from = random_rows(3, 2);
    std::vector<float> sums(kStride, 5);
    const std::size_t rows[] = {0, 2};
    subtract_squares({from.data(), 17, kStride}, rows, 1.5f, 0.25f, sums.data());
    for (std::size_t w = 0; w < 17; ++w) {
      double expected = 5;
      for (const std::size_t row : rows) {
        const double value = std::clamp(from[row * kStride + w], -1.5f, 1.5f);
        expected -= 0.25 * value * value;
      }
      EXPECT_NEAR(sums[w], expected, 1e-6);
    }
  });
}

TEST(RobotRows, TiltAsTheArcSineDoes) {
  for_each_simd_target([](bool) {
    constexpr std::size_t kAngles = 4001;
    for (std::size_t i = 0; i < kAngles; ++i) {
      // a rotation by `angle` about y: its tilt folds back beyond a right angle
      const double angle = -3.1 + 6.2 * static_cast<double>(i) / (kAngles - 1);
      std::vector<float> rotation(4 * kStride);
      rotation[0] = static_cast<float>(std::cos(angle / 2));
      rotation[2 * kStride] = static_cast<float>(std::sin(angle / 2));
      std::vector<float> out(kStride);
      tilts({rotation.data(), 1, kStride}, out.data());
      const double sine = std::clamp(2.0 * rotation[0] * rotation[2 * kStride], -1.0, 1.0);
      // close to a right angle a rounding of the sine is a large angle
      const double slack = 2e-7 + 1.2e-7 / std::sqrt(std::max(1e-6, 1 - sine * sine));
      ASSERT_NEAR(out[0], std::asin(sine), slack) << angle;
    }
    std::vector<float> rotation(4 * kStride, std::numeric_limits<float>::quiet_NaN());
    std::vector<float> out(kStride);
    tilts({rotation.data(), 1, kStride}, out.data());
    EXPECT_TRUE(std::isnan(out[0]));
  });
}

}  // namespace
}  // namespace aria
