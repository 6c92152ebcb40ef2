#include "aria/run/trajectory_file.hpp"

#include <nlohmann/json.hpp>

#include "aria/persistence/file_format.hpp"
#include "aria/persistence/npz.hpp"

namespace aria {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "aria-trajectory";

std::string header_of(const RobotTask& task, const Trajectory& trajectory,
                      const std::map<std::string, std::string>& origin) {
  const PhysicsModel& model = task.simulator().model();
  Json header;
  header["format"] = kFormat;
  header["version"] = 1;
  header["task"] = task.info().name;
  header["step_seconds"] = model.step;
  header["bodies"] = Json::array();
  for (const Body& body : model.bodies) header["bodies"].push_back(body.name);
  header["joints"] = Json::array();
  for (const Joint& joint : model.joints) header["joints"].push_back(joint.name);
  header["length"] = trajectory.length;
  header["fitness"] = trajectory.fitness;
  header["descriptor"] = trajectory.descriptor;
  header["origin"] = origin;
  return header.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

void write_trajectory(const std::filesystem::path& path, const RobotTask& task, const Trajectory& trajectory,
                      const std::map<std::string, std::string>& origin) {
  const std::size_t steps = trajectory.steps;
  const std::size_t bodies = task.simulator().model().bodies.size();
  const std::size_t joints = task.simulator().model().joints.size();
  NpzWriter writer;
  writer.add_text("header.json", header_of(task, trajectory, origin));
  writer.add("noise", {2, joints}, trajectory.noise);
  writer.add("state", {steps + 1, bodies, kBodyState}, trajectory.state);
  writer.add("observation", {steps + 1, task.policy().inputs()}, trajectory.observation);
  writer.add("action", {steps, joints}, trajectory.action);
  writer.add("reward", trajectory.reward);
  writer.add("terminated", trajectory.terminated);
  writer.add("contact", {steps + 1, bodies}, trajectory.contact);
  writer.save(path);
}

bool is_trajectory(const std::filesystem::path& path) { return format_of_file(path) == kFormat; }

}  // namespace aria
