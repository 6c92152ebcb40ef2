// A whole run: algorithm, metrics, files. What `aria run` and `aria improve` do, without the screen.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "aria/archive/archive_table.hpp"
#include "aria/archive/reevaluation_table.hpp"
#include "aria/evaluation/evaluator.hpp"
#include "aria/run/checkpoint_pace.hpp"
#include "aria/run/configuration.hpp"
#include "aria/run/summary.hpp"

namespace aria {

// How far the present stage is; `planned` may be 0 where it is not known.
struct StageProgress {
  std::string phase;
  std::size_t done = 0;
  std::size_t planned = 0;
  std::size_t cells = 0;
  std::vector<std::pair<std::string, double>> figures = {};  // of the algorithm
  bool metrics = false;                                      // the algorithm is done, and this counts anew
  std::size_t phase_planned = 0;  // evaluations at which a phase ends that is followed more closely; 0: there is none
};

struct ExperimentHooks {
  // Called often; `make` gives the figures, which costs something, so ask for them only when they will be shown.
  std::function<void(const std::function<StageProgress()>& make)> progress;
  std::function<bool()> stop;                    // true: stop as soon as possible and keep what there is
  std::function<void(const std::string&)> note;  // something worth telling, such as that a run is continued
  CheckpointPace pace;
};

struct Experiment {
  enum class Outcome { kDone, kWasDone, kInterrupted };
  Outcome outcome = Outcome::kDone;
  RunSummary summary;  // of a finished run
  std::optional<ArchiveTable> archive;
  std::optional<ArchiveTable> corrected;
  std::optional<ArchiveTable> initial;  // what the algorithm started from
  std::optional<ArchiveTable> initial_corrected;
  std::optional<Reevaluation> reevaluation;  // of `archive`, with some of its samples
  std::optional<Reevaluation> initial_reevaluation;
};

// Runs into `folder`, continuing what is there. `archive` is what the user brings, for `aria improve`.
Experiment run_experiment(const RunConfig& config, const ArchiveTable* archive, const std::filesystem::path& folder,
                          const ExperimentHooks& hooks);

// The same with a task and an algorithm that are made already, whatever they are.
Experiment run_experiment(ResolvedRun run, const std::filesystem::path& folder, const ExperimentHooks& hooks);

// The same with an evaluator of the caller's, whose exceptions end the run and leave a checkpoint behind.
Experiment run_experiment(ResolvedRun run, Evaluator& evaluator, const std::filesystem::path& folder,
                          const ExperimentHooks& hooks);

}  // namespace aria
