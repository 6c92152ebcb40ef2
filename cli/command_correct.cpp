// aria correct
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "aria/core/nearest_name.hpp"
#include "aria/core/require.hpp"
#include "aria/core/settings.hpp"
#include "aria/evaluation/evaluator.hpp"
#include "aria/persistence/archive_file.hpp"
#include "aria/run/correction.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/screen.hpp"

namespace aria::cli {

namespace {

namespace fs = std::filesystem;

struct CorrectOptions {
  CommonOptions common;
  std::string archive;
  bool keep_samples = false;
};

// An archive, or the one of a run, with what the run says about its task.
struct Source {
  ArchiveTable table;
  RunConfig config;
  fs::path folder;  // where results go when nothing is said
};

Source open_source(const CorrectOptions& options) {
  const fs::path path = options.archive;
  std::error_code error;
  Source source;
  if (fs::is_directory(path, error)) {
    require(fs::exists(path / "archive.npz", error), "a run", "a folder with an archive.npz", path.string());
    source.table = read_archive(path / "archive.npz");
    if (fs::exists(path / "run.toml", error)) source.config = read_config(path / "run.toml");
    source.folder = path;
  } else {
    source.table = read_archive(path);
    source.folder = path.parent_path() / (path.stem().string() + ".corrected");
    // what the archive says of how it was made, as a run would
    for (const auto& [name, value] : source.table.provenance) {
      if (name.starts_with("setting.")) source.config.settings.emplace_back(name.substr(8), value);
    }
    if (const auto seed = source.table.provenance.find("seed"); seed != source.table.provenance.end()) {
      source.config.seed = parse_count("the seed in the archive's header", seed->second);
    }
  }
  if (!source.config.task && !source.table.task.empty()) source.config.task = source.table.task;
  return source;
}

// Settings of the algorithm come along with the task's: those are not ours to check here.
std::shared_ptr<const Task> make_task(const RunConfig& config, const RunConfig& given) {
  require(config.task.has_value(), "--task", "given: the archive does not say what it is for", "nothing");
  ResolvedTask resolved = resolve_task(*config.task, config.settings);
  for (const auto& [name, value] : given.settings) {
    const bool known = std::ranges::find(resolved.setting_names, name) != resolved.setting_names.end();
    if (!known) throw_unknown("setting", name, resolved.setting_names);
  }
  return resolved.task;
}

int correct_archive(const CorrectOptions& options) {
  Source source = open_source(options);
  const RunConfig given = run_config(options.common);
  const RunConfig config = source.config.overridden_by(given);
  const auto task = make_task(config, given);
  const ReevaluationConfig metrics{config.reevaluations.value_or(kDefaultReevaluations), options.keep_samples};
  metrics.validate();
  const fs::path folder = options.common.out.value_or(source.folder.string());
  prepare_machine(options.common);
  catch_interrupts();

  LocalEvaluator evaluator(task);
  ProgressScreen screen(options.common.quiet);
  const std::size_t planned = source.table.size() * metrics.reevaluations;
  const std::uint64_t seed = config.seed.value_or(kDefaultSeed);
  const Correction correction = correct(source.table, evaluator, metrics, seed, [&](std::size_t done) {
    screen.update([&] { return StageProgress{"re-evaluating", done, planned, source.table.size()}; });
    return !interrupted();
  });
  screen.finish();
  if (correction.reevaluation.size() < source.table.size()) {
    std::fputs("aria: interrupted; nothing was written.\n", stderr);
    return kInterrupted;
  }
  if (correction.corrected.size() == 0) {
    throw std::runtime_error(fmt::format("no solution could be evaluated: {}", evaluator.first_error()));
  }

  RunSummary summary;
  summary.task = *config.task;
  if (const auto made_by = source.table.provenance.find("algorithm"); made_by != source.table.provenance.end()) {
    summary.algorithm = made_by->second;
  }
  summary.seed = seed;
  summary.cells_in_all = Grid(task->info().grid).cells();
  summary.result = correction.scores;
  summary.ranges = fixed_ranges(task->info());
  summary.reevaluations = planned;
  summary.failed_reevaluations = correction.reevaluation.failures();
  summary.reevaluation_seconds = correction.seconds;
  summary.first_error = evaluator.first_error();

  std::error_code error;
  fs::create_directories(folder, error);
  require(!error, "--out", "a folder that can be made", fmt::format("{} ({})", folder.string(), error.message()));
  write_archive(folder / "corrected.npz", correction.corrected);
  write_reevaluation(folder / "reevaluations.npz", correction.reevaluation);
  if (options.common.json) {
    std::fputs(summary.to_json().c_str(), stdout);
  } else if (!options.common.quiet) {
    std::fputs(correction_screen(summary, source.table, correction.corrected, folder.string()).c_str(), stdout);
  }
  return kDone;
}

}  // namespace

Command add_correct_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand("correct", "show what is really in an archive");
  auto options = std::make_shared<CorrectOptions>();
  app->add_option("ARCHIVE", options->archive, "an archive (.npz, .npy, .csv) or the folder of a run")->required();
  app->add_flag("--keep-samples", options->keep_samples, "also write every single evaluation");
  add_common_options(*app, options->common);
  app->footer(
      "Writes corrected.npz and reevaluations.npz (one row per solution, in the order given) into the run's folder,\n"
      "or for a file NAME.npz into NAME.corrected beside it.\n\n"
      "Examples:\n"
      "  aria correct runs/a\n"
      "  aria correct pyribs.csv --task arm --reevaluations 4096\n"
      "  aria correct genotypes.npy --task arm --keep-samples --out checked --json");
  return {app, [options] { return correct_archive(*options); }};
}

}  // namespace aria::cli
