#include "aria/report/heat_map.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <sstream>

#include "aria/report/text.hpp"

namespace aria {
namespace {

using ::testing::HasSubstr;
using Colour = TerminalStyle::Colour;

constexpr std::optional<double> kEmpty = std::nullopt;
constexpr TerminalStyle kAscii{Colour::kNone, false, 80};
constexpr TerminalStyle kUnicode{Colour::kNone, true, 80};
constexpr TerminalStyle k256{Colour::k256, true, 80};
constexpr TerminalStyle kTrue{Colour::kTrue, true, 80};
const HeatMapScale kFitness{"fitness", {0, 1}};

// Each way in which a character can be filled: both cells, the upper one, the lower one, none.
HeatMapPanel small_panel() {
  HeatMapPanel panel;
  panel.title = "Map";
  panel.captions = {"all"};
  panel.cell_values = {0.0, 0.0, kEmpty, kEmpty, 1.0, kEmpty, 1.0, kEmpty};
  panel.rows = 2;
  panel.columns = 4;
  return panel;
}

std::string drawn(const std::vector<HeatMapPanel>& panels, const TerminalStyle& style) {
  return draw_heat_maps(panels, kFitness, style);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::size_t widest(const std::string& text) {
  std::size_t width = 0;
  for (const std::string& line : lines_of(text)) width = std::max(width, display_width(line));
  return width;
}

TEST(HeatMap, IsDrawnInAscii) {
  EXPECT_EQ(drawn({small_panel()}, kAscii),
            " Map\n"
            "+----+\n"
            "|+.@ |\n"
            "+----+\n"
            " all\n"
            "\n"
            "fitness  0.00 ...:::--===++***##%%%@@@ 1.00   blank: empty cell\n");
}

TEST(HeatMap, IsDrawnInShades) {
  EXPECT_EQ(drawn({small_panel()}, kUnicode),
            " Map\n"
            "┌────┐\n"
            "│▓░█ │\n"
            "└────┘\n"
            " all\n"
            "\n"
            "fitness  0.00 ░░░░░░▒▒▒▒▒▒▓▓▓▓▓▓██████ 1.00   blank: empty cell\n");
}

TEST(HeatMap, IsDrawnInTrueColourWithTwoCellsPerCharacter) {
  const std::vector<std::string> lines = lines_of(drawn({small_panel()}, kTrue));
  EXPECT_EQ(lines[0], " \x1b[1mMap\x1b[0m");
  EXPECT_EQ(lines[1], "\x1b[2m┌────┐\x1b[0m");
  EXPECT_EQ(lines[2],
            "\x1b[2m│\x1b[0m"
            "\x1b[0;38;2;68;1;84;48;2;253;231;37m▀"
            "\x1b[0;38;2;68;1;84m▀"
            "\x1b[0;38;2;253;231;37m▄"
            "\x1b[0m "
            "\x1b[2m│\x1b[0m");
  EXPECT_THAT(lines[6], ::testing::StartsWith("fitness  0.00 \x1b[0;38;2;68;1;84;48;2;68;1;84m▀"));
  EXPECT_THAT(lines[6], HasSubstr("38;2;253;231;37;48;2;253;231;37m▀\x1b[0m 1.00"));
}

TEST(HeatMap, IsDrawnInThePaletteOf256) {
  EXPECT_EQ(lines_of(drawn({small_panel()}, k256))[2],
            "\x1b[2m│\x1b[0m\x1b[0;38;5;53;48;5;220m▀\x1b[0;38;5;53m▀\x1b[0;38;5;220m▄\x1b[0m \x1b[2m│\x1b[0m");
}

TEST(HeatMap, PaintsBackgroundsWhereThereAreColoursButNoBlocks) {
  EXPECT_EQ(lines_of(drawn({small_panel()}, {Colour::k256, false, 80}))[2],
            "\x1b[2m|\x1b[0m\x1b[0;48;5;36m \x1b[0;48;5;53m \x1b[0;48;5;220m \x1b[0m \x1b[2m|\x1b[0m");
}

TEST(HeatMap, LeavesTheLowerHalfOfAnOddLastRowBlank) {
  HeatMapPanel panel{"", {}, {1.0}, 1, 1};
  EXPECT_EQ(lines_of(drawn({panel}, k256))[2], "\x1b[2m│\x1b[0m\x1b[0;38;5;220m▀\x1b[0m\x1b[2m│\x1b[0m");
}

TEST(HeatMap, TakesWhatIsNotFiniteForEmpty) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const HeatMapPanel panel{"", {}, {nan, infinity, 1.0}, 1, 3};
  EXPECT_EQ(lines_of(drawn({panel}, kAscii))[2], "|  @|");
  EXPECT_EQ(value_range(std::vector{panel}).upper, 1.0);
}

TEST(HeatMap, DrawsLargerCells) {
  HeatMapPanel panel{"", {}, {0.0, 1.0}, 1, 2};
  panel.cell_width = 3;
  panel.cell_height = 3;
  const std::vector<std::string> lines = lines_of(drawn({panel}, kAscii));
  EXPECT_EQ(lines[2], "|...@@@|");
  EXPECT_EQ(lines[3], "|...@@@|");
  EXPECT_EQ(lines[4], "+------+");
}

TEST(HeatMap, PutsPanelsSideBySideAsFarAsTheyFit) {
  const HeatMapPanel panel{"A", {"caption"}, std::vector<std::optional<double>>(32 * 32, 0.5), 32, 32};
  const std::vector<HeatMapPanel> three(3, panel);
  EXPECT_EQ(lines_of(drawn(three, {Colour::kNone, true, 105})).size(), 2u * 20 + 3);
  EXPECT_EQ(lines_of(drawn(three, {Colour::kNone, true, 106})).size(), 20u + 2);
  EXPECT_EQ(lines_of(drawn(three, kUnicode)).size(), 2u * 21 + 1);
  EXPECT_EQ(widest(drawn(three, {Colour::kTrue, true, 106})), 106u);
  EXPECT_EQ(widest(drawn(three, {Colour::kTrue, true, 105})), 70u);
}

TEST(HeatMap, AlignsFramesOfPanelsThatDiffer) {
  HeatMapPanel low = small_panel();
  HeatMapPanel high{"A longer title that takes two lines", {}, {0.0, 0.0, 0.0, 1.0, 1.0, 1.0}, 6, 1};
  EXPECT_EQ(drawn({low, high}, kAscii),
            "         A longer title that takes\n"
            " Map             two lines\n"
            "+----+              +-+\n"
            "|+.@ |              |.|\n"
            "+----+              |+|\n"
            " all                |@|\n"
            "                    +-+\n"
            "\n"
            "fitness  0.00 ...:::--===++***##%%%@@@ 1.00   blank: empty cell\n");
}

TEST(HeatMap, ReducesWhatIsWiderThanTheTerminal) {
  HeatMapPanel panel{"Wide", {}, std::vector<std::optional<double>>(64 * 64, 0.5), 64, 64};
  panel.cell_width = 2;
  panel.cell_height = 2;
  EXPECT_EQ(widest(drawn({panel}, kAscii)), 66u);
  const std::string narrow = drawn({panel}, {Colour::kNone, true, 40});
  EXPECT_EQ(lines_of(narrow)[1], "┌────────────────────────────────┐");
  EXPECT_THAT(narrow, HasSubstr("   squares: mean of 2 × 2 cells\n"));
  for (const std::size_t width : {3u, 10u, 20u, 39u, 66u, 129u, 130u}) {
    EXPECT_LE(widest(drawn({panel, panel}, {Colour::kTrue, true, width})), width);
  }
}

TEST(HeatMap, SaysWhereValuesGoBeyondTheScale) {
  const HeatMapPanel panel{"", {}, {-0.5, 2.0}, 1, 2};
  EXPECT_THAT(drawn({panel}, kUnicode), HasSubstr("fitness  ≤ 0.00 ░"));
  EXPECT_THAT(drawn({panel}, kUnicode), HasSubstr("█ ≥ 1.00"));
  EXPECT_THAT(drawn({panel}, kAscii), HasSubstr(">= 1.00"));
}

TEST(HeatMap, LabelsTheScaleWithAsManyDigitsAsItNeeds) {
  const auto legend = [](double lower, double upper) {
    return lines_of(draw_heat_maps(std::vector<HeatMapPanel>{}, {"f", {lower, upper}}, kAscii)).back();
  };
  EXPECT_THAT(legend(-0.25, -0.0), HasSubstr("-0.25 .")) << legend(-0.25, -0.0);
  EXPECT_THAT(legend(-0.25, -0.0), HasSubstr("@ 0.00"));
  EXPECT_THAT(legend(0, 50), HasSubstr("@ 50 "));
  EXPECT_THAT(legend(-1500, 3000), HasSubstr("-1500 ."));
  EXPECT_THAT(legend(0, 0.002), HasSubstr("@ 0.0020"));
  EXPECT_THAT(legend(0, 3e-9), HasSubstr("@ 3e-09"));
  EXPECT_THAT(legend(0, 2.5e9), HasSubstr("@ 2.5e+09"));
}

TEST(HeatMap, DrawsASingleValueInTheMiddleOfTheScale) {
  const HeatMapPanel panel{"", {}, {7.0}, 1, 1};
  const Range range = value_range(std::vector{panel});
  EXPECT_EQ(lines_of(draw_heat_maps(std::vector{panel}, {"f", range}, kAscii))[2], "|+|");
}

TEST(HeatMap, DrawsAnEmptyPanel) {
  EXPECT_EQ(lines_of(drawn({HeatMapPanel{}}, kAscii))[1], "++");
  const Range range = value_range(std::vector{HeatMapPanel{}});
  EXPECT_EQ(range.lower, 0);
  EXPECT_EQ(range.upper, 1);
}

TEST(HeatMap, CleansTitles) {
  HeatMapPanel panel = small_panel();
  panel.title = "a\x1b[2Jb";
  EXPECT_THAT(drawn({panel}, kTrue), HasSubstr("a?[2Jb"));
}

TEST(HeatMap, RejectsAPanelOfTheWrongSize) {
  HeatMapPanel panel = small_panel();
  panel.cell_values.pop_back();
  try {
    drawn({panel}, kAscii);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "HeatMapPanel.cell_values must be 2 x 4 values, got 7");
  }
}

}  // namespace
}  // namespace aria
