// Shows how far a run is while it runs: on a terminal one line that is redrawn in place, elsewhere a line now and then.
#pragma once

#include <cstddef>
#include <cstdio>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "aria/report/progress_line.hpp"
#include "aria/report/terminal.hpp"

namespace aria {

class ProgressDisplay {
 public:
  enum class Mode { kQuiet, kLines, kRedraw };
  using Clock = std::function<double()>;  // s since some moment

  static constexpr double kRedrawInterval = 0.1;  // s
  static constexpr double kLineInterval = 10;     // s

  // What suits a stream: redrawn on a terminal that can, lines elsewhere.
  static Mode mode_for(std::FILE* out, bool quiet);
  static double steady_clock();

  // `out` must outlive the display. Not for several threads at once.
  ProgressDisplay(std::FILE* out, Mode mode, TerminalStyle style, Clock clock = steady_clock);
  ~ProgressDisplay() { finish(); }
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  // Cheap enough to be called at every step: most calls only read the clock.
  void update(const ProgressSample& sample);

  // The same with a line that the caller makes, where one is due: of at most `width` columns, or for a log.
  using LineMaker = std::function<std::string(std::optional<std::size_t> width)>;
  void update_line(const LineMaker& make);

  // Writes a line of its own above the display, for a warning during a run. Also in quiet mode.
  void print_line(std::string_view line);

  // Leaves no trace of the line that is redrawn; a later update begins a new one.
  void finish();

 private:
  struct Moment {
    double time = 0;  // s
    std::size_t done = 0;
  };

  bool due(double now);
  void show(const LineMaker& make);
  void measure(double now, const ProgressSample& sample);
  std::optional<double> rate() const;
  void write(std::string_view text);

  std::FILE* out_;
  Mode mode_;
  TerminalStyle style_;
  Clock clock_;
  std::optional<double> start_;      // s, of the first update
  double next_ = 0;                  // s, when to draw again
  std::string phase_;                // that the moments are of
  std::deque<Moment> moments_;       // of the last seconds, oldest first
  std::optional<std::string> line_;  // that stands on the terminal
};

}  // namespace aria
