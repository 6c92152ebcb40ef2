#include "aria/run/study_forecast.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace aria {
namespace {

using ::testing::DoubleEq;
using ::testing::Optional;

TEST(StudyForecast, SaysNothingBeforeThereIsSomethingToGoBy) {
  const StudyForecast forecast;
  EXPECT_EQ(forecast.seconds_left({}, {"a", "b"}, 2), std::nullopt);
  EXPECT_EQ(forecast.seconds_left({{"a", 3, 0.01, 0}}, {"b"}, 2), std::nullopt);
}

TEST(StudyForecast, TakesRunsToTakeWhatTheirAlgorithmTook) {
  StudyForecast forecast;
  forecast.finished("slow", 10);
  forecast.finished("slow", 14);
  forecast.finished("quick", 2);
  EXPECT_THAT(forecast.seconds_left({}, {"slow", "quick", "quick"}, 1), Optional(DoubleEq(16)));
  EXPECT_THAT(forecast.seconds_left({}, {"slow", "quick", "quick"}, 2), Optional(DoubleEq(8)));
  EXPECT_THAT(forecast.seconds_left({}, {"slow"}, 2), Optional(DoubleEq(12))) << "one run is under way alone";
  EXPECT_THAT(forecast.seconds_left({}, {"unknown"}, 1), Optional(DoubleEq(7))) << "an average one";
}

TEST(StudyForecast, LooksAtWhatIsUnderWay) {
  StudyForecast forecast;
  EXPECT_THAT(forecast.seconds_left({{"a", 3, 0.25, 0}}, {}, 1), Optional(DoubleEq(9)));
  EXPECT_THAT(forecast.seconds_left({{"a", 3, 0.25, 0}}, {"a"}, 1), Optional(DoubleEq(21)));
  forecast.finished("a", 8);
  EXPECT_THAT(forecast.seconds_left({{"a", 3, 0, 0}}, {}, 1), Optional(DoubleEq(5))) << "by what others took";
  EXPECT_THAT(forecast.seconds_left({{"a", 30, 0, 0}}, {}, 1), Optional(DoubleEq(0)));
  EXPECT_THAT(forecast.seconds_left({{"a", 6, 1, 0}}, {}, 1), Optional(DoubleEq(2))) << "its metrics are still to come";
  EXPECT_THAT(forecast.seconds_left({{"a", 6, 0.5, 0}}, {}, 1), Optional(DoubleEq(6))) << "slower than the others";
  EXPECT_THAT(forecast.seconds_left({{"a", 6, 1, 0, 3}}, {}, 1), Optional(DoubleEq(3))) << "what they look like";
  EXPECT_THAT(StudyForecast().seconds_left({{"a", 6, 1, 0, 3}}, {}, 1), Optional(DoubleEq(3))) << "the first of all";
}

TEST(StudyForecast, CountsOnlyWhatWasDoneSinceARunWasContinued) {
  StudyForecast forecast;
  EXPECT_THAT(forecast.seconds_left({{"a", 3, 0.75, 0.5}}, {}, 1), Optional(DoubleEq(3)));
  EXPECT_THAT(forecast.seconds_left({{"a", 3, 0.75, 0.5}}, {"a"}, 1), Optional(DoubleEq(15)));
  forecast.finished("a", 8);
  EXPECT_THAT(forecast.seconds_left({{"a", 1, 0.5, 0.5}}, {}, 1), Optional(DoubleEq(3)));
}

TEST(StudyForecast, DoesNotTakeTheRateOfACostlyFirstPhaseForThatOfTheWhole) {
  const StudyForecast forecast;
  EXPECT_THAT(forecast.seconds_left({{"a", 60, 0.01, 0.01, 40, 60}, {"b", 5, 0.5, 0}}, {}, 1), Optional(DoubleEq(45)))
      << "at least what is left of that phase";
  EXPECT_THAT(forecast.seconds_left({{"a", 110, 0.11, 0.01, 0, 100}}, {}, 1), Optional(DoubleEq(89)));
  EXPECT_THAT(forecast.seconds_left({{"a", 110, 0.11, 0.01, 0, 100}}, {"a"}, 1), Optional(DoubleEq(289)))
      << "which others have before them";
}

TEST(StudyForecast, IsNothingLeftAtTheEnd) {
  StudyForecast forecast;
  forecast.finished("a", 8);
  EXPECT_THAT(forecast.seconds_left({}, {}, 2), Optional(0.0));
}

}  // namespace
}  // namespace aria
