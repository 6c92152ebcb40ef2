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
    // a run without metrics says nothing of how many there shall be now
    if (source.config.reevaluations == 0) source.config.reevaluations.reset();
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

// Settings of an algorithm come along with the task's in the record of a run: those are not ours to check here.
std::shared_ptr<const Task> make_task(const RunConfig& config, const std::vector<std::string>& assignments) {
  require(config.task.has_value(), "--task", "given: the archive does not say what it is for", "nothing");
  ResolvedTask resolved = resolve_task(*config.task, config.settings);
  for (const std::string& assignment : assignments) {
    const std::string name = parse_assignment(assignment).first;
    const bool known = std::ranges::find(resolved.setting_names, name) != resolved.setting_names.end();
    if (!known) throw_unknown("setting", name, resolved.setting_names);
  }
  return resolved.task;
}

// Said before the work, not after it.
void check_folder(const fs::path& folder) {
  require(!folder.empty(), "--out", "the name of a folder", "nothing");
  std::error_code error;
  fs::path there = fs::absolute(folder, error);
  while (!fs::exists(there, error) && there.has_relative_path()) there = there.parent_path();
  require(fs::is_directory(there, error), "--out", "a folder or the name of a new one", folder.string());
}

RunSummary summarise(const Source& source, const TaskInfo& info, const Correction& correction, std::uint64_t seed) {
  RunSummary summary;
  summary.task = info.name;
  if (const auto made_by = source.table.provenance.find("algorithm"); made_by != source.table.provenance.end()) {
    summary.algorithm = made_by->second;
  }
  summary.seed = seed;
  summary.cells_in_all = Grid(info.grid).cells();
  summary.result = correction.scores;
  summary.ranges = fixed_ranges(info);
  summary.reevaluations = correction.reevaluation.size() * correction.reevaluation.samples;
  summary.failed_reevaluations = correction.reevaluation.failures();
  summary.reevaluation_seconds = correction.seconds;
  return summary;
}

void write_results(const fs::path& folder, const Correction& correction) {
  std::error_code error;
  fs::create_directories(folder, error);
  require(!error, "--out", "a folder that can be made", fmt::format("{} ({})", folder.string(), error.message()));
  write_archive(folder / "corrected.npz", correction.corrected);
  write_reevaluation(folder / "reevaluations.npz", correction.reevaluation);
}

int correct_archive(const CorrectOptions& options) {
  const Source source = open_source(options);
  const RunConfig config = source.config.overridden_by(run_config(options.common));
  const auto task = make_task(config, options.common.assignments);
  const ReevaluationConfig metrics{config.reevaluations.value_or(kDefaultReevaluations), options.keep_samples};
  metrics.validate();
  const fs::path folder = options.common.out.value_or(source.folder.string());
  check_folder(folder);
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

  RunSummary summary = summarise(source, task->info(), correction, seed);
  summary.first_error = evaluator.first_error();
  write_results(folder, correction);
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
