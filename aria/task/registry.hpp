// The tasks by name, with their settings and how they are made.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "aria/core/settings.hpp"
#include "aria/task/task.hpp"

namespace aria {

struct TaskEntry {
  std::string name;
  std::string summary;  // one line
};

const std::vector<TaskEntry>& task_entries();
bool is_registered_task(std::string_view name);

// A task to be: settings at their defaults, to be changed, then built. `build` checks the settings.
struct TaskPlan {
  SettingTable settings;
  std::function<std::shared_ptr<const Task>()> build;
};

TaskPlan plan_task(std::string_view name);

}  // namespace aria
