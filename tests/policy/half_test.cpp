#include "aria/policy/half.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace aria {
namespace {

constexpr std::uint16_t kLargest = 0x7BFF;

// By definition: sign, five bits of exponent, ten of mantissa.
double value_of(std::uint16_t half) {
  const int exponent = half >> 10 & 31;
  const int mantissa = half & 1023;
  const double magnitude = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

TEST(Half, IsReadExactly) {
  for (std::uint32_t h = 0; h <= 0xFFFF; ++h) {
    const auto half = static_cast<std::uint16_t>(h);
    if ((half & 0x7FFF) > kLargest) continue;
    ASSERT_EQ(from_half(half), value_of(half)) << half;
    ASSERT_EQ(std::signbit(from_half(half)), (half & 0x8000) != 0);
    ASSERT_EQ(half_from(from_half(half)), half);
  }
}

TEST(Half, IsTheNearestAndTheEvenOneOfTwo) {
  for (std::uint16_t half = 0; half < kLargest; ++half) {
    const auto next = static_cast<std::uint16_t>(half + 1);
    const auto middle = static_cast<float>((value_of(half) + value_of(next)) / 2);
    ASSERT_EQ(half_from(middle), half % 2 == 0 ? half : next) << half;
    ASSERT_EQ(half_from(std::nextafter(middle, 0.0f)), half);
    ASSERT_EQ(half_from(std::nextafter(middle, 1e9f)), next);
    ASSERT_EQ(half_from(-std::nextafter(middle, 1e9f)), next | 0x8000);
  }
}

TEST(Half, StopsAtTheLargest) {
  for (const float x : {65504.0f, 65519.0f, 65520.0f, 1e30f, std::numeric_limits<float>::infinity()}) {
    EXPECT_EQ(from_half(half_from(x)), 65504.0f) << x;
    EXPECT_EQ(from_half(half_from(-x)), -65504.0f) << x;
  }
}

TEST(Half, KeepsNaN) {
  EXPECT_TRUE(std::isnan(from_half(half_from(std::numeric_limits<float>::quiet_NaN()))));
  EXPECT_EQ(half_from(std::numeric_limits<float>::denorm_min()), 0);
}

}  // namespace
}  // namespace aria
