#include "aria/report/progress.hpp"

#include <chrono>
#include <utility>

namespace aria {

namespace {

constexpr double kRateWindow = 10;       // s: long enough to be steady, short enough to follow a change
constexpr double kShortestWindow = 0.5;  // s: a rate from less is a guess
constexpr std::string_view kClearLine = "\r\x1b[K";

}  // namespace

ProgressDisplay::Mode ProgressDisplay::mode_for(std::FILE* out, bool quiet) {
  if (quiet) return Mode::kQuiet;
  return can_redraw(fileno(out)) ? Mode::kRedraw : Mode::kLines;
}

double ProgressDisplay::steady_clock() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

ProgressDisplay::ProgressDisplay(std::FILE* out, Mode mode, TerminalStyle style, Clock clock)
    : out_(out), mode_(mode), style_(style), clock_(std::move(clock)) {}

void ProgressDisplay::update(const ProgressSample& sample) {
  if (mode_ == Mode::kQuiet) return;
  const double now = clock_();
  if (!start_) measure(now, sample);
  if (!due(now)) return;
  measure(now, sample);
  const ProgressTimes times = {now - *start_, rate()};
  show([&](std::optional<std::size_t> width) {
    return width ? bar_line(sample, times, style_, *width) : plain_line(sample, times);
  });
}

void ProgressDisplay::update_line(const LineMaker& make) {
  if (mode_ != Mode::kQuiet && due(clock_())) show(make);
}

bool ProgressDisplay::due(double now) {
  if (!start_) {
    start_ = now;
    // a run that is over before the first line is due needs none
    next_ = mode_ == Mode::kLines ? now + kLineInterval : now;
  }
  if (now < next_) return false;
  next_ = now + (mode_ == Mode::kLines ? kLineInterval : kRedrawInterval);
  return true;
}

void ProgressDisplay::print_line(std::string_view line) {
  std::string text = line_ ? std::string(kClearLine) : "";
  text.append(line).append("\n");
  if (line_) text += *line_;
  write(text);
}

void ProgressDisplay::finish() {
  if (line_) write(kClearLine);
  line_.reset();
}

// Another phase works at another rate, and may count anew.
void ProgressDisplay::measure(double now, const ProgressSample& sample) {
  if (sample.phase != phase_ || (!moments_.empty() && sample.done < moments_.back().done)) moments_.clear();
  phase_ = sample.phase;
  moments_.push_back({now, sample.done});
  // the oldest moment is the last one outside the window, so that rare updates still give a rate
  while (moments_.size() > 2 && moments_[1].time <= now - kRateWindow) moments_.pop_front();
}

std::optional<double> ProgressDisplay::rate() const {
  const double seconds = moments_.back().time - moments_.front().time;
  if (seconds < kShortestWindow) return std::nullopt;
  return static_cast<double>(moments_.back().done - moments_.front().done) / seconds;
}

void ProgressDisplay::show(const LineMaker& make) {
  if (mode_ == Mode::kLines) {
    write(make(std::nullopt) + "\n");
    return;
  }
  // The window may have changed since the last time. Its last column stays free: a line that fills it makes some
  // terminals go on to the next.
  const std::size_t width = window_width(fileno(out_)).value_or(style_.width);
  line_ = make(width > 0 ? width - 1 : 0);
  write(std::string(kClearLine) + *line_);
}

// One call per change, so that no half of a line is seen. Progress that cannot be written is no reason to stop a run.
void ProgressDisplay::write(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), out_);
  std::fflush(out_);
}

}  // namespace aria
