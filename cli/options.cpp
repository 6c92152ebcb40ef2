#include "cli/options.hpp"

#include <cstdio>

#include <CLI/CLI.hpp>

#include "aria/core/parallel.hpp"
#include "aria/core/require.hpp"
#include "aria/core/settings.hpp"
#include "aria/core/simd_target.hpp"

namespace aria::cli {

namespace {

constexpr std::size_t kMaxThreads = 1024;
constexpr double kShortestPause = 0.01;  // s between checkpoints
constexpr double kLongestPause = 1e9;

}  // namespace

void add_common_options(CLI::App& command, CommonOptions& options) {
  command.add_option("--task", options.task, "what to evaluate on ('aria tasks' lists them)")->type_name("NAME");
  command.add_option("--seed", options.seed, "every draw follows from it; default 1")->type_name("N");
  command.add_option("--out", options.out, "folder for the results")->type_name("FOLDER");
  command.add_option("--config", options.config, "read settings from a TOML file, such as the run.toml of a run")
      ->type_name("FILE");
  command.add_option("--set", options.assignments, "a setting of the task or the algorithm; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command
      .add_option("--reevaluations", options.reevaluations,
                  "evaluations of every solution for the metrics; default 1024")
      ->type_name("N");
  command.add_option("--threads", options.threads, "default: one per core; the result does not depend on it")
      ->type_name("N");
  command.add_flag("--json", options.json, "print one JSON object to standard output and nothing else there");
  command.add_flag("--quiet", options.quiet, "no progress and no summary");
}

void add_symmetry_option(CLI::App& command, CommonOptions& options) {
  command.add_flag("--use-symmetry", options.use_symmetry,
                   "solve only cells that no symmetry of the task maps to each other, and map the results; for the "
                   "algorithms of the ARIA family (the same as --set use_symmetry=yes)");
}

std::vector<NamedValue> given_settings(const CommonOptions& options) {
  std::vector<NamedValue> settings;
  for (const std::string& assignment : options.assignments) settings.push_back(parse_assignment(assignment));
  if (options.use_symmetry) settings.emplace_back("use_symmetry", "yes");
  return settings;
}

void add_checkpoint_option(CLI::App& command, std::optional<std::string>& seconds) {
  command
      .add_option("--checkpoint-every", seconds,
                  "seconds after which a run writes down how far it has come, to go on from there; default 60")
      ->type_name("SECONDS");
}

CheckpointPace checkpoint_pace(const std::optional<std::string>& seconds) {
  if (!seconds) return {};
  const double every = parse_number("--checkpoint-every", *seconds);
  require(every >= kShortestPause && every <= kLongestPause, "--checkpoint-every",
          fmt::format("from {} to {} seconds", kShortestPause, kLongestPause), *seconds);
  // whoever says how often means it, whatever it costs
  return {.every = every, .share = 1};
}

RunConfig run_config(const CommonOptions& options) {
  RunConfig given;
  given.task = options.task;
  if (options.seed) given.seed = parse_count("--seed", *options.seed);
  if (options.reevaluations) given.reevaluations = parse_count("--reevaluations", *options.reevaluations);
  given.settings = given_settings(options);
  return options.config ? read_config(*options.config).overridden_by(given) : given;
}

void prepare_machine(const CommonOptions& options) {
  if (options.threads) {
    const std::size_t wanted = parse_count("--threads", *options.threads);
    require(wanted >= 1 && wanted <= kMaxThreads, "--threads", fmt::format("from 1 to {}", kMaxThreads), wanted);
    set_threads(wanted);
  }
  const SimdTarget target = simd_target();
  if (!target.fused_multiply_add && !options.quiet) {
    std::fprintf(stderr,
                 "aria: note: this CPU has no fused multiply-add (%s), so results may differ in the last digits from "
                 "those of other machines\n",
                 target.name.c_str());
  }
}

}  // namespace aria::cli
