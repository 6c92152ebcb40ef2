#include "aria/core/require.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/messages.hpp"

namespace aria {
namespace {

using aria::testing::message_of;

TEST(Require, SaysNameRuleAndValue) {
  EXPECT_EQ(message_of([] { require(false, "sigma", "> 0", -0.5); }), "sigma must be > 0, got -0.5");
  EXPECT_EQ(message_of([] {
              require(false, "grid", "two numbers", std::vector<std::size_t>{1, 2, 3});
            }),
            "grid must be two numbers, got [1, 2, 3]");
}

TEST(Require, IsQuietWhereTheRuleHolds) { EXPECT_NO_THROW(require(true, "sigma", "> 0", 1)); }

TEST(InputError, IsAnInvalidArgument) { EXPECT_THROW(require(false, "x", "y", 0), std::invalid_argument); }

}  // namespace
}  // namespace aria
