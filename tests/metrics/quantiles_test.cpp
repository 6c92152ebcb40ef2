#include "aria/metrics/quantiles.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/messages.hpp"

namespace aria {
namespace {

using aria::testing::message_of;
using ::testing::HasSubstr;

const std::vector<double> kTen = {7.0, 1.5, 9.25, 3.0, 2.0, 8.0, 6.5, 4.0, 0.5, 10.0};

// numpy.quantile gives the same.
TEST(Quantile, InterpolatesLinearlyAsNumPyDoes) {
  EXPECT_DOUBLE_EQ(quantile(kTen, 0), 0.5);
  EXPECT_DOUBLE_EQ(quantile(kTen, 0.1), 1.4);
  EXPECT_DOUBLE_EQ(quantile(kTen, 0.25), 2.25);
  EXPECT_DOUBLE_EQ(quantile(kTen, 0.5), 5.25);
  EXPECT_DOUBLE_EQ(quantile(kTen, 0.75), 7.75);
  EXPECT_DOUBLE_EQ(quantile(kTen, 1), 10);
  EXPECT_DOUBLE_EQ(quantile({5, 1, 4, 2}, 0.1), 1.3);
}

TEST(Quantile, OfOneNumberIsThatNumber) {
  for (const double share : {0.0, 0.3, 1.0}) EXPECT_EQ(quantile({3}, share), 3);
}

TEST(Quantile, NeedsNumbersAndAShare) {
  EXPECT_THAT(message_of([] { quantile({}, 0.5); }), HasSubstr("at least one, got 0"));
  EXPECT_THAT(message_of([] { quantile({1}, 1.5); }), HasSubstr("from 0 to 1, got 1.5"));
}

TEST(Quartiles, AreThree) { EXPECT_EQ(quartiles(kTen), (Quartiles{5.25, 2.25, 7.75})); }

}  // namespace
}  // namespace aria
