// Expected values: statsmodels.stats.multitest.multipletests(p, method="holm").
#include "aria/metrics/holm.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace aria {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<double> corrected(const std::vector<double>& p) { return holm_correction(p); }

TEST(HolmCorrection, TakesTheNumberOfTestsLeftAtEachStep) {
  EXPECT_THAT(corrected({0.01, 0.04, 0.03, 0.005}),
              ElementsAre(DoubleEq(0.03), DoubleEq(0.06), DoubleEq(0.06), DoubleEq(0.02)));
  EXPECT_THAT(corrected({0.01, 0.01, 0.01, 0.2, 0.0001}),
              ElementsAre(DoubleEq(0.04), DoubleEq(0.04), DoubleEq(0.04), DoubleEq(0.2), DoubleEq(0.0005)));
}

TEST(HolmCorrection, NeverGoesAboveOne) { EXPECT_THAT(corrected({0.5, 0.9, 0.6}), ElementsAre(1, 1, 1)); }

TEST(HolmCorrection, LeavesASingleTestAlone) {
  EXPECT_THAT(corrected({0.02}), ElementsAre(DoubleEq(0.02)));
  EXPECT_THAT(corrected({}), IsEmpty());
}

}  // namespace
}  // namespace aria
