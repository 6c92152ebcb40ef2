#include "aria/run/experiment.hpp"

#include <algorithm>
#include <utility>

#include "aria/core/require.hpp"
#include "aria/evaluation/evaluator.hpp"
#include "aria/persistence/archive_file.hpp"
#include "aria/persistence/atomic_file.hpp"
#include "aria/persistence/file_checksum.hpp"
#include "aria/persistence/folder_lock.hpp"
#include "aria/persistence/reevaluation_file.hpp"
#include "aria/run/correction.hpp"
#include "aria/run/finished_run.hpp"
#include "aria/run/memory_note.hpp"
#include "aria/run/run_folder.hpp"
#include "aria/run/run_loop.hpp"

namespace aria {

namespace {

// Evaluations of each solution that the run keeps one by one: enough to draw as a cloud, little to store.
constexpr std::size_t kKeptSamples = 64;

// What an archive says about how it was made: everything that its bytes depend on, and nothing else.
std::map<std::string, std::string> provenance(const ResolvedConfig& config) {
  std::map<std::string, std::string> result = {
      {"algorithm", config.algorithm}, {"seed", fmt::format("{}", config.seed)}, {"preset", config.preset}};
  for (const auto* settings : {&config.task_settings, &config.algorithm_settings}) {
    for (const ResolvedSetting& setting : *settings)
      result[std::string(kRecordedSetting) + setting.name] = setting.value;
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
  Correction correction =
      correct(table, evaluator, {config.reevaluations, kKeptSamples}, config.seed, [&](std::size_t done) {
        if (hooks.progress) hooks.progress([&] { return StageProgress{phase, done, planned, table.size(), {}, true}; });
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
  auto correction = correct_with_progress(*experiment.archive, evaluator, config, "re-evaluating", hooks);
  if (!correction) return false;
  add_correction(summary, summary.result, *correction);
  experiment.corrected = labelled(std::move(correction->corrected), config);
  experiment.reevaluation = std::move(correction->reevaluation);
  if (experiment.initial) {
    auto before = correct_with_progress(*experiment.initial, evaluator, config, "re-evaluating the start", hooks);
    if (!before) return false;
    add_correction(summary, *summary.initial, *before);
    experiment.initial_corrected = std::move(before->corrected);
    experiment.initial_reevaluation = std::move(before->reevaluation);
  }
  return true;
}

// The summary goes last: its presence says that the run is finished. It knows the others by their checksums.
void write_results(Experiment& experiment, const RunFolder& folder) {
  if (experiment.initial) write_archive(folder.initial(), *experiment.initial);
  if (experiment.corrected && experiment.corrected->size() > 0) {
    write_archive(folder.corrected(), *experiment.corrected);
  }
  if (experiment.reevaluation) {
    write_reevaluation(folder.reevaluations(), *experiment.reevaluation, experiment.archive->solution);
  }
  if (experiment.initial_reevaluation) {
    write_reevaluation(folder.initial_reevaluations(), *experiment.initial_reevaluation, experiment.initial->solution);
  }
  for (const std::filesystem::path& file : folder.results()) {
    std::error_code error;
    if (std::filesystem::exists(file, error)) experiment.summary.files[file.filename().string()] = file_checksum(file);
  }
  write_file_atomically(folder.summary(), experiment.summary.to_json());
}

// Nothing of a finished run is computed again: its files are read. A checkpoint is there only where the run was killed
// at its very end.
Experiment finished(const RunFolder& folder) {
  folder.remove_checkpoint();
  FinishedRun run = read_finished_run(folder.path());
  Experiment experiment;
  experiment.outcome = Experiment::Outcome::kWasDone;
  experiment.summary = std::move(run.summary);
  const auto& scores = experiment.summary.result.corrected;
  if (scores && scores->cells > 0) experiment.corrected = read_archive(folder.corrected());
  if (run.initial_reevaluation) {
    const Reevaluation& before = *run.initial_reevaluation;
    experiment.initial_corrected = corrected_archive(*run.initial, before.grid.value(), before);
    experiment.initial_corrected->task = experiment.summary.task;
  }
  experiment.archive = std::move(run.archive);
  experiment.initial = std::move(run.initial);
  experiment.reevaluation = std::move(run.reevaluation);
  experiment.initial_reevaluation = std::move(run.initial_reevaluation);
  return experiment;
}

// What happens around the algorithm's steps: progress, checkpoints, the wish to stop.
RunHooks hooks_of_loop(const ExperimentHooks& hooks, const RunFolder& folder) {
  RunHooks result;
  result.stop = hooks.stop;
  result.pace = hooks.pace;
  result.checkpoint = [&hooks, &folder](const AnyAlgorithm& algorithm, const RunProgress& so_far) {
    try {
      folder.write_checkpoint(algorithm, so_far);
    } catch (const InputError& error) {
      note(hooks, fmt::format("{}; the run goes on, and tries again later", error.what()));
    }
  };
  if (!hooks.progress) return result;
  result.progress = [&hooks](std::size_t evaluations, const AnyAlgorithm& algorithm) {
    hooks.progress([&] {
      const AlgorithmStatus status = algorithm.status();
      return StageProgress{.phase = status.phase,
                           .done = evaluations,
                           .planned = status.planned_evaluations,
                           .cells = status.cells,
                           .figures = status.figures,
                           .phase_planned = status.phase_evaluations};
    });
  };
  return result;
}

void tell_of_memory(const AnyAlgorithm& algorithm, const ExperimentHooks& hooks) {
  const AlgorithmStatus status = algorithm.status();
  const std::string text = memory_note(status.phase + " learns", status.memory_bytes);
  if (!text.empty()) note(hooks, text);
}

// Where a run that was interrupted had come to.
RunProgress continued(AnyAlgorithm& algorithm, const RunFolder& folder, const ExperimentHooks& hooks) {
  RunProgress progress;
  if (!folder.has_checkpoint()) return progress;
  const std::string damage = folder.read_checkpoint(algorithm, progress);
  if (!damage.empty()) {
    note(hooks, fmt::format("{}; the checkpoint before it serves", damage));
    folder.remove_damaged_checkpoint();
  }
  note(hooks,
       fmt::format("continuing the run in {} after {} evaluations", folder.path().string(), progress.evaluations));
  return progress;
}

// Whatever ends the work early, the run can be continued: an exception passes on after a checkpoint. Where that cannot
// be written, the exception is still what is told in the end.
template <class Work>
bool leaving_checkpoint(const AnyAlgorithm& algorithm, const RunProgress& progress, const RunFolder& folder,
                        const ExperimentHooks& hooks, const Work& work) {
  try {
    return work();
  } catch (...) {
    try {
      folder.write_checkpoint(algorithm, progress);
    } catch (const InputError& error) {
      note(hooks, error.what());
    }
    throw;
  }
}

}  // namespace

Experiment run_experiment(const RunConfig& config, const ArchiveTable* archive, const std::filesystem::path& folder,
                          const ExperimentHooks& hooks) {
  return run_experiment(resolve(config, archive), folder, hooks);
}

Experiment run_experiment(ResolvedRun run, const std::filesystem::path& folder, const ExperimentHooks& hooks) {
  LocalEvaluator evaluator(run.task);
  return run_experiment(std::move(run), evaluator, folder, hooks);
}

Experiment run_experiment(ResolvedRun run, Evaluator& evaluator, const std::filesystem::path& folder_path,
                          const ExperimentHooks& hooks) {
  const ResolvedConfig& config = run.config;
  const RunFolder found(folder_path, config);
  if (found.state() == RunFolder::State::kFinished) return finished(found);
  if (found.state() == RunFolder::State::kNew) found.create();
  const FolderLock lock(folder_path);
  remove_unfinished_files(folder_path);
  // whoever held it before may have finished the run
  const RunFolder folder(folder_path, config);
  if (folder.state() == RunFolder::State::kFinished) return finished(folder);

  // The algorithm
  tell_of_memory(run.algorithm, hooks);
  RunProgress progress = continued(run.algorithm, folder, hooks);
  const bool done = leaving_checkpoint(run.algorithm, progress, folder, hooks, [&] {
    return run_loop(run.algorithm, evaluator, progress, hooks_of_loop(hooks, folder));
  });

  // What it found, also where it was interrupted
  Experiment experiment;
  experiment.archive = labelled(run.algorithm.archive(), config);
  experiment.initial = run.algorithm.initial_archive();
  if (experiment.initial && experiment.initial->size() == 0) experiment.initial.reset();
  // what the user brings keeps its own label
  const bool brought = !config.input_checksum.empty();
  if (experiment.initial && !brought) experiment.initial = labelled(*experiment.initial, config);
  write_file_atomically(folder.progress(), progress.log.to_csv());
  if (experiment.archive->size() > 0) write_archive(folder.archive(), *experiment.archive);
  RunSummary& summary = experiment.summary;
  summary.task = config.task;
  summary.algorithm = config.algorithm;
  summary.seed = config.seed;
  summary.use_symmetry = std::ranges::any_of(config.algorithm_settings, [](const ResolvedSetting& setting) {
    return setting.name == "use_symmetry" && setting.value == "yes";
  });
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
  if (!leaving_checkpoint(run.algorithm, progress, folder, hooks,
                          [&] { return add_metrics(experiment, evaluator, config, hooks); })) {
    folder.write_checkpoint(run.algorithm, progress);
    experiment.outcome = Experiment::Outcome::kInterrupted;
    return experiment;
  }
  write_results(experiment, folder);
  folder.remove_checkpoint();
  return experiment;
}

}  // namespace aria
