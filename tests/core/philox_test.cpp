#include "aria/core/philox.hpp"

#include <gtest/gtest.h>

#include <random>

#if __has_include(<Random123/philox.h>)
#include <Random123/philox.h>
#define ARIA_HAS_RANDOM123
#endif

namespace aria {
namespace {

// It can be worked out while compiling.
static_assert(philox({0, 0, 0, 0}, {0, 0})[3] == 0x9b00dbd8u);

// The vectors that Random123 publishes for philox4x32 with 10 rounds.
TEST(Philox, GivesThePublishedWordsForZeros) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (PhiloxCounter{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}));
}

TEST(Philox, GivesThePublishedWordsForOnes) {
  constexpr std::uint32_t kOnes = 0xffffffffu;
  EXPECT_EQ(philox({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (PhiloxCounter{0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}));
}

TEST(Philox, GivesThePublishedWordsForTheDigitsOfPi) {
  EXPECT_EQ(philox({0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}, {0xa4093822u, 0x299f31d0u}),
            (PhiloxCounter{0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}));
}

TEST(Philox, AgreesWithRandom123OnRandomInput) {
#ifdef ARIA_HAS_RANDOM123
  std::mt19937 words(1);
  const auto word = [&] { return static_cast<std::uint32_t>(words()); };
  for (int i = 0; i < 20'000; ++i) {
    const PhiloxCounter counter = {word(), word(), word(), word()};
    const PhiloxKey key = {word(), word()};
    const r123::Philox4x32_R<kPhiloxRounds>::ctr_type expected =
        r123::Philox4x32_R<kPhiloxRounds>()({{counter[0], counter[1], counter[2], counter[3]}}, {{key[0], key[1]}});
    ASSERT_EQ(philox(counter, key), (PhiloxCounter{expected[0], expected[1], expected[2], expected[3]}));
  }
#else
  GTEST_SKIP() << "the headers of Random123 are not installed";
#endif
}

// A bijection that mixes well changes about half of the output for any change of the input.
TEST(Philox, ChangesHalfOfTheBitsForOneBitOfTheInput) {
  std::mt19937 words(2);
  const auto word = [&] { return static_cast<std::uint32_t>(words()); };
  for (std::size_t bit = 0; bit < 192; ++bit) {
    double changed = 0;
    for (int i = 0; i < 100; ++i) {
      PhiloxCounter counter = {word(), word(), word(), word()};
      PhiloxKey key = {word(), word()};
      const PhiloxCounter before = philox(counter, key);
      (bit < 128 ? counter[bit / 32] : key[bit / 32 - 4]) ^= 1u << (bit % 32);
      const PhiloxCounter after = philox(counter, key);
      for (std::size_t w = 0; w < 4; ++w) changed += __builtin_popcount(before[w] ^ after[w]);
    }
    // 12800 bits: a standard deviation is 0.0044
    EXPECT_NEAR(changed / 12'800, 0.5, 0.025) << "bit " << bit;
  }
}

}  // namespace
}  // namespace aria
