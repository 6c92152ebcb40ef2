// What an algorithm tells about itself while it runs.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace aria {

struct AlgorithmStatus {
  std::string phase;                    // what it is doing, in a word or two
  std::size_t planned_evaluations = 0;  // of the whole run, as far as is known
  std::size_t cells = 0;                // filled so far
  double best_fitness = 0;              // believed, of a run that has any cell
  std::size_t phase_evaluations = 0;    // of this phase, where it is followed more closely than the whole; else 0
  std::size_t memory_bytes = 0;         // that it will take beside its archive; 0: not worth telling
  // What else there is to follow while it goes on, such as how well a learner does: names of [a-z_], and numbers.
  std::vector<std::pair<std::string, double>> figures = {};
};

}  // namespace aria
