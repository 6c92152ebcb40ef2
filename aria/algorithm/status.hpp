// What an algorithm tells about itself while it runs.
#pragma once

#include <cstddef>
#include <string>

namespace aria {

struct AlgorithmStatus {
  std::string phase;                    // what it is doing, in a word or two
  std::size_t planned_evaluations = 0;  // of the whole run, as far as is known
  std::size_t cells = 0;                // filled so far
  double best_fitness = 0;              // believed, of a run that has any cell
};

}  // namespace aria
