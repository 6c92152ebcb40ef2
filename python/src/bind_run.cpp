// Runs, corrections and archive files.
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "aria/core/require.hpp"
#include "aria/persistence/archive_file.hpp"
#include "aria/persistence/reevaluation_file.hpp"
#include "aria/report/summary.hpp"
#include "aria/run/correction.hpp"
#include "aria/run/correction_files.hpp"
#include "aria/run/experiment.hpp"
#include "aria/sources/archive_source.hpp"
#include "python/src/bindings.hpp"
#include "python/src/interrupts.hpp"
#include "python/src/tables.hpp"
#include "python/src/task_handle.hpp"

namespace aria::python {

namespace {

namespace fs = std::filesystem;

template <class Table>
nb::object optional_dict(const std::optional<Table>& table) {
  return table ? nb::object(to_dict(*table)) : nb::none();
}

// Calls `work(evaluator, hooks)`: beside the interpreter for a task of ours, on its own thread for a function.
void evaluate_with(const TaskHandle& task, const nb::object& show,
                   const std::function<void(Evaluator&, const ExperimentHooks&)>& work) {
  Watch watch(show);
  if (!task.function) {
    LocalEvaluator evaluator(task.resolved.task, [&] { return watch.stopped(); });
    watch.run_beside([&] { work(evaluator, watch.hooks()); });
    return;
  }
  FunctionEvaluator evaluator(task.function);
  ExperimentHooks hooks;
  hooks.progress = [&](const std::function<StageProgress()>& make) { watch.look(make); };
  const nb::gil_scoped_release without_lock;
  work(evaluator, hooks);
}

nb::dict experiment_dict(const Experiment& experiment) {
  nb::dict dict;
  dict["interrupted"] = experiment.outcome == Experiment::Outcome::kInterrupted;
  dict["was_done"] = experiment.outcome == Experiment::Outcome::kWasDone;
  dict["summary"] = experiment.summary.to_json();
  dict["archive"] = optional_dict(experiment.archive);
  dict["corrected"] = optional_dict(experiment.corrected);
  dict["initial"] = optional_dict(experiment.initial);
  dict["initial_corrected"] = optional_dict(experiment.initial_corrected);
  dict["reevaluation"] = optional_dict(experiment.reevaluation);
  dict["initial_reevaluation"] = optional_dict(experiment.initial_reevaluation);
  return dict;
}

RunConfig to_run_config(const nb::dict& dict, const std::string& task) {
  RunConfig config;
  config.task = task;
  config.algorithm = nb::cast<std::string>(dict["algorithm"]);
  config.seed = nb::cast<std::uint64_t>(dict["seed"]);
  config.preset = nb::cast<std::string>(dict["preset"]);
  config.reevaluations = nb::cast<std::size_t>(dict["reevaluations"]);
  config.settings = nb::cast<NamedValues>(dict["settings"]);
  return config;
}

nb::dict run(const TaskHandle& task, const nb::dict& config, const std::optional<nb::dict>& archive,
             const fs::path& folder, const std::optional<double>& checkpoint_every, const nb::object& show) {
  const RunConfig given = to_run_config(config, task.name);
  std::optional<ArchiveTable> table;
  if (archive) table = to_table(*archive);
  const ArchiveTable* start = table ? &*table : nullptr;
  ResolvedRun run = resolve(given, task.with_settings(given.settings), start);
  Experiment experiment;
  std::vector<std::string> notes;
  evaluate_with(task, show, [&](Evaluator& evaluator, const ExperimentHooks& hooks) {
    ExperimentHooks paced = hooks;
    paced.note = [&](const std::string& text) { notes.push_back(text); };
    if (checkpoint_every) paced.pace = {.every = *checkpoint_every, .share = 1};
    experiment = run_experiment(std::move(run), evaluator, folder, paced);
  });
  nb::dict dict = experiment_dict(experiment);
  dict["notes"] = notes;
  return dict;
}

nb::dict correct_archive(const TaskHandle& task, const nb::dict& archive, std::size_t reevaluations,
                         std::size_t kept_samples, std::uint64_t seed, const nb::object& show) {
  const ArchiveTable table = to_table(archive);
  const ReevaluationConfig config{reevaluations, kept_samples};
  config.validate();
  require_genotype_length(task.info(), table.solution.columns(), "a genotype of the archive");
  Correction correction;
  std::string first_error;
  evaluate_with(task, show, [&](Evaluator& evaluator, const ExperimentHooks& hooks) {
    const std::size_t planned = table.size() * reevaluations;
    correction = correct(table, evaluator, config, seed, [&](std::size_t done) {
      hooks.progress([&] { return StageProgress{"re-evaluating", done, planned, table.size()}; });
      return !hooks.stop || !hooks.stop();
    });
    first_error = evaluator.first_error();
  });
  if (correction.corrected.size() == 0) {
    throw std::runtime_error(
        fmt::format("no solution could be evaluated: {}",
                    first_error.empty() ? "every evaluation gave a NaN or an infinity" : first_error));
  }
  record_settings(task.resolved, correction.corrected);
  RunSummary summary = summary_of(correction, table, task.info(), seed);
  summary.first_error = first_error;
  nb::dict dict;
  dict["summary"] = summary.to_json();
  dict["corrected"] = to_dict(correction.corrected);
  dict["reevaluation"] = to_dict(correction.reevaluation);
  return dict;
}

void write_correction_dicts(const fs::path& folder, const nb::dict& archive, const nb::dict& corrected,
                            const nb::dict& reevaluation) {
  write_correction(folder, to_table(corrected), to_reevaluation(reevaluation), to_table(archive).solution);
}

// An archive and what is recorded of the run that made it.
nb::dict open(const fs::path& path) {
  const ArchiveSource source = open_archive(path);
  nb::dict dict;
  dict["archive"] = to_dict(source.table);
  dict["task"] = source.config.task ? nb::cast(*source.config.task) : nb::none();
  dict["seed"] = source.config.seed ? nb::cast(*source.config.seed) : nb::none();
  dict["reevaluations"] = source.config.reevaluations ? nb::cast(*source.config.reevaluations) : nb::none();
  return dict;
}

// The task that an archive of ours was made on, with the settings that it records.
std::shared_ptr<TaskHandle> recorded_task(const std::string& name, const nb::dict& archive) {
  RunConfig config;
  config.task = name;
  config = with_recorded_settings(config, to_table(archive));
  auto handle = std::make_shared<TaskHandle>();
  handle->name = name;
  handle->resolved = resolve_task(name, config.settings);
  return handle;
}

std::string score_text(const std::string& summary_json) {
  const RunSummary summary = parse_summary(summary_json);
  std::vector<ScoreColumn> columns;
  const auto add = [&](const char* title, const std::optional<ArchiveScores>& scores) {
    if (scores) columns.push_back({title, *scores});
  };
  if (summary.initial) {
    add("start, believed", summary.initial->illusory);
    add("start, really", summary.initial->corrected);
  }
  add(summary.initial ? "result, believed" : "believed (illusory)", summary.result.illusory);
  add(summary.initial ? "result, really" : "really (corrected)", summary.result.corrected);
  return columns.empty() ? "" : score_table(columns, {.unicode = true, .width = 100});
}

}  // namespace

void bind_runs(nb::module_& module) {
  module.attr("DEFAULT_SEED") = kDefaultSeed;
  module.attr("DEFAULT_REEVALUATIONS") = kDefaultReevaluations;
  module.def("run", &run, nb::arg("task"), nb::arg("config"), nb::arg("archive").none(), nb::arg("folder"),
             nb::arg("checkpoint_every").none(), nb::arg("show").none(),
             "Runs an algorithm into a folder, going on where it was interrupted.");
  module.def("correct", &correct_archive, nb::arg("task"), nb::arg("archive"), nb::arg("reevaluations"),
             nb::arg("kept_samples"), nb::arg("seed"), nb::arg("show").none());
  module.def("check_correction_folder", &check_correction_folder, nb::arg("folder"), nb::arg("input"),
             "Refuses a folder in which something else than an earlier correction would be replaced.");
  module.def("write_correction", &write_correction_dicts, nb::arg("folder"), nb::arg("archive"), nb::arg("corrected"),
             nb::arg("reevaluation"));
  module.def("open", &open, nb::arg("path"), "Reads an archive (.npz, .npy, .csv) or that of a run's folder.");
  module.def(
      "write_archive", [](const fs::path& path, const nb::dict& archive) { write_archive(path, to_table(archive)); },
      nb::arg("path"), nb::arg("archive"));
  module.def("recorded_task", &recorded_task, nb::arg("name"), nb::arg("archive"));
  module.def("score_text", &score_text, nb::arg("summary"), "The scores of a run or a correction as a table.");
}

}  // namespace aria::python
