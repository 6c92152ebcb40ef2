#include "aria/report/units.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace aria {
namespace {

TEST(HumanCount, HasThreeDigitsAndAPrefix) {
  EXPECT_EQ(human_count(4.23e8), "423 M");
  EXPECT_EQ(human_count(2'000'000), "2.00 M");
  EXPECT_EQ(human_count(1536), "1.54 k");
  EXPECT_EQ(human_count(15'360), "15.4 k");
  EXPECT_EQ(human_count(7.5e9), "7.50 G");
  EXPECT_EQ(human_count(1e12), "1.00 T");
  EXPECT_EQ(human_count(1e21), "1000 E");
}

TEST(HumanCount, LeavesSmallWholeNumbersAlone) {
  EXPECT_EQ(human_count(0), "0");
  EXPECT_EQ(human_count(7), "7");
  EXPECT_EQ(human_count(999), "999");
  EXPECT_EQ(human_count(-42), "-42");
  EXPECT_EQ(human_count(-0.0), "0");
}

TEST(HumanCount, HasDecimalsForWhatIsNotWhole) {
  EXPECT_EQ(human_count(12.34), "12.3");
  EXPECT_EQ(human_count(0.5), "0.50");
  EXPECT_EQ(human_count(3.14159), "3.14");
}

TEST(HumanCount, RoundsBeforeItChoosesThePrefix) {
  EXPECT_EQ(human_count(999.6), "1.00 k");
  EXPECT_EQ(human_count(9.996), "10");
  EXPECT_EQ(human_count(9'996), "10.0 k");
  EXPECT_EQ(human_count(999'499), "999 k");
  EXPECT_EQ(human_count(999'500), "1.00 M");
}

TEST(HumanCount, AdmitsWhatItDoesNotKnow) {
  EXPECT_EQ(human_count(std::numeric_limits<double>::quiet_NaN()), "?");
  EXPECT_EQ(human_count(std::numeric_limits<double>::infinity()), "?");
}

TEST(HumanDuration, ChoosesItsUnits) {
  EXPECT_EQ(human_duration(0), "0 s");
  EXPECT_EQ(human_duration(0.0001), "< 1 ms");
  EXPECT_EQ(human_duration(0.85), "850 ms");
  EXPECT_EQ(human_duration(4.2), "4.2 s");
  EXPECT_EQ(human_duration(185), "3 min 05 s");
  EXPECT_EQ(human_duration(7800), "2 h 10 min");
  EXPECT_EQ(human_duration(3 * 86400 + 4 * 3600), "3 d 04 h");
}

TEST(HumanDuration, RoundsUpToTheNextUnit) {
  EXPECT_EQ(human_duration(0.9996), "1.0 s");
  EXPECT_EQ(human_duration(59.94), "59.9 s");
  EXPECT_EQ(human_duration(59.96), "1 min 00 s");
  EXPECT_EQ(human_duration(3599.4), "59 min 59 s");
  EXPECT_EQ(human_duration(3599.6), "1 h 00 min");
  EXPECT_EQ(human_duration(86399), "1 d 00 h");
}

TEST(HumanDuration, AdmitsWhatItDoesNotKnow) {
  EXPECT_EQ(human_duration(-1), "?");
  EXPECT_EQ(human_duration(std::numeric_limits<double>::infinity()), "?");
}

TEST(HumanRate, NamesWhatIsCounted) {
  EXPECT_EQ(human_rate(423'000, "evaluations"), "423 k evaluations/s");
  EXPECT_EQ(human_rate(12.5, "cells"), "12.5 cells/s");
  EXPECT_EQ(human_rate(1536, ""), "1.54 k/s");
  EXPECT_EQ(human_rate(0, "cells"), "0 cells/s");
}

TEST(HumanRate, TellsSlowThingsPerMinuteOrHour) {
  EXPECT_EQ(human_rate(0.25, "steps"), "15 steps/min");
  EXPECT_EQ(human_rate(0.001, "steps"), "3.60 steps/h");
}

}  // namespace
}  // namespace aria
