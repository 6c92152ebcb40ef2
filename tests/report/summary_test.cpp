#include "aria/report/summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace aria {
namespace {

using ::testing::HasSubstr;
using Colour = TerminalStyle::Colour;

ScoreColumn illusory() {
  ScoreColumn column{"Illusory", {}};
  column.scores.cells = 812;
  column.scores.coverage = 812.0 / 1024;
  column.scores.qd_score = 640.12;
  column.scores.max_fitness = -0.00012345;
  return column;
}

ScoreColumn corrected() {
  ScoreColumn column{"Corrected", {}};
  column.scores.cells = 640;
  column.scores.coverage = 640.0 / 1024;
  column.scores.qd_score = 423;
  column.scores.max_fitness = -0.01;
  column.scores.p_score = 512.34;
  column.scores.p_margin = 1.23;
  column.scores.v_score = 600.06;
  return column;
}

TEST(ScoreTable, ShowsArchivesSideBySide) {
  EXPECT_EQ(score_table({illusory(), corrected()}, {Colour::kNone, true, 80}),
            "                Illusory    Corrected\n"
            "─────────────────────────────────────\n"
            "Cells        812 of 1024  640 of 1024\n"
            "Coverage          79.3 %       62.5 %\n"
            "QD-Score           640.1        423.0\n"
            "Max fitness   -0.0001234        -0.01\n"
            "P-Score                –  512.3 ± 1.2\n"
            "V-Score                –        600.1\n");
}

TEST(ScoreTable, DoesWithoutUnicode) {
  const std::string text = score_table({illusory(), corrected()}, {Colour::kNone, false, 80});
  EXPECT_THAT(text, HasSubstr("P-Score                -  512.3 +/- 1.2\n"));
  EXPECT_THAT(text, HasSubstr("Cells        812 of 1024    640 of 1024\n"));
}

TEST(ScoreTable, ContinuesBelowWhereColumnsDoNotFit) {
  const std::vector<ScoreColumn> columns = {illusory(), corrected(), illusory()};
  const std::string two_below = score_table(columns, {Colour::kNone, true, 49});
  EXPECT_THAT(two_below, HasSubstr("                Illusory    Corrected\n"));
  EXPECT_THAT(two_below, HasSubstr("600.1\n\n                Illusory\n"));
  EXPECT_THAT(score_table(columns, {Colour::kNone, true, 50}), HasSubstr("Illusory    Corrected     Illusory\n"));
  EXPECT_THAT(score_table(columns, {Colour::kNone, true, 5}), HasSubstr("812 of 1024\n"));
}

TEST(ScoreTable, ShowsAnEmptyArchive) {
  const std::string text = score_table({{"Empty", {}}}, {Colour::kNone, true, 80});
  EXPECT_THAT(text, HasSubstr("Cells            0\n"));
  EXPECT_THAT(text, HasSubstr("Coverage     0.0 %\n"));
  EXPECT_THAT(text, HasSubstr("Max fitness      –\n"));
}

TEST(ScoreTable, ShowsFitnessWithFourDigits) {
  const auto shown = [](double fitness) {
    ScoreColumn column{"", {}};
    column.scores.max_fitness = fitness;
    const std::string text = score_table({column}, {Colour::kNone, false, 80});
    const std::size_t begin = text.find_first_not_of(' ', text.find("fitness") + 7);
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  EXPECT_EQ(shown(1234.56), "1235");
  EXPECT_EQ(shown(123456.7), "123457");
  EXPECT_EQ(shown(0.98765), "0.9877");
  EXPECT_EQ(shown(-0.0), "0");
  EXPECT_EQ(shown(1.5e-9), "1.5e-09");
}

}  // namespace
}  // namespace aria
