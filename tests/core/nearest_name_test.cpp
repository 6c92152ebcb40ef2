#include "aria/core/nearest_name.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/messages.hpp"

namespace aria {
namespace {

using aria::testing::message_of;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::vector<std::string> kNames = {"map-elites", "es", "aria-me", "aria-es", "aria"};

TEST(NearestName, FindsAWordWithALetterWrongMissingOrTooMany) {
  EXPECT_EQ(nearest_name("map-elitas", kNames), "map-elites");
  EXPECT_EQ(nearest_name("mapelites", kNames), "map-elites");
  EXPECT_EQ(nearest_name("map--elites", kNames), "map-elites");
  EXPECT_EQ(nearest_name("aria_me", kNames), "aria-me");
  EXPECT_EQ(nearest_name("arai", kNames), "aria");
}

TEST(NearestName, TakesTheFewestEditsAndTheFirstOfEquals) {
  EXPECT_EQ(nearest_name("aria-e", kNames), "aria-me");  // one edit from both aria-me and aria-es
  EXPECT_EQ(nearest_name("aria", kNames), "aria");
}

TEST(NearestName, IsEmptyWhereNoneIsNear) {
  EXPECT_EQ(nearest_name("gradient-descent", kNames), "");
  EXPECT_EQ(nearest_name("aria", {}), "");
}

TEST(ThrowUnknown, NamesWhatWasAskedForTheNearestAndAll) {
  EXPECT_THAT(message_of([] { throw_unknown("algorithm", "map-elite", kNames); }),
              AllOf(HasSubstr("unknown algorithm 'map-elite'"), HasSubstr("(did you mean 'map-elites'?)"),
                    HasSubstr("there are: map-elites, es, aria-me, aria-es, aria")));
  EXPECT_THAT(message_of([] { throw_unknown("algorithm", "gradient-descent", kNames); }),
              AllOf(HasSubstr("'gradient-descent'"), Not(HasSubstr("did you mean")), HasSubstr("there are:")));
}

}  // namespace
}  // namespace aria
