// aria study
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "aria/core/require.hpp"
#include "aria/core/settings.hpp"
#include "aria/report/study_tables.hpp"
#include "aria/report/terminal.hpp"
#include "aria/run/budget_sweep.hpp"
#include "aria/run/study.hpp"
#include "aria/run/study_files.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/study_screen.hpp"

namespace aria::cli {

namespace {

struct StudyOptions {
  CommonOptions common;
  std::optional<std::string> algorithms;
  std::optional<std::string> replications;
  std::optional<std::string> preset;
  std::optional<std::string> checkpoint_every;
  std::optional<std::string> budget_sweep;
  bool repair = false;
  bool so_far = false;
};

StudyConfig given_config(const StudyOptions& options) {
  StudyConfig given;
  given.task = options.common.task;
  if (options.algorithms) given.algorithms = parse_names(*options.algorithms);
  if (options.replications) given.replications = parse_count("--replications", *options.replications);
  if (options.common.seed) given.seed = parse_count("--seed", *options.common.seed);
  given.preset = options.preset;
  if (options.common.reevaluations) {
    given.reevaluations = parse_count("--reevaluations", *options.common.reevaluations);
  }
  given.settings = given_settings(options.common);
  // the configuration file, overridden by the options
  return options.common.config ? read_study_config(*options.common.config).overridden_by(given) : given;
}

void show_tables(const StudyData& data) {
  std::fputs(fmt::format("\n{}", study_screen(data, detect_terminal(STDOUT_FILENO))).c_str(), stdout);
}

int show_so_far(const StudyOptions& options) {
  require(options.common.out.has_value(), "--out", "the folder of a study, with --so-far", "nothing");
  require(!options.repair && !options.budget_sweep, "--so-far", "without --repair and --budget-sweep", "one of them");
  const Study study = study_so_far(given_config(options), *options.common.out);
  if (!options.common.quiet) {
    std::fprintf(stderr, "aria: %zu of %zu runs are finished; nothing was run.\n", study.finished, study.runs);
  }
  if (options.common.json) {
    std::fputs(study_json(*study.data).c_str(), stdout);
  } else if (!options.common.quiet) {
    show_tables(*study.data);
  }
  return kDone;
}

int show(const Study& study, const std::string& json, const StudyOptions& options, const std::string& folder) {
  if (study.interrupted) {
    std::fprintf(stderr,
                 "aria: interrupted with %zu of %zu runs finished; those under way left checkpoints.\n"
                 "aria: the same command goes on from there.\n",
                 study.finished, study.runs);
    return kInterrupted;
  }
  if (study.started == 0 && !options.common.quiet) {
    std::fprintf(stderr, "aria: the study in %s is finished; nothing was run.\n", folder.c_str());
  }
  if (study.data) {
    write_if_changed(std::filesystem::path(folder) / "study.md", study_markdown(*study.data));
    if (options.common.json) {
      std::fputs(json.c_str(), stdout);
    } else if (!options.common.quiet) {
      show_tables(*study.data);
      std::fputs(fmt::format("\nFiles: {} (study.md, study.csv, runs.csv, study.json, a folder per run)\n"
                             "Look at them: aria report {}\n",
                             folder, folder)
                     .c_str(),
                 stdout);
    }
  }
  if (study.failed.empty()) return kDone;
  std::fprintf(stderr, "aria: %zu of %zu runs failed (%s); the same command tries them again.\n", study.failed.size(),
               study.runs, fmt::format("{}", fmt::join(study.failed, "; ")).c_str());
  return kFailed;
}

int run_command(const StudyOptions& options) {
  if (options.so_far) return show_so_far(options);
  const StudyConfig config = given_config(options);
  prepare_machine(options.common);
  catch_interrupts();
  const std::string folder = options.common.out.value_or("runs/study-" + config.task.value_or("task"));
  StudyScreen screen(options.common.quiet);
  StudyHooks hooks = screen.hooks();
  hooks.pace = checkpoint_pace(options.checkpoint_every);
  if (options.budget_sweep) {
    const std::vector<double> shares = parse_shares(*options.budget_sweep);
    const BudgetSweep sweep = run_budget_sweep(config, shares, folder, options.repair, hooks);
    screen.finish();
    return show(sweep.study, sweep.json, options, folder);
  }
  const Study study = run_study(config, folder, options.repair, hooks);
  screen.finish();
  return show(study, study.data ? study_json(*study.data) : "", options, folder);
}

}  // namespace

Command add_study_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand("study", "compare algorithms: replicated runs, tables, significance");
  auto options = std::make_shared<StudyOptions>();
  app->add_option("--algorithms", options->algorithms,
                  "names with commas between them, or all (default): those of the published comparison")
      ->type_name("NAMES");
  app->add_option("--replications", options->replications, "runs of each, with seeds that count on; default 10")
      ->type_name("N");
  app->add_option("--preset", options->preset, "paper: the published budget (default); lite: about a sixteenth of it")
      ->type_name("NAME");
  app->add_option("--budget-sweep", options->budget_sweep,
                  "run everything at several budgets: shares of the full one with commas between them, such as "
                  "1,1/4,1/16")
      ->type_name("SHARES");
  app->add_flag("--repair", options->repair, "put damaged runs aside and run them anew");
  app->add_flag("--so-far", options->so_far,
                "compare the finished runs of the study in --out, which may be going on, and run nothing");
  add_common_options(*app, options->common);
  add_symmetry_option(*app, options->common);
  add_checkpoint_option(*app, options->checkpoint_every);
  app->get_option("--config")->description("read settings from a TOML file, such as the study.toml of a study");
  app->footer(
      "Each run has a folder of its own and is the one that 'aria run' makes with that seed. A study that was\n"
      "interrupted goes on where it stopped when the same command is given again; more algorithms and more\n"
      "replications can be added to it later. --set is for every algorithm that has the setting. --budget-sweep\n"
      "compares the budgets that are named; those that are finished cost nothing.\n\n"
      "Examples:\n"
      "  aria study --task arm --out runs/study\n"
      "  aria study --task arm --algorithms aria-me,map-elites --replications 5 --preset lite\n"
      "  aria study --task arm --set fitness_resolution=0.0625 --out runs/as-published\n"
      "  aria study --task arm --algorithms aria-me,aria-gn,map-elites --budget-sweep 1,1/4,1/16,1/64\n"
      "  aria study --config runs/study/study.toml --out runs/again\n"
      "  aria study --so-far --out runs/study");
  return {app, [options] { return run_command(*options); }};
}

}  // namespace aria::cli
