#include "aria/report/cell_painter.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "aria/report/colour_map.hpp"

namespace aria {

namespace {

constexpr std::string_view kShades[] = {"░", "▒", "▓", "█"};
constexpr std::string_view kAsciiRamp = ".:-=+*#%@";
constexpr std::string_view kUpperHalf = "▀";
constexpr std::string_view kLowerHalf = "▄";

std::optional<double> mean_of_filled(const CellPair& pair) {
  if (pair.upper && pair.lower) return (*pair.upper + *pair.lower) / 2;
  return pair.upper ? pair.upper : pair.lower;
}

// Which of `levels` equal parts of the scale a share is in.
std::size_t level_of(double share, std::size_t levels) {
  const double position = share > 0 ? std::min(share, 1.0) * static_cast<double>(levels) : 0;
  return std::min(static_cast<std::size_t>(position), levels - 1);
}

std::string without_colour(const CellPair& pair, bool unicode) {
  const std::optional<double> share = mean_of_filled(pair);
  if (!share) return " ";
  if (unicode) return std::string(kShades[level_of(*share, std::size(kShades))]);
  return {kAsciiRamp[level_of(*share, kAsciiRamp.size())]};
}

struct Painted {
  std::string colours;  // parameters of the escape sequence, empty for the terminal's own
  std::string_view character = " ";
};

Painted with_colour(const CellPair& pair, const TerminalStyle& style) {
  const auto foreground = [&](double share) { return foreground_code(share, style.colour); };
  const auto background = [&](double share) { return background_code(share, style.colour); };
  if (!pair.upper && !pair.lower) return {};
  if (!style.unicode) return {background(*mean_of_filled(pair)), " "};
  if (!pair.lower) return {foreground(*pair.upper), kUpperHalf};
  if (!pair.upper) return {foreground(*pair.lower), kLowerHalf};
  return {foreground(*pair.upper) + ";" + background(*pair.lower), kUpperHalf};
}

}  // namespace

std::string paint_cells(std::span<const CellPair> pairs, const TerminalStyle& style) {
  std::string line;
  std::string colours;  // in force
  for (const CellPair& pair : pairs) {
    if (style.colour == TerminalStyle::Colour::kNone) {
      line += without_colour(pair, style.unicode);
      continue;
    }
    const Painted painted = with_colour(pair, style);
    // each sequence starts from the terminal's own colours: what the one before has set must not shine through
    if (painted.colours != colours) line += painted.colours.empty() ? "\x1b[0m" : "\x1b[0;" + painted.colours + "m";
    colours = painted.colours;
    line += painted.character;
  }
  return colours.empty() ? line : line + "\x1b[0m";
}

}  // namespace aria
