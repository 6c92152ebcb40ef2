// The command line: aria run | improve | correct | study | report | rollout | verify | tasks | algorithms | completion.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "aria/core/nearest_name.hpp"
#include "aria/core/require.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"

namespace {

using aria::cli::Command;

std::vector<Command> add_commands(CLI::App& program) {
  return {aria::cli::add_run_command(program),        aria::cli::add_improve_command(program),
          aria::cli::add_correct_command(program),    aria::cli::add_study_command(program),
          aria::cli::add_report_command(program),     aria::cli::add_rollout_command(program),
          aria::cli::add_verify_command(program),     aria::cli::add_tasks_command(program),
          aria::cli::add_algorithms_command(program), aria::cli::add_completion_command(program)};
}

// One line, whatever is quoted in it.
void complain(std::string message) {
  std::ranges::replace_if(
      message, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  std::fprintf(stderr, "aria: %s\n", message.c_str());
}

int bad_input(const std::string& message) {
  complain(message);
  return aria::cli::kBadInput;
}

// The parser only says that it met something it does not know.
int unknown_command(const std::string& word, const std::vector<Command>& commands) {
  std::vector<std::string> names;
  names.reserve(commands.size());
  for (const Command& command : commands) names.push_back(command.app->get_name());
  try {
    aria::throw_unknown("command", word, names);
  } catch (const aria::InputError& error) {
    return bad_input(error.what());
  }
}

// The first option of the chosen command that it does not have, as typed but for a value; empty where all are known.
std::string unknown_option(const CLI::App& app) {
  for (const std::string& word : app.remaining(true)) {
    if (word.size() > 1 && word.starts_with('-')) return word.substr(0, word.find('='));
  }
  return "";
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// What the parser could not make sense of. An option that does not exist comes first: whatever else is wrong, such as
// an archive that is missing because the option took its place, may follow from it.
int parse_failure(const CLI::App& program, const CLI::ParseError& error) {
  const std::string option = unknown_option(program);
  if (option.empty()) return bad_input(fmt::format("{} (see --help)", error.what()));
  const auto chosen = program.get_subcommands();
  const std::string nearest = aria::nearest_name(option, option_names(chosen.empty() ? program : *chosen.front()));
  if (nearest.empty()) return bad_input(fmt::format("unknown option '{}' (see --help)", option));
  return bad_input(fmt::format("unknown option '{}'; did you mean '{}'?", option, nearest));
}

int run_program(int argc, char** argv) {
  CLI::App program("Makes quality-diversity archives reproducible under noise.", "aria");
  program.set_version_flag("--version", "aria " ARIA_VERSION);
  program.require_subcommand(0, 1);
  program.get_formatter()->column_width(34);
  program.footer(
      "Examples:\n"
      "  aria run --task arm --algorithm aria-me --out runs/a     run an algorithm\n"
      "  aria correct runs/a                                      what is really in its archive\n"
      "  aria improve archive.csv --task arm --out runs/b         ARIA on an archive from anywhere\n"
      "  aria study --task arm --preset lite --out runs/study     compare all algorithms\n"
      "  aria report runs/a runs/b                                a page to look at, report.html\n"
      "  aria run --help                                          everything about one command\n\n"
      "Exit codes: 0 done, 2 bad input, 3 interrupted (run, improve and study go on from there when given again),\n"
      "1 anything else.");
  const std::vector<Command> commands = add_commands(program);
  if (argc > 1 && argv[1][0] != '-' &&
      std::none_of(commands.begin(), commands.end(), [&](const Command& c) { return c.app->get_name() == argv[1]; })) {
    return unknown_command(argv[1], commands);
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);
    return parse_failure(program, error);
  }
  for (const Command& command : commands) {
    if (command.app->parsed()) return command.run();
  }
  std::fputs(program.help().c_str(), stdout);
  return aria::cli::kDone;
}

// Output that did not arrive, on a full disk for instance, is not a success.
int flushed(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  complain("cannot write to standard output");
  return aria::cli::kFailed;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return flushed(run_program(argc, argv));
  } catch (const aria::InputError& error) {
    return bad_input(error.what());
  } catch (const std::bad_alloc&) {
    complain("there is not enough memory");
    return aria::cli::kFailed;
  } catch (const std::exception& error) {
    complain(error.what());
    return aria::cli::kFailed;
  }
}
