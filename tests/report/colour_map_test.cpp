#include "aria/report/colour_map.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace aria {
namespace {

double luminance(Rgb colour) { return 0.2126 * colour.red + 0.7152 * colour.green + 0.0722 * colour.blue; }

TEST(ColourMap, RunsFromVioletToYellow) {
  EXPECT_EQ(viridis(0), (Rgb{68, 1, 84}));
  EXPECT_EQ(viridis(1), (Rgb{253, 231, 37}));
  EXPECT_EQ(viridis_of_palette(0), 53);
  EXPECT_EQ(viridis_of_palette(1), 220);
}

TEST(ColourMap, InterpolatesBetweenItsAnchors) { EXPECT_EQ(viridis(0.5), (Rgb{33, 144, 141})); }

TEST(ColourMap, GrowsLighterAllTheWay) {
  // but for the rounding of each component
  for (int i = 0; i < 255; ++i) EXPECT_LT(luminance(viridis(i / 255.0)), luminance(viridis((i + 1) / 255.0)) + 0.5);
}

TEST(ColourMap, EndsWhereTheScaleEnds) {
  EXPECT_EQ(viridis(-3), viridis(0));
  EXPECT_EQ(viridis(3), viridis(1));
  EXPECT_EQ(viridis(std::numeric_limits<double>::quiet_NaN()), viridis(0));
  EXPECT_EQ(viridis_of_palette(std::numeric_limits<double>::infinity()), 220);
}

TEST(ColourMap, SpellsEscapeSequences) {
  EXPECT_EQ(foreground_code(0, TerminalStyle::Colour::kTrue), "38;2;68;1;84");
  EXPECT_EQ(background_code(0, TerminalStyle::Colour::kTrue), "48;2;68;1;84");
  EXPECT_EQ(foreground_code(0, TerminalStyle::Colour::k256), "38;5;53");
  EXPECT_EQ(background_code(1, TerminalStyle::Colour::k256), "48;5;220");
  EXPECT_EQ(foreground_code(1, TerminalStyle::Colour::kNone), "");
}

}  // namespace
}  // namespace aria
