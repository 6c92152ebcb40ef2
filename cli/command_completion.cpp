// aria completion
#include <cstdio>

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "cli/completion_script.hpp"
#include "cli/exit_code.hpp"

namespace aria::cli {

Command add_completion_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand("completion", "print a script that teaches bash to complete aria's commands");
  app->footer(
      "Examples:\n"
      "  source <(aria completion)\n"
      "  aria completion > ~/.local/share/bash-completion/completions/aria");
  return {app, [] {
            std::fputs(kBashCompletion, stdout);
            return static_cast<int>(kDone);
          }};
}

}  // namespace aria::cli
