// aria tasks, aria algorithms
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "aria/algorithm/registry.hpp"
#include "aria/report/table.hpp"
#include "aria/report/terminal.hpp"
#include "aria/task/registry.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"

namespace aria::cli {

namespace {

using Json = nlohmann::ordered_json;

struct ListOptions {
  bool json = false;
  bool names = false;
  std::optional<std::string> task;  // whose defaults the algorithms show
  std::optional<std::string> preset;
};

void print(const std::string& text) { std::fputs(text.c_str(), stdout); }

// Numbers are numbers in JSON, lists are lists.
Json to_json(const SettingTable& table) {
  Json list = Json::array();
  for (const auto& entry : table.entries()) {
    const std::string value = entry.get();
    Json object = {{"name", entry.name}, {"meaning", entry.meaning}};
    object["default"] = entry.kind == SettingTable::Kind::kText ? Json(value) : Json::parse(value);
    if (!entry.choices.empty()) object["choices"] = entry.choices;
    list.push_back(object);
  }
  return list;
}

std::string to_text(const SettingTable& table) {
  TextTable text({{"setting", Align::kLeft}, {"default", Align::kRight}, {"meaning", Align::kLeft}});
  for (const auto& entry : table.entries()) {
    std::string meaning = entry.meaning;
    if (!entry.choices.empty()) meaning += fmt::format(" ({})", fmt::join(entry.choices, " or "));
    text.add_row({entry.name, entry.get(), meaning});
  }
  return text.render(detect_terminal(STDOUT_FILENO));
}

int list_tasks(const ListOptions& options) {
  Json all = Json::array();
  for (const TaskEntry& entry : task_entries()) {
    const TaskPlan plan = plan_task(entry.name);
    if (options.names) {
      print(entry.name + "\n");
    } else if (options.json) {
      all.push_back({{"name", entry.name}, {"summary", entry.summary}, {"settings", to_json(plan.settings)}});
    } else {
      print(fmt::format("{}: {}\n{}\n", entry.name, entry.summary, to_text(plan.settings)));
    }
  }
  if (options.json) print(all.dump(2) + "\n");
  return kDone;
}

int list_algorithms(const ListOptions& options) {
  const std::string task = options.task.value_or(task_entries().front().name);
  const TaskInfo info = plan_task(task).build()->info();
  const Preset preset = parse_preset(options.preset.value_or("paper"));
  if (!options.names && !options.json) {
    print(fmt::format("Defaults are those of task '{}', preset '{}'.\n\n", task, to_string(preset)));
  }
  Json all = Json::array();
  for (const AlgorithmEntry& entry : algorithm_entries()) {
    const AlgorithmPlan plan = plan_algorithm(entry.name, info, preset);
    if (options.names) {
      if (!entry.needs_archive) print(entry.name + "\n");
    } else if (options.json) {
      all.push_back({{"name", entry.name},
                     {"summary", entry.summary},
                     {"needs_archive", entry.needs_archive},
                     {"needs_policy", entry.needs_policy},
                     {"settings", to_json(plan.settings)}});
    } else {
      const bool possible = !entry.needs_policy || info.policy.has_value();
      print(fmt::format("{}: {}{}\n{}\n", entry.name, entry.summary,
                        possible ? "" : fmt::format(" (not for '{}', whose genotypes are no policies)", task),
                        to_text(plan.settings)));
    }
  }
  if (options.json) print(all.dump(2) + "\n");
  return kDone;
}

void add_list_options(CLI::App& command, ListOptions& options) {
  command.add_flag("--json", options.json, "as one JSON list");
  command.add_flag("--names", options.names, "the names alone, a line each");
}

}  // namespace

Command add_tasks_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand("tasks", "list the tasks, with every setting and its default");
  auto options = std::make_shared<ListOptions>();
  add_list_options(*app, *options);
  app->footer("Examples:\n  aria tasks\n  aria tasks --json");
  return {app, [options] { return list_tasks(*options); }};
}

Command add_algorithms_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand("algorithms", "list the algorithms, with every setting and its default");
  auto options = std::make_shared<ListOptions>();
  add_list_options(*app, *options);
  app->add_option("--task", options->task, "show the defaults for this task")->type_name("NAME");
  app->add_option("--preset", options->preset, "show the defaults of this preset: paper or lite")->type_name("NAME");
  app->footer("Examples:\n  aria algorithms\n  aria algorithms --task arm --preset lite --json");
  return {app, [options] { return list_algorithms(*options); }};
}

}  // namespace aria::cli
