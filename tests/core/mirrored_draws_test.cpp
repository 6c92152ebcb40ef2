#include "aria/core/mirrored_draws.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "aria/core/draws.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/simd_targets.hpp"

namespace aria {
namespace {

using aria::testing::bits_of;
using aria::testing::for_each_simd_target;

TEST(DrawMirrored, GivesBothSidesOfTheNoiseThatRowsHave) {
  constexpr float kScale = 0.03f;
  for_each_simd_target([&](bool) {
    for (const std::size_t count : {1, 7, 8, 63, 64, 65, 131, 1000}) {
      SCOPED_TRACE(count);
      const std::uint32_t id = 5;
      const std::uint32_t sample = 9;
      std::vector<float> noise(kNormalsPerBlock * normal_blocks(count));
      draw_normal_rows(Key(2), Purpose::kPerturbation, std::span(&id, 1), std::span(&sample, 1), count, noise.data());
      std::vector<float> centre(count);
      for (std::size_t j = 0; j < count; ++j) centre[j] = 0.1f * static_cast<float>(j % 13) - 0.5f;
      std::vector<float> plus(count + 1, 7.0f);
      std::vector<float> minus(count + 1, 7.0f);
      draw_mirrored(Key(2), Purpose::kPerturbation, id, sample, centre, kScale, plus.data(), minus.data());
      std::vector<float> above(count + 1, 7.0f);
      std::vector<float> below(count + 1, 7.0f);
      for (std::size_t j = 0; j < count; ++j) {
        above[j] = centre[j] + kScale * noise[j];
        below[j] = centre[j] - kScale * noise[j];
      }
      // nothing is written behind the end
      EXPECT_EQ(bits_of(plus), bits_of(above));
      EXPECT_EQ(bits_of(minus), bits_of(below));
    }
  });
}

}  // namespace
}  // namespace aria
