#include "aria/task/registry.hpp"

#include "aria/core/nearest_name.hpp"
#include "aria/task/arm.hpp"

namespace aria {

namespace {

TaskPlan plan_arm() {
  auto config = std::make_shared<ArmConfig>();
  TaskPlan plan;
  bind_settings(plan.settings, *config);
  plan.build = [config] { return std::make_shared<Arm>(*config); };
  return plan;
}

struct Registered {
  TaskEntry entry;
  TaskPlan (*plan)();
};

const std::vector<Registered>& registered() {
  static const std::vector<Registered> all = {
      {{"arm", "noisy redundant arm on the plane: descriptor = where its end lies, fitness = joints alike"}, plan_arm},
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

TaskPlan plan_task(std::string_view name) {
  std::vector<std::string> names;
  for (const Registered& r : registered()) {
    if (r.entry.name == name) return r.plan();
    names.push_back(r.entry.name);
  }
  throw_unknown("task", name, names);
}

}  // namespace aria
