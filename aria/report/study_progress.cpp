#include "aria/report/study_progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "aria/report/progress_line.hpp"
#include "aria/report/text.hpp"
#include "aria/report/units.hpp"

namespace aria {

namespace {

constexpr std::size_t kShortestBar = 8;
constexpr std::size_t kLongestBar = 20;
constexpr std::size_t kBarEnds = 2;

// Runs that are under way count for the part that is done.
double share_done(const StudySample& sample) {
  auto done = static_cast<double>(sample.done);
  for (const auto& run : sample.running) done += run.share;
  return sample.runs == 0 ? 1 : std::min(1.0, done / static_cast<double>(sample.runs));
}

std::string counts(const StudySample& sample) { return fmt::format("{} of {} runs", sample.done, sample.runs); }

// Rounded down: 100 % is said when all is done.
std::string percent(double share) { return fmt::format("{:.0f} %", std::floor(share * 100)); }

std::string time_left(const StudySample& sample) {
  return sample.seconds_left ? human_duration(*sample.seconds_left) + " left" : "";
}

// As many names as fit.
std::string running_text(const StudySample& sample, std::size_t width, bool unicode) {
  std::string text;
  for (std::size_t i = 0; i < sample.running.size(); ++i) {
    const auto& run = sample.running[i];
    const std::string more =
        fmt::format("{}{} ({:>4})", i > 0 ? ", " : "", printable(run.name, unicode), percent(run.share));
    const std::size_t behind = sample.running.size() - i - 1;
    const std::string rest = behind > 0 ? fmt::format(", {} more", behind) : "";
    if (display_width(text) + display_width(more) + display_width(rest) > width) {
      return i > 0 ? text + fmt::format(", {} more", behind + 1) : "";
    }
    text += more;
  }
  return text;
}

}  // namespace

std::string study_bar_line(const StudySample& sample, const TerminalStyle& style, std::size_t width) {
  const double share = share_done(sample);
  // figures take the same room as they grow, so that nothing jumps
  const std::string left =
      aligned(counts(sample), display_width(fmt::format("{0} of {0} runs", sample.runs)), Align::kRight);
  const std::string right = fmt::format("{:>5}  {}", percent(share), aligned(time_left(sample), 15, Align::kLeft));
  const std::size_t figures = display_width(left + right);
  if (figures > width) return shortened(left, width);

  // the names of what is running come before a long bar
  const std::size_t least = figures + 1 + kBarEnds + kShortestBar;
  const std::string running = least + 2 < width ? running_text(sample, width - least - 2, style.unicode) : "";
  const std::size_t names = running.empty() ? 0 : display_width(running) + 2;
  std::string line = left;
  if (least <= width) {
    line += " " + draw_bar(share, std::min(kLongestBar, kShortestBar + width - least - names), style);
  }
  line += right;
  if (!running.empty()) return line + "  " + running;
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string study_plain_line(const StudySample& sample) {
  std::string text = fmt::format("{}, {}", counts(sample), percent(share_done(sample)));
  if (sample.seconds_left) text += ", " + time_left(sample);
  for (std::size_t i = 0; i < sample.running.size(); ++i) {
    const auto& run = sample.running[i];
    text +=
        fmt::format("{}{} ({}{}{})", i == 0 ? "; now " : ", ", printable(run.name, true), printable(run.phase, true),
                    run.phase.empty() ? "" : " ", percent(run.phase_share.value_or(run.share)));
  }
  return text;
}

}  // namespace aria
