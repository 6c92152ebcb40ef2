// Runs many runs, side by side.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "aria/run/experiment.hpp"
#include "aria/run/study_folder.hpp"

namespace aria {

// How far a study is.
struct StudyProgress {
  struct Running {
    std::string algorithm;
    std::uint64_t seed = 0;
    std::string phase;
    double share = 0;                        // that is done, 0 .. 1
    std::optional<double> phase_share = {};  // likewise of a first phase whose evaluations cost more than the others
  };

  std::size_t runs = 0;  // in all
  std::size_t done = 0;
  std::vector<Running> running;
  std::optional<double> seconds_left;
};

// All may be left out. They are called from several threads, but never two at a time; `stop` may be.
struct StudyHooks {
  std::function<void(const StudyProgress&)> progress;
  std::function<void(const PlannedRun&, const RunSummary&, const StudyProgress&)> finished;  // a run, just now
  std::function<void(const PlannedRun&, const std::string& why)> failed;
  std::function<void(const std::string&)> note;
  std::function<bool()> stop;  // true: runs write their checkpoints, no other begins
  CheckpointPace pace;         // of every run
};

struct StudyRuns {
  std::size_t finished = 0;  // in all, with those of before
  std::size_t started = 0;   // or continued, this time
  std::vector<std::size_t> failed;
  bool interrupted = false;
};

// Does what is not finished of `runs`, below `root`. While there are as many of them as threads, each keeps to one
// thread, which wastes nothing on waiting for each other; the last ones share the threads that become idle. A run is
// the same either way. One that fails is told and does not stop the others. `runs` are updated.
StudyRuns do_runs(std::vector<PlannedRun>& runs, const std::filesystem::path& root, const StudyHooks& hooks);

}  // namespace aria
