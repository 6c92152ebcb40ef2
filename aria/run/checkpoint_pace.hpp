// How often a run writes down how far it has come.
#pragma once

#include <algorithm>

namespace aria {

struct CheckpointPace {
  double every = 60;    // s
  double share = 0.01;  // of the time, that writing may take at most: a large state is written less often

  // From the end of one checkpoint, which took so long to write, to the next.
  double pause(double writing_seconds) const { return std::max(every, writing_seconds / share); }
};

}  // namespace aria
