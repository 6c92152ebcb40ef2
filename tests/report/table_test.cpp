#include "aria/report/table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aria/core/require.hpp"

namespace aria {
namespace {

using Colour = TerminalStyle::Colour;

constexpr TerminalStyle kAscii{Colour::kNone, false, 80};
constexpr TerminalStyle kUnicode{Colour::kNone, true, 80};

TextTable small_table() {
  TextTable table({{"Name", Align::kLeft}, {"Score", Align::kRight}, {"Note", Align::kLeft}});
  table.add_row({"ARIA", "512.3 ± 1.2", "best"});
  table.add_row({"MAP-Elites", "–", ""});
  return table;
}

TEST(TextTable, LinesUpColumnsThatAreNotAscii) {
  EXPECT_EQ(small_table().render(kUnicode),
            "Name              Score  Note\n"
            "─────────────────────────────\n"
            "ARIA        512.3 ± 1.2  best\n"
            "MAP-Elites            –\n");
}

TEST(TextTable, LinesUpColumnsInAscii) {
  EXPECT_EQ(small_table().render(kAscii),
            "Name                Score  Note\n"
            "-------------------------------\n"
            "ARIA        512.3 +/- 1.2  best\n"
            "MAP-Elites              -\n");
}

TEST(TextTable, HasABoldHeaderWhereThereAreColours) {
  EXPECT_THAT(small_table().render({Colour::k256, true, 80}),
              ::testing::StartsWith("\x1b[1mName              Score  Note\x1b[0m\n─"));
}

TEST(TextTable, WrapsTheWidestTextWhereItIsTooWide) {
  TextTable table({{"Setting", Align::kLeft}, {"Default", Align::kRight}, {"Meaning", Align::kLeft}});
  table.add_row({"sigma", "0.02", "standard deviation of a perturbation"});
  table.add_row({"pairs", "2048", "noise vectors"});
  EXPECT_EQ(table.render({Colour::kNone, false, 38}),
            "Setting  Default  Meaning\n"
            "--------------------------------------\n"
            "sigma       0.02  standard deviation\n"
            "                  of a perturbation\n"
            "pairs       2048  noise vectors\n");
}

TEST(TextTable, GoesOnBelowWithTheColumnsThatDoNotFit) {
  TextTable table({{"Name", Align::kLeft}, {"QD", Align::kRight}, {"V", Align::kRight}, {"P", Align::kRight}});
  table.add_row({"ARIA", "724.3", "465.5", "655.4"});
  EXPECT_EQ(table.render({Colour::kNone, false, 18}),
            "Name     QD      V\n"
            "------------------\n"
            "ARIA  724.3  465.5\n"
            "\n"
            "Name      P\n"
            "-----------\n"
            "ARIA  655.4\n");
}

TEST(TextTable, NeverCutsNumbers) {
  TextTable table({{"A", Align::kRight}, {"B", Align::kRight}});
  table.add_row({"1234567890", "1234567890"});
  EXPECT_THAT(table.render({Colour::kNone, false, 10}), ::testing::HasSubstr("1234567890  1234567890\n"));
}

TEST(TextTable, CleansItsCells) {
  TextTable table({{"A", Align::kLeft}});
  table.add_row({"x\x1b[31m\ny"});
  EXPECT_EQ(table.render(kAscii), "A\n--------\nx?[31m y\n");
}

TEST(TextTable, RejectsARowOfTheWrongLength) {
  TextTable table({{"A", Align::kLeft}, {"B", Align::kLeft}});
  try {
    table.add_row({"1"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "the number of cells in a table's row must be 2, one per column, got 1");
  }
  EXPECT_THROW(TextTable({}), InputError);
}

TEST(TextTable, IsATableOfMarkdownToo) {
  TextTable table({{"name", Align::kLeft}, {"value", Align::kRight}, {"mark", Align::kCentre}});
  table.add_row({"a|b", "1", "x\ny"});
  EXPECT_EQ(table.markdown(), "| name | value | mark |\n|---|---:|:---:|\n| a\\|b | 1 | x y |\n");
}

}  // namespace
}  // namespace aria
