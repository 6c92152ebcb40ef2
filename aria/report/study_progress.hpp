// How far a study is, in one line of text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "aria/report/terminal.hpp"

namespace aria {

struct StudySample {
  struct Running {
    std::string name;                        // such as "aria-me 3"
    std::string phase;                       // such as "improving"
    double share = 0;                        // that is done, 0 .. 1
    std::optional<double> phase_share = {};  // likewise of the phase, where that is told besides
  };

  std::size_t runs = 0;  // in all
  std::size_t done = 0;
  std::vector<Running> running;
  std::optional<double> seconds_left;
};

// With a bar. What does not fit is left out: some names of what is running, then all, then the bar.
std::string study_bar_line(const StudySample& sample, const TerminalStyle& style, std::size_t width);

// Everything, for logs.
std::string study_plain_line(const StudySample& sample);

}  // namespace aria
