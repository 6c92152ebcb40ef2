#include "aria/report/packing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string_view>

namespace aria {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

std::string base64_of(std::string_view text) { return base64(std::as_bytes(std::span(text))); }

// The examples of RFC 4648.
TEST(Base64, FillsUpWhatIsNoMultipleOfThree) {
  EXPECT_EQ(base64_of(""), "");
  EXPECT_EQ(base64_of("f"), "Zg==");
  EXPECT_EQ(base64_of("fo"), "Zm8=");
  EXPECT_EQ(base64_of("foo"), "Zm9v");
  EXPECT_EQ(base64_of("foob"), "Zm9vYg==");
  EXPECT_EQ(base64_of("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64_of("foobar"), "Zm9vYmFy");
}

TEST(Base64, HasADigitForEverySixBits) {
  EXPECT_EQ(base64_of(std::string_view("\xfb\xff\xbf\x00\x10\x83", 6)), "+/+/ABCD");
}

TEST(Packed, IsLittleEndian) {
  EXPECT_EQ(packed(std::vector<float>{1.0f}), "AACAPw==");  // 00 00 80 3f
  EXPECT_EQ(packed(std::vector<std::int32_t>{1, -1}), "AQAAAP////8=");
  EXPECT_EQ(packed(std::vector<std::uint16_t>{0x1234}), "NBI=");
  EXPECT_EQ(packed(std::vector<std::uint8_t>{1, 2, 255}), "AQL/");
}

TEST(Packed, PutsEightBitsInAByteTheFirstOneLowest) {
  EXPECT_EQ(packed_bits({}), "");
  EXPECT_EQ(packed_bits(std::vector<std::uint8_t>{1, 0, 0, 0, 0, 0, 0, 0}), packed(std::vector<std::uint8_t>{1}));
  EXPECT_EQ(packed_bits(std::vector<std::uint8_t>{0, 1, 1, 0, 0, 0, 0, 1, 0, 1}),
            packed(std::vector<std::uint8_t>{0b10000110, 0b10}));
}

TEST(Quantise, ComesBackWithinHalfAStep) {
  const std::vector<float> fitness(500);
  Matrix descriptors(500, 2);
  for (std::size_t i = 0; i < 500; ++i) {
    descriptors(i, 0) = std::sin(static_cast<float>(i));
    descriptors(i, 1) = 1000 + 3 * std::cos(static_cast<float>(i * i));
  }
  const QuantisedSamples samples = quantise(fitness, descriptors);
  for (std::size_t i = 0; i < 500; ++i) {
    for (std::size_t k = 0; k < 2; ++k) {
      const double width = samples.upper[k] - samples.lower[k];
      const double value = samples.lower[k] + samples.quantum[2 * i + k] / 65534.0 * width;
      EXPECT_NEAR(value, descriptors(i, k), 0.5001 * width / 65534);
    }
  }
}

TEST(Quantise, ReachesBothEndsAndMarksWhatFailed) {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  const QuantisedSamples samples = quantise(std::vector<float>{0, kNaN, 0}, Matrix(3, 1, {-2, 100, 6}));
  EXPECT_THAT(samples.lower, ElementsAre(-2));
  EXPECT_THAT(samples.upper, ElementsAre(6));
  EXPECT_THAT(samples.quantum, ElementsAre(0, 65535, 65534));
}

TEST(Quantise, TakesValuesThatAreAllTheSameAndNoneAtAll) {
  const QuantisedSamples same = quantise(std::vector<float>{0, 0}, Matrix(2, 1, {5, 5}));
  EXPECT_THAT(same.lower, ElementsAre(5));
  EXPECT_THAT(same.upper, ElementsAre(5));
  EXPECT_THAT(same.quantum, ElementsAre(0, 0));
  const QuantisedSamples none = quantise(std::vector<float>{std::nanf("")}, Matrix(1, 2));
  EXPECT_THAT(none.lower, Each(0));
  EXPECT_THAT(none.quantum, Each(65535));
}

}  // namespace
}  // namespace aria
