#include "aria/run/experiment.hpp"

#include <utility>

#include "aria/core/require.hpp"
#include "aria/evaluation/evaluator.hpp"
#include "aria/persistence/archive_file.hpp"
#include "aria/persistence/atomic_file.hpp"
#include "aria/persistence/file_error.hpp"
#include "aria/run/correction.hpp"
#include "aria/run/run_folder.hpp"
#include "aria/run/run_loop.hpp"

namespace aria {

namespace {

// What an archive says about how it was made: everything that its bytes depend on, and nothing else.
std::map<std::string, std::string> provenance(const ResolvedConfig& config) {
  std::map<std::string, std::string> result = {
      {"algorithm", config.algorithm}, {"seed", fmt::format("{}", config.seed)}, {"preset", config.preset}};
  for (const auto* settings : {&config.task_settings, &config.algorithm_settings}) {
    for (const ResolvedSetting& setting : *settings) result["setting." + setting.name] = setting.value;
  }
  return result;
}

ArchiveTable labelled(ArchiveTable table, const ResolvedConfig& config) {
  table.task = config.task;
  table.provenance = provenance(config);
  return table;
}

void note(const ExperimentHooks& hooks, const std::string& text) {
  if (hooks.note) hooks.note(text);
}

bool stopped(const ExperimentHooks& hooks) { return hooks.stop && hooks.stop(); }

// Re-evaluates an archive, with progress; nothing where it was interrupted.
std::optional<Correction> correct_with_progress(const ArchiveTable& table, Evaluator& evaluator,
                                                const ResolvedConfig& config, const char* phase,
                                                const ExperimentHooks& hooks) {
  const std::size_t planned = table.size() * config.reevaluations;
  Correction correction = correct(table, evaluator, {config.reevaluations, false}, config.seed, [&](std::size_t done) {
    if (hooks.progress) hooks.progress([&] { return StageProgress{phase, done, planned, table.size()}; });
    return !stopped(hooks);
  });
  if (correction.reevaluation.size() < table.size()) return std::nullopt;
  return correction;
}

void add_correction(RunSummary& summary, BeforeAndAfter& scores, const Correction& correction) {
  scores = correction.scores;
  summary.reevaluations += correction.reevaluation.size() * correction.reevaluation.samples;
  summary.failed_reevaluations += correction.reevaluation.failures();
  summary.reevaluation_seconds += correction.seconds;
}

// Everything after the algorithm is done: false where it was interrupted, which loses nothing.
bool add_metrics(Experiment& experiment, Evaluator& evaluator, const ResolvedConfig& config,
                 const ExperimentHooks& hooks) {
  RunSummary& summary = experiment.summary;
  const Grid grid(evaluator.info().grid);
  summary.result.illusory = illusory_scores(*experiment.archive, grid, summary.ranges);
  if (experiment.initial) {
    summary.initial = BeforeAndAfter{illusory_scores(*experiment.initial, grid, summary.ranges), std::nullopt};
  }
  if (config.reevaluations == 0) return true;
  const auto correction = correct_with_progress(*experiment.archive, evaluator, config, "re-evaluating", hooks);
  if (!correction) return false;
  add_correction(summary, summary.result, *correction);
  experiment.corrected = labelled(correction->corrected, config);
  if (experiment.initial) {
    const auto before = correct_with_progress(*experiment.initial, evaluator, config, "re-evaluating the start", hooks);
    if (!before) return false;
    add_correction(summary, *summary.initial, *before);
    experiment.initial_corrected = before->corrected;
  }
  return true;
}

// Nothing of a finished run is computed again: its files are read.
Experiment finished(const RunFolder& folder) {
  Experiment experiment;
  experiment.outcome = Experiment::Outcome::kWasDone;
  experiment.summary = naming_file(folder.summary(), [&] { return parse_summary(folder.read_summary()); });
  experiment.archive = read_archive(folder.archive());
  std::error_code error;
  if (std::filesystem::exists(folder.corrected(), error)) experiment.corrected = read_archive(folder.corrected());
  return experiment;
}

}  // namespace

Experiment run_experiment(const RunConfig& run_config, const ArchiveTable* archive,
                          const std::filesystem::path& folder_path, const ExperimentHooks& hooks) {
  ResolvedRun run = resolve(run_config, archive);
  const ResolvedConfig& config = run.config;
  const RunFolder folder(folder_path, config);
  if (folder.state() == RunFolder::State::kFinished) return finished(folder);
  if (folder.state() == RunFolder::State::kNew) folder.create();

  RunProgress progress;
  if (folder.has_checkpoint()) {
    folder.read_checkpoint(run.algorithm, progress);
    note(hooks,
         fmt::format("continuing the run in {} after {} evaluations", folder_path.string(), progress.evaluations));
  }

  // The algorithm
  LocalEvaluator evaluator(run.task);
  RunHooks loop_hooks;
  loop_hooks.stop = hooks.stop;
  if (hooks.progress) {
    loop_hooks.progress = [&](std::size_t evaluations, const AnyAlgorithm& algorithm) {
      hooks.progress([&] {
        const AlgorithmStatus status = algorithm.status();
        return StageProgress{status.phase, evaluations, status.planned_evaluations, status.cells};
      });
    };
  }
  const bool done = run_loop(run.algorithm, evaluator, progress, loop_hooks);

  // What it found, also where it was interrupted
  Experiment experiment;
  experiment.archive = labelled(run.algorithm.archive(), config);
  experiment.initial = run.algorithm.initial_archive();
  write_file_atomically(folder.progress(), progress.log.to_csv());
  if (experiment.archive->size() > 0) write_archive(folder.archive(), *experiment.archive);
  RunSummary& summary = experiment.summary;
  summary.task = config.task;
  summary.algorithm = config.algorithm;
  summary.seed = config.seed;
  summary.evaluations = progress.evaluations;
  summary.failed = progress.failed;
  summary.seconds = progress.seconds;
  summary.first_error = evaluator.first_error();
  summary.ranges = fixed_ranges(run.task->info());
  summary.cells_in_all = Grid(run.task->info().grid).cells();
  if (!done) {
    folder.write_checkpoint(run.algorithm, progress);
    experiment.outcome = Experiment::Outcome::kInterrupted;
    return experiment;
  }
  if (experiment.archive->size() == 0) {
    throw std::runtime_error(fmt::format("no solution could be kept: {} of {} evaluations failed{}{}", progress.failed,
                                         progress.evaluations,
                                         summary.first_error.empty() ? "" : ", first with: ", summary.first_error));
  }

  // What it is worth
  if (!add_metrics(experiment, evaluator, config, hooks)) {
    folder.write_checkpoint(run.algorithm, progress);
    experiment.outcome = Experiment::Outcome::kInterrupted;
    return experiment;
  }
  if (experiment.initial) {
    write_archive(folder.initial(), archive == nullptr ? labelled(*experiment.initial, config) : *experiment.initial);
  }
  if (experiment.corrected && experiment.corrected->size() > 0) {
    write_archive(folder.corrected(), *experiment.corrected);
  }
  // last: its presence says that the run is finished
  write_file_atomically(folder.summary(), summary.to_json());
  folder.remove_checkpoint();
  return experiment;
}

}  // namespace aria
