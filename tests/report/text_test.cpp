#include "aria/report/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace aria {
namespace {

using ::testing::ElementsAre;

TEST(ReportText, TakesOneColumnPerCodePoint) {
  EXPECT_EQ(display_width(""), 0u);
  EXPECT_EQ(display_width("abc"), 3u);
  EXPECT_EQ(display_width("1.5 ± 0.2 – σ"), 13u);
  EXPECT_EQ(display_width("▀▄█│"), 4u);
}

TEST(ReportText, KnowsMarksAndWideLetters) {
  EXPECT_EQ(display_width("e\u0301"), 1u);
  EXPECT_EQ(display_width("蟻"), 2u);
  EXPECT_EQ(display_width("🐜"), 2u);
}

TEST(ReportText, CountsNoColours) {
  EXPECT_EQ(display_width("\x1b[1mbold\x1b[0m"), 4u);
  EXPECT_EQ(display_width("\x1b[0;38;2;1;2;3;48;5;16m▀\x1b[0m"), 1u);
}

TEST(ReportText, CountsBrokenBytesOneByOne) {
  EXPECT_EQ(display_width("\xff\xfe"), 2u);
  EXPECT_EQ(display_width("a\xe2\x94"), 3u) << "cut in the middle of a letter";
  EXPECT_EQ(display_width("\xed\xa0\x80"), 3u) << "a surrogate";
}

TEST(ReportText, IsAligned) {
  EXPECT_EQ(aligned("±", 4, Align::kLeft), "±   ");
  EXPECT_EQ(aligned("±", 4, Align::kRight), "   ±");
  EXPECT_EQ(aligned("±", 4, Align::kCentre), " ±  ");
  EXPECT_EQ(aligned("longer", 4, Align::kCentre), "longer");
}

TEST(ReportText, IsWrappedBetweenWords) {
  EXPECT_THAT(wrapped("one two three", 7), ElementsAre("one two", "three"));
  EXPECT_THAT(wrapped("  one   two ", 20), ElementsAre("one two"));
  EXPECT_THAT(wrapped("± ± ±", 3), ElementsAre("± ±", "±"));
}

TEST(ReportText, IsWrappedWithinLongWords) {
  EXPECT_THAT(wrapped("a runs/experiment b", 6), ElementsAre("a", "runs/e", "xperim", "ent b"));
  EXPECT_THAT(wrapped("σσσσ", 2), ElementsAre("σσ", "σσ"));
}

TEST(ReportText, IsWrappedEvenWhereThereIsNoRoom) {
  EXPECT_THAT(wrapped("蟻a", 0), ElementsAre("蟻", "a"));
  EXPECT_THAT(wrapped("   ", 5), ElementsAre(""));
}

TEST(ReportText, IsShortenedBetweenLetters) {
  EXPECT_EQ(shortened("σσσ", 2), "σσ");
  EXPECT_EQ(shortened("蟻蟻", 3), "蟻");
  EXPECT_EQ(shortened("abc", 9), "abc");
  EXPECT_EQ(shortened("abc", 0), "");
}

TEST(ReportText, LosesWhatCouldSteerATerminal) {
  EXPECT_EQ(printable("a\x1b]0;title\a\x7f", true), "a?]0;title??");
  EXPECT_EQ(printable("a\xc2\x9b"
                      "2Jb",
                      true),
            "a?2Jb")
      << "an escape sequence in one character";
  EXPECT_EQ(printable("npz.\u202egpj", true), "npz.?gpj");
  EXPECT_EQ(printable("one\ttwo\nthree", true), "one two three");
}

TEST(ReportText, LosesWhatIsNotUtf8) { EXPECT_EQ(printable("a\xff\xe2\x94 b", true), "a??? b"); }

TEST(ReportText, IsSpeltInAsciiWhereThereIsNoUnicode) {
  EXPECT_EQ(printable("1 ± 2 – 3 × σ ≤ é", true), "1 ± 2 – 3 × σ ≤ é");
  EXPECT_EQ(printable("1 ± 2 – 3 × σ ≤ é", false), "1 +/- 2 - 3 x sigma <= ?");
}

}  // namespace
}  // namespace aria
