// aria verify
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "aria/core/require.hpp"
#include "aria/core/settings.hpp"
#include "aria/report/table.hpp"
#include "aria/report/terminal.hpp"
#include "aria/run/verification.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/screen.hpp"

namespace aria::cli {

namespace {

struct VerifyOptions {
  CommonOptions common;
  std::string folder;
  std::optional<std::string> generations;
  bool all = false;
};

std::string verification_screen(const Verification& found, const std::string& folder) {
  TextTable table({{"check", Align::kLeft}, {"result", Align::kLeft}, {folder, Align::kLeft}});
  for (const auto& [what, result, detail] : found.checks) table.add_row({what, to_string(result), detail});
  return table.render(detect_terminal(STDOUT_FILENO));
}

int verify(const VerifyOptions& options) {
  VerificationConfig config;
  config.whole = options.all;
  if (options.generations) {
    require(!options.all, "--generations", "given without --all, which repeats them all", *options.generations);
    config.generations = parse_count("--generations", *options.generations);
    require(*config.generations >= 1, "--generations", "at least 1", *config.generations);
  }
  prepare_machine(options.common);
  catch_interrupts();
  ProgressScreen screen(options.common.quiet);
  const Verification found = verify_run(options.folder, config, screen_hooks(screen));
  screen.finish();
  if (found.interrupted) {
    std::fputs("aria: interrupted; the run is as it was.\n", stderr);
    return kInterrupted;
  }
  if (options.common.json) {
    std::fputs(found.to_json().c_str(), stdout);
  } else if (!options.common.quiet) {
    std::fputs(verification_screen(found, options.folder).c_str(), stdout);
  }
  return found.holds() ? kDone : kFailed;
}

}  // namespace

Command add_verify_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand("verify", "check that the files of a run are what its configuration makes");
  auto options = std::make_shared<VerifyOptions>();
  app->add_option("RUN", options->folder, "the folder of a finished run")->required();
  app->add_option("--generations", options->generations,
                  "how many of the algorithm to repeat; default: up to the third row of progress.csv")
      ->type_name("N");
  app->add_flag("--all", options->all, "repeat the whole run and compare every file");
  app->add_option("--threads", options->common.threads, "default: one per core; the result does not depend on it")
      ->type_name("N");
  app->add_flag("--json", options->common.json, "print one JSON object to standard output and nothing else there");
  app->add_flag("--quiet", options->common.quiet, "no progress and no table: the exit code tells");
  app->footer(
      "Compares checksums, and computes again what follows from something else: the corrected archive and the scores,\n"
      "the re-evaluations, the first generations. Changes nothing. Exit code 1 where something does not hold.\n\n"
      "Examples:\n"
      "  aria verify runs/a\n"
      "  aria verify runs/a --generations 100\n"
      "  aria verify runs/a --all --json");
  return {app, [options] { return verify(*options); }};
}

}  // namespace aria::cli
