// The loop that runs any algorithm on any evaluator: ask, evaluate, tell.
#pragma once

#include <cstddef>
#include <functional>

#include "aria/algorithm/any_algorithm.hpp"
#include "aria/evaluation/evaluator.hpp"
#include "aria/run/checkpoint_pace.hpp"
#include "aria/run/progress_log.hpp"

namespace aria {

struct RunProgress;

// What happens around the loop; all may be left out.
struct RunHooks {
  // Called after every step with the evaluations done so far; cheap when there is nothing to show.
  std::function<void(std::size_t evaluations, const AnyAlgorithm& algorithm)> progress;
  // Asked after every step; true ends the run there.
  std::function<bool()> stop;
  // Called after a step when a checkpoint is due.
  std::function<void(const AnyAlgorithm& algorithm, const RunProgress& progress)> checkpoint;
  CheckpointPace pace;
};

// How far a run has come; what a checkpoint holds beside the algorithm.
struct RunProgress {
  std::size_t evaluations = 0;
  std::size_t failed = 0;  // evaluations that gave no finite result
  ProgressLog log;
  double seconds = 0;

  State save() const;
  void load(const State& state);
};

// Goes on from where `progress` stands until the algorithm is done (true) or a hook stops it (false).
bool run_loop(AnyAlgorithm& algorithm, Evaluator& evaluator, RunProgress& progress, const RunHooks& hooks);

}  // namespace aria
