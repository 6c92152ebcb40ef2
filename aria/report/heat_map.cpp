#include "aria/report/heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "aria/core/require.hpp"
#include "aria/report/block_average.hpp"
#include "aria/report/cell_painter.hpp"
#include "aria/report/text.hpp"

namespace aria {

namespace {

constexpr std::size_t kFrame = 2;       // columns that the frame takes
constexpr std::size_t kGap = 2;         // columns between panels
constexpr std::size_t kTextWidth = 28;  // what a title or caption may take beside a narrower map before it is wrapped
constexpr std::size_t kLongestBar = 24;
constexpr std::size_t kShortestBar = 4;

struct DrawnPanel {
  std::vector<std::string> title;
  std::vector<std::string> body;  // frame, map and captions
  std::size_t width = 0;
};

bool coloured(const TerminalStyle& style) { return style.colour != TerminalStyle::Colour::kNone; }

std::string faint(std::string_view text, const TerminalStyle& style) {
  return coloured(style) ? fmt::format("\x1b[2m{}\x1b[0m", text) : std::string(text);
}

std::string bold(std::string_view text, const TerminalStyle& style) {
  return coloured(style) ? fmt::format("\x1b[1m{}\x1b[0m", text) : std::string(text);
}

// Where a value lies on the scale. A range of one value has no ends to tell apart: all is in its middle.
std::optional<double> share_of(const std::optional<double>& value, const Range& range) {
  if (!value || !std::isfinite(*value)) return std::nullopt;
  return range.lower < range.upper ? (*value - range.lower) / (range.upper - range.lower) : 0.5;
}

// First smaller squares, then fewer of them, until the map fits.
HeatMapPanel fitted(HeatMapPanel panel, std::size_t max_width) {
  if (panel.columns * panel.cell_width <= max_width) return panel;
  const std::size_t narrower = std::max<std::size_t>(1, max_width / panel.columns);
  panel.cell_height = std::max<std::size_t>(1, panel.cell_height * narrower / panel.cell_width);
  panel.cell_width = narrower;
  if (panel.columns <= max_width) return panel;
  // the same blocks in both directions keep the shape
  const std::size_t block = (panel.columns + max_width - 1) / max_width;
  return block_average(panel, (panel.rows + block - 1) / block, max_width);
}

std::vector<std::string> draw_map(const HeatMapPanel& panel, const Range& range, const TerminalStyle& style) {
  const std::string_view side = style.unicode ? "│" : "|";
  const std::size_t width = panel.columns * panel.cell_width;
  const std::size_t height = panel.rows * panel.cell_height;
  const auto border = [&](std::string_view left, std::string_view line, std::string_view right) {
    std::string text(left);
    for (std::size_t i = 0; i < width; ++i) text += line;
    return faint(text.append(right), style);
  };
  const auto share_at = [&](std::size_t half_line, std::size_t column) -> std::optional<double> {
    if (half_line >= height) return std::nullopt;
    const std::size_t row = half_line / panel.cell_height;
    return share_of(panel.cell_values[row * panel.columns + column / panel.cell_width], range);
  };

  std::vector<std::string> lines = {style.unicode ? border("┌", "─", "┐") : border("+", "-", "+")};
  std::vector<CellPair> pairs(width);
  for (std::size_t half_line = 0; half_line < height; half_line += 2) {
    for (std::size_t c = 0; c < width; ++c) pairs[c] = {share_at(half_line, c), share_at(half_line + 1, c)};
    lines.push_back(faint(side, style) + paint_cells(pairs, style) + faint(side, style));
  }
  lines.push_back(style.unicode ? border("└", "─", "┘") : border("+", "-", "+"));
  return lines;
}

DrawnPanel draw_panel(const HeatMapPanel& original, const Range& range, const TerminalStyle& style) {
  require(original.cell_values.size() == original.rows * original.columns, "HeatMapPanel.cell_values",
          fmt::format("{} x {} values", original.rows, original.columns), original.cell_values.size());
  const HeatMapPanel panel = fitted(original, std::max(style.width, kFrame + 1) - kFrame);
  const std::string title = printable(panel.title, style.unicode);
  std::vector<std::string> captions;
  for (const std::string& caption : panel.captions) captions.push_back(printable(caption, style.unicode));
  if (panel.averaged_columns > 1 || panel.averaged_rows > 1) {
    captions.push_back(printable(
        fmt::format("squares: mean of {} × {} cells", panel.averaged_columns, panel.averaged_rows), style.unicode));
  }

  // Text may be wider than a small map, but must not keep the next panel from standing beside it
  DrawnPanel drawn;
  std::size_t text_width = display_width(title);
  for (const std::string& caption : captions) text_width = std::max(text_width, display_width(caption));
  const std::size_t frame_width = panel.columns * panel.cell_width + kFrame;
  drawn.width = std::max(frame_width, std::min({text_width, kTextWidth, style.width}));

  const auto centred = [&](std::string_view line) { return aligned(line, drawn.width, Align::kCentre); };
  for (const std::string& line : wrapped(title, drawn.width)) drawn.title.push_back(centred(bold(line, style)));
  for (const std::string& line : draw_map(panel, range, style)) drawn.body.push_back(centred(line));
  for (const std::string& caption : captions) {
    for (const std::string& line : wrapped(caption, drawn.width)) drawn.body.push_back(centred(line));
  }
  return drawn;
}

std::string without_trailing_spaces(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

// Panels side by side: frames begin on the same line, titles stand just above them.
std::string join(std::span<const DrawnPanel> panels) {
  std::size_t title_lines = 0;
  std::size_t body_lines = 0;
  for (const DrawnPanel& panel : panels) {
    title_lines = std::max(title_lines, panel.title.size());
    body_lines = std::max(body_lines, panel.body.size());
  }
  std::string text;
  for (std::size_t l = 0; l < title_lines + body_lines; ++l) {
    std::string line;
    for (const DrawnPanel& panel : panels) {
      const std::size_t first_title_line = title_lines - panel.title.size();
      const bool in_title = l >= first_title_line && l < title_lines;
      const bool in_body = l >= title_lines && l - title_lines < panel.body.size();
      if (&panel != panels.data()) line.append(kGap, ' ');
      const std::string_view part = in_title  ? panel.title[l - first_title_line]
                                    : in_body ? panel.body[l - title_lines]
                                              : std::string_view{};
      line += aligned(part, panel.width, Align::kLeft);
    }
    text += without_trailing_spaces(std::move(line)) + '\n';
  }
  return text;
}

// As many decimals as tell about a hundred values of the range apart.
std::string scale_label(double value, const Range& range) {
  const double span = range.upper - range.lower;
  const double decimals = span > 0 && std::isfinite(span) ? std::ceil(-std::log10(span)) + 1 : 2;
  if (decimals > 6 || span >= 1e6) return fmt::format("{:.3g}", value);
  const int digits = span >= 0.1 && span < 10 ? 2 : static_cast<int>(std::max(decimals, 0.0));
  const std::string text = fmt::format("{:.{}f}", value, digits);
  // a small negative number rounds to a zero with a sign
  const bool zero = text.find_first_of("123456789") == std::string::npos;
  return zero && text.front() == '-' ? text.substr(1) : text;
}

std::string draw_legend(std::span<const HeatMapPanel> panels, const HeatMapScale& scale, const TerminalStyle& style) {
  const Range actual = value_range(panels);
  const bool any = std::ranges::any_of(panels, [](const HeatMapPanel& panel) {
    return std::ranges::any_of(panel.cell_values, [](const auto& value) { return value.has_value(); });
  });
  // colours end where the range does: where values go on, the label says so
  const std::string below = any && actual.lower < scale.range.lower ? "≤ " : "";
  const std::string above = any && actual.upper > scale.range.upper ? "≥ " : "";
  const std::string left = printable(
      fmt::format("{}  {}{} ", scale.quantity, below, scale_label(scale.range.lower, scale.range)), style.unicode);
  const std::string right =
      printable(fmt::format(" {}{}", above, scale_label(scale.range.upper, scale.range)), style.unicode);
  const std::string blank = "   blank: empty cell";

  const std::size_t labels = display_width(left) + display_width(right);
  const std::size_t room = style.width > labels ? style.width - labels : 0;
  if (room < kShortestBar) return fmt::format("{}\n", fmt::join(wrapped(left + "- " + right, style.width), "\n"));
  std::vector<CellPair> bar(std::min(room, kLongestBar));
  for (std::size_t i = 0; i < bar.size(); ++i) {
    const double share = bar.size() > 1 ? static_cast<double>(i) / static_cast<double>(bar.size() - 1) : 0.5;
    bar[i] = {share, share};
  }
  const bool fits = room >= bar.size() + display_width(blank);
  return left + paint_cells(bar, style) + right + (fits ? blank : "") + "\n";
}

}  // namespace

Range value_range(std::span<const HeatMapPanel> panels) {
  std::optional<Range> range;
  for (const HeatMapPanel& panel : panels) {
    for (const std::optional<double>& value : panel.cell_values) {
      if (!value || !std::isfinite(*value)) continue;
      if (!range) range = Range{*value, *value};
      range->lower = std::min(range->lower, *value);
      range->upper = std::max(range->upper, *value);
    }
  }
  return range.value_or(Range{});
}

std::string draw_heat_maps(std::span<const HeatMapPanel> panels, const HeatMapScale& scale,
                           const TerminalStyle& style) {
  std::string text;
  std::vector<DrawnPanel> row;
  std::size_t used = 0;
  const auto end_row = [&] {
    if (!row.empty()) text += join(row) + '\n';
    row.clear();
    used = 0;
  };
  for (const HeatMapPanel& panel : panels) {
    DrawnPanel drawn = draw_panel(panel, scale.range, style);
    if (!row.empty() && used + kGap + drawn.width > style.width) end_row();
    used += (row.empty() ? 0 : kGap) + drawn.width;
    row.push_back(std::move(drawn));
  }
  end_row();
  return text + draw_legend(panels, scale, style);
}

}  // namespace aria
