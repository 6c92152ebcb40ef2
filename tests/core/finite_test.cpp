#include "aria/core/finite.hpp"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/simd_targets.hpp"

namespace aria {
namespace {

using Limits = std::numeric_limits<float>;

TEST(Finite, TellsInfinitiesAndNaNsFromNumbers) {
  for (const float x : {0.0f, -0.0f, 1.0f, Limits::max(), Limits::lowest(), Limits::denorm_min()}) {
    EXPECT_TRUE(is_finite(x)) << x;
  }
  for (const float x : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), -Limits::quiet_NaN()}) {
    EXPECT_FALSE(is_finite(x)) << x;
  }
}

TEST(Finite, FindsTheOneValueThatIsNotWhereverItIs) {
  testing::for_each_simd_target([](bool) {
    for (const std::size_t n : {1u, 7u, 31u, 32u, 33u, 64u, 65u, 131u}) {
      std::vector<float> values(n, Limits::max());
      EXPECT_TRUE(all_finite(values)) << n;
      for (std::size_t i = 0; i < n; ++i) {
        for (const float bad : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()}) {
          values[i] = bad;
          EXPECT_FALSE(all_finite(values)) << i << " of " << n;
        }
        values[i] = Limits::lowest();
      }
    }
  });
}

TEST(Finite, IsTrueOfNothing) { EXPECT_TRUE(all_finite({})); }

}  // namespace
}  // namespace aria
