#include "aria/task/registry.hpp"

#include <algorithm>

#include "aria/core/nearest_name.hpp"
#include "aria/task/ant.hpp"
#include "aria/task/arm.hpp"
#include "aria/task/walker.hpp"

namespace aria {

namespace {

template <class Config, auto kMake>
TaskPlan plan() {
  auto config = std::make_shared<Config>();
  TaskPlan result;
  bind_settings(result.settings, *config);
  result.build = [config] { return kMake(*config); };
  return result;
}

std::shared_ptr<const Task> make_arm(const ArmConfig& config) { return std::make_shared<Arm>(config); }

struct Registered {
  TaskEntry entry;
  TaskPlan (*plan)();
};

const std::vector<Registered>& registered() {
  static const std::vector<Registered> all = {
      {{"arm", "noisy redundant arm on the plane: descriptor = where its end lies, fitness = joints alike"},
       plan<ArmConfig, make_arm>},
      {{"ant", "four-legged robot: descriptor = where it ends up, fitness = staying up with little effort"},
       plan<AntConfig, make_ant>},
      {{"walker", "two-legged robot in a plane: descriptor = share of time on each foot, fitness = walking forwards"},
       plan<WalkerConfig, make_walker>},
  };
  return all;
}

}  // namespace

const std::vector<TaskEntry>& task_entries() {
  static const std::vector<TaskEntry> entries = [] {
    std::vector<TaskEntry> result;
    for (const Registered& r : registered()) result.push_back(r.entry);
    return result;
  }();
  return entries;
}

bool is_registered_task(std::string_view name) {
  return std::ranges::any_of(task_entries(), [&](const TaskEntry& entry) { return entry.name == name; });
}

TaskPlan plan_task(std::string_view name) {
  std::vector<std::string> names;
  for (const Registered& r : registered()) {
    if (r.entry.name == name) return r.plan();
    names.push_back(r.entry.name);
  }
  throw_unknown("task", name, names);
}

}  // namespace aria
