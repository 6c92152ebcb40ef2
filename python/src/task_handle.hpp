// A task as Python holds it: the task, and the settings it was made with.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "aria/run/configuration.hpp"
#include "python/src/function_task.hpp"

namespace aria::python {

using NamedValues = std::vector<std::pair<std::string, std::string>>;

struct TaskHandle {
  std::string name;
  ResolvedTask resolved;
  std::shared_ptr<const FunctionTask> function;  // where it is the user's

  const Task& task() const { return *resolved.task; }
  const TaskInfo& info() const { return resolved.task->info(); }

  // The task together with settings that are the algorithm's.
  ResolvedTask with_settings(const NamedValues& settings) const {
    ResolvedTask result = resolved;
    result.left_over = settings;
    return result;
  }
};

}  // namespace aria::python
