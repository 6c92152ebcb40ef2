// The sub-commands. Each adds itself to the program; what it returns runs when it was chosen and gives the exit code.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace aria::cli {

struct Command {
  CLI::App* app;
  std::function<int()> run;
};

Command add_run_command(CLI::App& program);
Command add_improve_command(CLI::App& program);
Command add_correct_command(CLI::App& program);
Command add_study_command(CLI::App& program);
Command add_report_command(CLI::App& program);
Command add_rollout_command(CLI::App& program);
Command add_verify_command(CLI::App& program);
Command add_tasks_command(CLI::App& program);
Command add_algorithms_command(CLI::App& program);
Command add_completion_command(CLI::App& program);

}  // namespace aria::cli
