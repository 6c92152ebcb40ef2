// Tasks: what there is, making one, evaluating solutions, recording rollouts.
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "aria/algorithm/registry.hpp"
#include "aria/core/finite.hpp"
#include "aria/core/nearest_name.hpp"
#include "aria/core/require.hpp"
#include "aria/task/registry.hpp"
#include "aria/task/trajectory.hpp"
#include "python/src/arrays.hpp"
#include "python/src/bindings.hpp"
#include "python/src/interrupts.hpp"
#include "python/src/tables.hpp"
#include "python/src/task_handle.hpp"

namespace aria::python {

namespace {

constexpr std::size_t kMostSteps = 1'000'000;

const char* kind_name(SettingTable::Kind kind) {
  switch (kind) {
    case SettingTable::Kind::kInteger:
      return "int";
    case SettingTable::Kind::kNumber:
      return "float";
    case SettingTable::Kind::kIntegers:
      return "ints";
    case SettingTable::Kind::kText:
      break;
  }
  return "str";
}

nb::list to_list(const SettingTable& table) {
  nb::list list;
  for (const auto& entry : table.entries()) {
    nb::dict setting;
    setting["name"] = entry.name;
    setting["meaning"] = entry.meaning;
    setting["kind"] = kind_name(entry.kind);
    setting["default"] = entry.get();
    setting["choices"] = entry.choices;
    list.append(setting);
  }
  return list;
}

nb::list list_tasks() {
  nb::list list;
  for (const TaskEntry& entry : task_entries()) {
    nb::dict task;
    task["name"] = entry.name;
    task["summary"] = entry.summary;
    task["settings"] = to_list(plan_task(entry.name).settings);
    list.append(task);
  }
  return list;
}

nb::list list_algorithms(const TaskHandle& task, const std::string& preset) {
  nb::list list;
  for (const AlgorithmEntry& entry : algorithm_entries()) {
    nb::dict algorithm;
    algorithm["name"] = entry.name;
    algorithm["summary"] = entry.summary;
    algorithm["needs_archive"] = entry.needs_archive;
    algorithm["compared"] = entry.compared;
    algorithm["settings"] = to_list(plan_algorithm(entry.name, task.info(), parse_preset(preset)).settings);
    list.append(algorithm);
  }
  return list;
}

std::shared_ptr<TaskHandle> make_task(const std::string& name, const NamedValues& settings) {
  auto handle = std::make_shared<TaskHandle>();
  handle->name = name;
  handle->resolved = resolve_task(name, settings);
  if (!handle->resolved.left_over.empty()) {
    throw_unknown("setting", handle->resolved.left_over[0].first, handle->resolved.setting_names);
  }
  return handle;
}

// What is recorded of a task that is a function: what its archive and its solutions look like.
std::vector<ResolvedSetting> recorded_settings(const FunctionConfig& config) {
  const GridShape& grid = config.info.grid;
  std::vector<std::string> ranges;
  for (std::size_t k = 0; k < grid.cells.size(); ++k) {
    ranges.push_back(fmt::format("{} .. {}", grid.lower[k], grid.upper[k]));
  }
  const Range& fitness = config.info.fitness_range;
  std::vector<ResolvedSetting> settings{{"parameters", fmt::format("{}", config.info.parameters)},
                                        {"grid", fmt::format("[{}]", fmt::join(grid.cells, ", "))},
                                        {"ranges", fmt::format("{}", fmt::join(ranges, ", ")), true},
                                        {"fitness_range", fmt::format("{} .. {}", fitness.lower, fitness.upper), true}};
  if (!config.symmetries.empty()) settings.push_back({"symmetries", fmt::format("{}", config.symmetries.size())});
  return settings;
}

// What the user declared, with what follows from it.
std::vector<TaskSymmetry> to_symmetries(const nb::list& declared, const TaskInfo& info) {
  std::vector<TaskSymmetry> few;
  for (const nb::handle entry : declared) {
    const auto dict = nb::cast<nb::dict>(entry);
    TaskSymmetry symmetry{nb::cast<std::string>(dict["name"]), to_map(nb::cast<nb::dict>(dict["solutions"])),
                          to_map(nb::cast<nb::dict>(dict["measures"]))};
    symmetry.genotype.check(info.parameters, fmt::format("the map of solutions of '{}'", symmetry.name));
    symmetry.descriptor.check(info.descriptor_size(), fmt::format("the map of measures of '{}'", symmetry.name));
    few.push_back(std::move(symmetry));
  }
  return generated_by(few);
}

nb::dict map_of_policy(const std::vector<std::size_t>& layers, const nb::dict& observations, const nb::dict& actions) {
  const MlpShape shape{layers};
  shape.validate();
  return to_dict(policy_map(shape, to_map(observations), to_map(actions)));
}

std::shared_ptr<TaskHandle> make_function(const nb::object& function, const nb::dict& description) {
  FunctionConfig config;
  TaskInfo& info = config.info;
  const auto pair = [&](const char* name) { return nb::cast<std::pair<double, double>>(description[name]); };
  info.name = nb::cast<std::string>(description["name"]);
  info.parameters = nb::cast<std::size_t>(description["parameters"]);
  info.grid = to_grid_shape(nb::cast<nb::dict>(description["grid"]));
  const Grid checked(info.grid);
  info.fitness_range = {pair("fitness_range").first, pair("fitness_range").second};
  double diagonal = 0;
  for (std::size_t k = 0; k < info.grid.cells.size(); ++k) {
    diagonal += (info.grid.upper[k] - info.grid.lower[k]) * (info.grid.upper[k] - info.grid.lower[k]);
  }
  info.distance_range = {0, std::sqrt(diagonal)};
  config.lower = to_vector(nb::cast<Vector<float>>(description["lower"]));
  config.upper = to_vector(nb::cast<Vector<float>>(description["upper"]));
  config.function = function;
  config.batch_size = nb::cast<std::size_t>(description["batch_size"]);
  config.skip_errors = nb::cast<bool>(description["skip_errors"]);
  config.symmetries = to_symmetries(nb::cast<nb::list>(description["symmetries"]), info);
  auto handle = std::make_shared<TaskHandle>();
  handle->name = info.name;
  handle->resolved.settings = recorded_settings(config);
  handle->function = std::make_shared<FunctionTask>(std::move(config));
  handle->resolved.task = handle->function;
  return handle;
}

nb::tuple evaluate(const TaskHandle& handle, const Rows& solutions, std::uint64_t seed, std::size_t samples) {
  SampleRequest request;
  request.centres = to_matrix(solutions);
  request.ids.resize(request.centres.rows());
  std::iota(request.ids.begin(), request.ids.end(), 0u);
  request.samples = samples;
  request.key = Key(seed);
  check_request(request, handle.info());
  Evaluations evaluations;
  if (handle.function) {
    FunctionEvaluator(handle.function).evaluate(request, evaluations);
  } else {
    Watch watch{nb::none()};
    LocalEvaluator evaluator(handle.resolved.task, [&] { return watch.stopped(); });
    watch.run_beside([&] { evaluator.evaluate(request, evaluations); });
  }
  const std::size_t n = request.centres.rows();
  const std::size_t m = handle.info().descriptor_size();
  if (samples == 1) return nb::make_tuple(to_numpy(evaluations.fitness), to_numpy(evaluations.descriptors));
  return nb::make_tuple(to_numpy(std::move(evaluations.fitness), {n, samples}),
                        to_numpy(evaluations.descriptors.values(), {n, samples, m}));
}

nb::object initial_solutions(const TaskHandle& handle, std::size_t count, std::uint64_t seed) {
  Matrix solutions(count, handle.info().parameters);
  for (std::size_t i = 0; i < count; ++i) {
    handle.task().initial_genotype(Key(seed), static_cast<std::uint32_t>(i), solutions.row(i));
  }
  return to_numpy(solutions);
}

const RobotTask& as_robot(const TaskHandle& handle) {
  const auto* robot = dynamic_cast<const RobotTask*>(&handle.task());
  require(robot != nullptr, "the task of a rollout", "a robot, such as Ant or Walker", handle.name);
  return *robot;
}

nb::dict trajectory_dict(const RobotTask& task, Trajectory trajectory) {
  const PhysicsModel& model = task.simulator().model();
  const std::size_t steps = trajectory.steps;
  const std::size_t bodies = model.bodies.size();
  const std::size_t joints = model.joints.size();
  nb::dict dict;
  dict["noise"] = to_numpy(std::move(trajectory.noise), {2, joints});
  dict["state"] = to_numpy(std::move(trajectory.state), {steps + 1, bodies, kBodyState});
  dict["observation"] = to_numpy(std::move(trajectory.observation), {steps + 1, task.policy().inputs()});
  dict["action"] = to_numpy(std::move(trajectory.action), {steps, joints});
  dict["reward"] = to_numpy(trajectory.reward);
  dict["terminated"] = to_numpy(trajectory.terminated);
  dict["contact"] = to_numpy(std::move(trajectory.contact), {steps + 1, bodies});
  dict["length"] = trajectory.length;
  dict["fitness"] = trajectory.fitness;
  dict["descriptor"] = to_numpy(trajectory.descriptor);
  nb::list body_names;
  for (const Body& body : model.bodies) body_names.append(body.name);
  nb::list joint_names;
  for (const Joint& joint : model.joints) joint_names.append(joint.name);
  dict["bodies"] = body_names;
  dict["joints"] = joint_names;
  return dict;
}

// A policy or actions, one of the two; noise of the start where it is given, else drawn by the seed.
nb::dict rollout(const TaskHandle& handle, const std::optional<Vector<float>>& policy,
                 const std::optional<Rows>& actions, const std::optional<Rows>& noise, std::uint64_t seed) {
  const RobotTask& task = as_robot(handle);
  const std::size_t joints = task.policy().outputs();
  std::vector<float> start = reset_noise(task, Key(seed), 0, 0);
  if (noise) {
    require(noise->shape(0) == 2 && noise->shape(1) == joints, "reset_noise", fmt::format("of shape (2, {})", joints),
            fmt::format("({}, {})", noise->shape(0), noise->shape(1)));
    start = to_matrix(*noise).values();
  }
  require(all_finite(start), "reset_noise", "finite", "a number that is not");
  Trajectory trajectory;
  if (policy) {
    const std::vector<float> weights = to_vector(*policy);
    require_genotype_length(handle.info(), weights.size(), "a solution");
    require(all_finite(weights), "a solution", "finite", "a number that is not");
    const nb::gil_scoped_release without_lock;
    trajectory = record_rollout(task, weights, start);
  } else {
    const Matrix steps = to_matrix(actions.value());
    require(steps.rows() >= 1 && steps.rows() <= kMostSteps && steps.columns() == joints, "actions",
            fmt::format("of shape (1 to {} steps, {} joints)", kMostSteps, joints),
            fmt::format("({}, {})", steps.rows(), steps.columns()));
    require(all_finite(steps.values()), "actions", "finite", "a number that is not");
    const nb::gil_scoped_release without_lock;
    trajectory = record_actions(task, steps, start);
  }
  return trajectory_dict(task, std::move(trajectory));
}

NamedValues settings_of(const TaskHandle& handle) {
  NamedValues values;
  for (const ResolvedSetting& setting : handle.resolved.settings) values.emplace_back(setting.name, setting.value);
  return values;
}

std::pair<double, double> to_pair(const Range& range) { return {range.lower, range.upper}; }

// A function and its task may lead to each other, by the module that both are in: the collector has to know of it.
// Where something else holds the task too, the function is not the handle's alone to give up.
int visit_function(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  const auto* handle = nb::inst_ptr<TaskHandle>(self);
  constexpr long kOwn = 2;  // by `function` and by `resolved`
  if (handle->function && handle->function.use_count() == kOwn) {
    Py_VISIT(handle->function->config().function.ptr());
  }
  return 0;
}

int clear_function(PyObject* self) {
  auto* handle = nb::inst_ptr<TaskHandle>(self);
  handle->function.reset();
  handle->resolved.task.reset();
  return 0;
}

PyType_Slot collected[] = {{Py_tp_traverse, reinterpret_cast<void*>(visit_function)},
                           {Py_tp_clear, reinterpret_cast<void*>(clear_function)},
                           {0, nullptr}};

}  // namespace

void bind_tasks(nb::module_& module) {
  nb::class_<TaskHandle>(module, "Task", nb::type_slots(collected), "A task and the settings it was made with.")
      .def_prop_ro("name", [](const TaskHandle& task) { return task.name; })
      .def_prop_ro("settings", &settings_of, "Names and values, as texts.")
      .def_prop_ro("parameters", [](const TaskHandle& task) { return task.info().parameters; })
      .def_prop_ro("grid", [](const TaskHandle& task) { return to_dict(task.info().grid); })
      .def_prop_ro("measure_names", [](const TaskHandle& task) { return task.info().descriptor_names; })
      .def_prop_ro("fitness_range", [](const TaskHandle& task) { return to_pair(task.info().fitness_range); })
      .def_prop_ro("symmetries", [](const TaskHandle& task) { return task.task().symmetries().size(); })
      .def_prop_ro("is_function", [](const TaskHandle& task) { return task.function != nullptr; })
      .def_prop_ro("is_robot",
                   [](const TaskHandle& task) { return dynamic_cast<const RobotTask*>(&task.task()) != nullptr; })
      .def("evaluate", &evaluate, nb::arg("solutions"), nb::arg("seed"), nb::arg("samples"),
           "Objectives and measures of every solution, `samples` times each.")
      .def("initial_solutions", &initial_solutions, nb::arg("count"), nb::arg("seed"))
      .def("rollout", &rollout, nb::arg("policy").none(), nb::arg("actions").none(), nb::arg("reset_noise").none(),
           nb::arg("seed"));
  module.def("list_tasks", &list_tasks, "Every task with its settings.");
  module.def("list_algorithms", &list_algorithms, nb::arg("task"), nb::arg("preset"),
             "Every algorithm with its settings and their defaults on a task.");
  module.def("make_task", &make_task, nb::arg("name"), nb::arg("settings"));
  module.def("map_of_policy", &map_of_policy, nb::arg("layers"), nb::arg("observations"), nb::arg("actions"),
             "The map of a policy's weights that goes with those of what it sees and does.");
  module.def("make_function", &make_function, nb::arg("function").none(), nb::arg("description"),
             "A task that is a function of the user's.");
}

}  // namespace aria::python
