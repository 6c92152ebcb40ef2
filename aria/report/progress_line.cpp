#include "aria/report/progress_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "aria/report/colour_map.hpp"
#include "aria/report/text.hpp"
#include "aria/report/units.hpp"

namespace aria {

namespace {

constexpr std::size_t kShortestBar = 6;
constexpr std::size_t kLongestBar = 30;
constexpr std::size_t kBarEnds = 2;
constexpr std::string_view kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};

// Which parts a line has, and how it spells them.
struct Layout {
  bool phase = true;
  bool bar = true;
  bool counts = true;
  bool unit = true;  // of the counts
  bool rate = true;
  bool time = true;
  bool cells = true;
  std::size_t details = 0;  // as many as there are, or fewer
  bool steady = true;       // numbers take the same room as they grow, so that nothing jumps
};

// From everything to the least that is worth showing.
std::vector<Layout> layouts(std::size_t details) {
  std::vector<Layout> result(1);
  result.back().details = details;
  const auto leave_out = [&](std::initializer_list<bool Layout::*> parts) {
    for (const auto part : parts) {
      Layout less = result.back();
      less.*part = false;
      result.push_back(less);
    }
  };
  leave_out({&Layout::unit, &Layout::rate});
  if (details > 0) {
    const Layout before = result.back();
    leave_out({&Layout::bar});
    for (std::size_t fewer = details - 1; fewer > 0; --fewer) {
      result.push_back(result.back());
      result.back().details = fewer;
    }
    leave_out({&Layout::phase});
    result.push_back(before);
    result.back().details = 0;
  }
  leave_out({&Layout::cells, &Layout::counts, &Layout::bar, &Layout::time, &Layout::phase});
  return result;
}

// Nothing where it is not known. A run that does more than it planned is at its end.
std::optional<double> share_done(const ProgressSample& sample) {
  if (sample.planned == 0) return std::nullopt;
  return std::min(1.0, static_cast<double>(sample.done) / static_cast<double>(sample.planned));
}

std::string counts_text(const ProgressSample& sample, const Layout& layout) {
  const auto count = [&](std::size_t n) {
    return aligned(human_count(static_cast<double>(n)), layout.steady ? 6 : 0, Align::kRight);
  };
  std::string text = count(sample.done);
  if (sample.planned > 0) text += " / " + human_count(static_cast<double>(std::max(sample.planned, sample.done)));
  return layout.unit ? text + " evaluations" : text;
}

std::string time_text(const ProgressSample& sample, const ProgressTimes& times, const Layout& layout) {
  std::string text;
  if (sample.planned == 0) {
    text = human_duration(std::floor(times.elapsed)) + " so far";
  } else if (times.rate && *times.rate > 0 && sample.planned > sample.done) {
    text = human_duration(static_cast<double>(sample.planned - sample.done) / *times.rate) + " left";
    if (sample.more_comes) text += " in this phase";
  }
  return layout.steady ? aligned(text, 15, Align::kLeft) : text;
}

// What stands before the bar and what behind it.
std::pair<std::string, std::string> texts_around_bar(const ProgressSample& sample, const ProgressTimes& times,
                                                     const Layout& layout) {
  std::vector<std::string> parts;
  // rounded down: 100 % is said when all is done
  if (const auto share = share_done(sample)) parts.push_back(fmt::format("{:3.0f} %", std::floor(*share * 100)));
  if (layout.counts) parts.push_back(counts_text(sample, layout));
  if (layout.rate) {
    parts.push_back(aligned(times.rate ? human_rate(*times.rate, "") : "", layout.steady ? 8 : 0, Align::kRight));
  }
  if (layout.cells) parts.push_back(fmt::format("{} cells", sample.cells));
  for (std::size_t i = 0; i < layout.details; ++i) parts.push_back(sample.details[i]);
  if (layout.time) parts.push_back(time_text(sample, times, layout));
  std::erase(parts, "");
  return {layout.phase ? sample.phase : "", fmt::format("{}", fmt::join(parts, "  "))};
}

}  // namespace

std::string draw_bar(double share, std::size_t length, const TerminalStyle& style) {
  const double position = share * static_cast<double>(length);
  const std::size_t full = std::min(static_cast<std::size_t>(position), length);
  const auto eighths = static_cast<std::size_t>((position - static_cast<double>(full)) * 8);
  std::string bar;
  for (std::size_t i = 0; i < full; ++i) bar += style.unicode ? "█" : "#";
  const std::string_view tip = style.unicode && full < length ? kEighths[eighths] : "";
  bar += tip;
  bar.append(length - full - (tip.empty() ? 0 : 1), ' ');
  if (style.colour != TerminalStyle::Colour::kNone) {
    bar = fmt::format("\x1b[{}m{}\x1b[0m", foreground_code(0.6, style.colour), bar);
  }
  return style.unicode ? "▕" + bar + "▏" : "[" + bar + "]";
}

std::string bar_line(const ProgressSample& sample, const ProgressTimes& times, const TerminalStyle& style,
                     std::size_t width) {
  ProgressSample cleaned = sample;
  cleaned.phase = printable(sample.phase, style.unicode);
  for (std::string& detail : cleaned.details) detail = printable(detail, style.unicode);
  const std::optional<double> share = share_done(sample);
  for (const Layout& layout : layouts(cleaned.details.size())) {
    auto [before, after] = texts_around_bar(cleaned, times, layout);
    const bool bar = layout.bar && share;
    if (!before.empty() && (bar || !after.empty())) before += bar ? " " : "  ";
    // beside a bar, the room that a longer time would take is left free: neither the bar nor the parts shown then
    // change
    const std::size_t padded = display_width(before) + display_width(after) + kBarEnds;
    after.erase(after.find_last_not_of(' ') + 1);
    const std::size_t least = bar ? padded + kShortestBar : display_width(before) + display_width(after);
    if (least == 0 || least > width) continue;
    if (bar) before += draw_bar(*share, std::min(width - padded, kLongestBar), style);
    return before.append(after);
  }
  return shortened(cleaned.phase, width);
}

std::string plain_line(const ProgressSample& sample, const ProgressTimes& times) {
  ProgressSample cleaned = sample;
  cleaned.phase = printable(sample.phase, true);
  for (std::string& detail : cleaned.details) detail = printable(detail, true);
  Layout layout;
  layout.details = cleaned.details.size();
  layout.steady = false;
  const auto [before, after] = texts_around_bar(cleaned, times, layout);
  return before + "  " + after;
}

}  // namespace aria
