#include "aria/core/simd_target.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/support/simd_targets.hpp"

namespace aria {
namespace {

using aria::testing::for_each_simd_target;
using aria::testing::simd_targets;

TEST(SimdTarget, IsTheBestOfTheCpuUnlessATestSaysOtherwise) {
  EXPECT_EQ(simd_target().name, hwy::TargetName(simd_targets().front()));
  for_each_simd_target([](bool) {});
  EXPECT_EQ(simd_target().name, hwy::TargetName(simd_targets().front()));
}

TEST(SimdTarget, CanBeChosenForTests) {
  std::set<std::string> names;
  for_each_simd_target([&](bool) { names.insert(simd_target().name); });
  EXPECT_EQ(names.size(), simd_targets().size());
  EXPECT_THAT(names, ::testing::Contains(::testing::AnyOf("SCALAR", "EMU128")));
}

TEST(SimdTarget, KnowsWhetherItFusesMultiplicationAndAddition) {
  for_each_simd_target([](bool fused) {
    const std::string name = simd_target().name;
    if (name.starts_with("AVX") || name.starts_with("NEON")) {
      EXPECT_TRUE(fused);
    } else if (name.starts_with("SSE")) {
      EXPECT_FALSE(fused);
    }
  });
}

}  // namespace
}  // namespace aria
