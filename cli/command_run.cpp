// aria run, aria improve
#include <cstdio>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "aria/core/require.hpp"
#include "aria/run/experiment.hpp"
#include "aria/sources/archive_source.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/screen.hpp"

namespace aria::cli {

namespace {

struct RunOptions {
  CommonOptions common;
  std::optional<std::string> algorithm;
  std::optional<std::string> preset;
  std::optional<std::string> checkpoint_every;
  std::string archive;  // of improve
};

void add_preset_option(CLI::App& command, RunOptions& options) {
  command
      .add_option("--preset", options.preset, "paper: the published budget (default); lite: about a sixteenth of it")
      ->type_name("NAME");
}

// Where results go when nothing is said.
std::string default_folder(const RunConfig& config) {
  return fmt::format("runs/{}-{}-seed{}", config.task.value_or("task"), config.algorithm.value_or("algorithm"),
                     config.seed.value_or(kDefaultSeed));
}

int show(const Experiment& experiment, const RunOptions& options, const std::string& folder) {
  if (experiment.outcome == Experiment::Outcome::kInterrupted) {
    const bool has_archive = experiment.archive && experiment.archive->size() > 0;
    std::fprintf(stderr,
                 "aria: interrupted after %zu evaluations; %s in %s.\n"
                 "aria: the same command goes on from there.\n",
                 experiment.summary.evaluations,
                 has_archive ? "the archive so far and a checkpoint are" : "a checkpoint is", folder.c_str());
    return kInterrupted;
  }
  if (experiment.outcome == Experiment::Outcome::kWasDone && !options.common.quiet) {
    std::fprintf(stderr, "aria: the run in %s is finished; nothing was done.\n", folder.c_str());
  }
  if (options.common.json) {
    std::fputs(experiment.summary.to_json().c_str(), stdout);
  } else if (!options.common.quiet) {
    std::fputs(experiment_screen(experiment, folder).c_str(), stdout);
  }
  return kDone;
}

int run(const RunOptions& options, const ArchiveTable* archive) {
  RunConfig given;
  given.algorithm = options.algorithm;
  given.preset = options.preset;
  RunConfig config = run_config(options.common).overridden_by(given);
  // an archive of ours says what it was made for
  if (archive != nullptr) {
    require(!config.algorithm || *config.algorithm == "aria", "the algorithm of 'aria improve'", "aria",
            config.algorithm.value_or(""));
    config.algorithm = "aria";
    if (!config.task && !archive->task.empty()) config.task = archive->task;
    config = with_recorded_settings(config, *archive);
  }
  prepare_machine(options.common);
  catch_interrupts();
  const std::string folder = options.common.out.value_or(default_folder(config));
  ProgressScreen screen(options.common.quiet);
  ExperimentHooks hooks = screen_hooks(screen);
  hooks.pace = checkpoint_pace(options.checkpoint_every);
  const Experiment experiment = run_experiment(config, archive, folder, hooks);
  screen.finish();
  return show(experiment, options, folder);
}

}  // namespace

Command add_run_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand("run", "run an algorithm on a task");
  auto options = std::make_shared<RunOptions>();
  app->add_option("--algorithm", options->algorithm, "what to run ('aria algorithms' lists them)")->type_name("NAME");
  add_preset_option(*app, *options);
  add_common_options(*app, options->common);
  add_symmetry_option(*app, options->common);
  add_checkpoint_option(*app, options->checkpoint_every);
  app->footer(
      "A run that was interrupted goes on where it stopped when the same command is given again.\n\n"
      "Examples:\n"
      "  aria run --task arm --algorithm aria-me --out runs/a\n"
      "  aria run --task arm --algorithm aria-me --preset lite --seed 7\n"
      "  aria run --task arm --algorithm map-elites --set budget=2e6 --set batch=1024\n"
      "  aria run --config runs/a/run.toml --out runs/again");
  return {app, [options] { return run(*options, nullptr); }};
}

Command add_improve_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand("improve", "make an archive from anywhere reproducible, with ARIA");
  auto options = std::make_shared<RunOptions>();
  app->add_option("ARCHIVE", options->archive,
                  "an .npz of ours or with a 'solution', a .npy matrix, a CSV, or the folder of a run")
      ->required();
  add_preset_option(*app, *options);
  add_common_options(*app, options->common);
  add_symmetry_option(*app, options->common);
  add_checkpoint_option(*app, options->checkpoint_every);
  app->footer(
      "Examples:\n"
      "  aria improve runs/a --out runs/b\n"
      "  aria improve pyribs.csv --task arm --preset lite --out runs/c\n"
      "  aria improve genotypes.npy --task arm --set sigma=0.01 --set pairs=256");
  return {app, [options] {
            const ArchiveSource source = open_archive(options->archive);
            return run(*options, &source.table);
          }};
}

}  // namespace aria::cli
