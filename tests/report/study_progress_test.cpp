#include "aria/report/study_progress.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aria/report/text.hpp"

namespace aria {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr TerminalStyle kAscii = {TerminalStyle::Colour::kNone, false, 100};

StudySample sample() { return {70, 12, {{"aria-me 3", "improving", 0.25}, {"mome-r 3", "", 0.75}}, 185.0}; }

TEST(StudyBarLine, TellsWhatIsDoneWhatRunsAndHowLongItTakes) {
  EXPECT_EQ(study_bar_line(sample(), kAscii, 99),
            "12 of 70 runs [###                 ] 18 %  3 min 05 s left  aria-me 3 (25 %), mome-r 3 (75 %)");
}

TEST(StudyBarLine, KeepsItsPlacesAsFiguresGrow) {
  StudySample later = sample();
  later.done = 7;
  later.seconds_left = 59;
  const std::string line = study_bar_line(later, kAscii, 99);
  EXPECT_EQ(line.find("aria-me"), study_bar_line(sample(), kAscii, 99).find("aria-me")) << line;
  EXPECT_THAT(line, HasSubstr(" 7 of 70 runs ["));
}

TEST(StudyBarLine, LeavesOutWhatDoesNotFit) {
  EXPECT_THAT(study_bar_line(sample(), kAscii, 79), EndsWith("aria-me 3 (25 %), 1 more"));
  EXPECT_THAT(study_bar_line(sample(), kAscii, 60), EndsWith("] 18 %  3 min 05 s left"));
  EXPECT_THAT(study_bar_line(sample(), kAscii, 36), EndsWith("runs 18 %  3 min 05 s left"));
  EXPECT_EQ(study_bar_line(sample(), kAscii, 5), "12 of");
  for (std::size_t width = 0; width < 120; ++width) {
    EXPECT_LE(display_width(study_bar_line(sample(), kAscii, width)), width);
    EXPECT_LE(display_width(study_bar_line(sample(), {TerminalStyle::Colour::kTrue, true, 100}, width)), width);
  }
}

TEST(StudyBarLine, SaysNothingOfATimeThatIsNotKnown) {
  StudySample start = sample();
  start.seconds_left.reset();
  EXPECT_THAT(study_bar_line(start, kAscii, 99), Not(HasSubstr("left")));
}

TEST(StudyBarLine, HasNoControlCharacters) {
  StudySample odd = sample();
  odd.running[0].name = "a\x1b[2Jb";
  EXPECT_THAT(study_bar_line(odd, kAscii, 99), Not(HasSubstr("\x1b")));
  EXPECT_THAT(study_plain_line(odd), Not(HasSubstr("\x1b")));
}

TEST(StudyPlainLine, TellsEverything) {
  EXPECT_EQ(study_plain_line(sample()),
            "12 of 70 runs, 18 %, 3 min 05 s left; now aria-me 3 (improving 25 %), mome-r 3 (75 %)");
  EXPECT_EQ(study_plain_line({2, 2, {}, std::nullopt}), "2 of 2 runs, 100 %");
}

TEST(StudyPlainLine, TellsOfAPhaseHowMuchOfItIsDone) {
  StudySample costly = sample();
  costly.running[0] = {"aria-pga 1", "PGA-MAP-Elites", 0.001, 0.42};
  EXPECT_THAT(study_plain_line(costly), HasSubstr(", 18 %,"));
  EXPECT_THAT(study_plain_line(costly), HasSubstr("now aria-pga 1 (PGA-MAP-Elites 42 %), mome-r 3 (75 %)"));
}

}  // namespace
}  // namespace aria
