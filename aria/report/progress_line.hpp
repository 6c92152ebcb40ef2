// How far a run is, in one line of text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "aria/report/terminal.hpp"

namespace aria {

struct ProgressSample {
  std::string phase;                      // what the run is doing, such as "improving"
  std::size_t done = 0;                   // evaluations
  std::size_t planned = 0;                // evaluations; 0 where not known
  std::size_t cells = 0;                  // of the archive that are filled
  std::vector<std::string> details = {};  // what else there is to say, such as how well a learner does
  bool more_comes = false;                // what is planned is the phase's alone: others follow, at rates of their own
};

struct ProgressTimes {
  double elapsed = 0;          // s
  std::optional<double> rate;  // evaluations per second, lately
};

// With a bar that takes the room there is. Where there is little, the less important parts are left out: the line never
// takes more than `width` columns.
std::string bar_line(const ProgressSample& sample, const ProgressTimes& times, const TerminalStyle& style,
                     std::size_t width);

// The bar alone; its ends take two columns beside `length`. `share` is from 0 to 1.
std::string draw_bar(double share, std::size_t length, const TerminalStyle& style);

// Everything, in ASCII but for the phase, for logs.
std::string plain_line(const ProgressSample& sample, const ProgressTimes& times);

}  // namespace aria
