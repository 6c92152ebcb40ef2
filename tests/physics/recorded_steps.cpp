#include "tests/physics/recorded_steps.hpp"

#include <filesystem>
#include <variant>

#include "aria/persistence/npz.hpp"

namespace aria::testing {

RecordedSteps::Array RecordedSteps::array(const std::string& robot, const std::string& name) {
  const std::filesystem::path path = std::filesystem::path(ARIA_TEST_DATA) / "physics" / (robot + "_steps.npz");
  const NpyArray array = NpzReader(path).read_array(name);
  const auto widened = [](const auto& values) { return std::vector<double>(values.begin(), values.end()); };
  return {array.shape, std::visit(widened, array.values)};
}

RecordedSteps::RecordedSteps(const std::string& robot)
    : noise_(array(robot, "noise")),
      actions_(array(robot, "actions")),
      state_(array(robot, "state")),
      observation_(array(robot, "obs")),
      reward_(array(robot, "reward")),
      contact_(array(robot, "contact")) {}

std::span<const double> RecordedSteps::angle_noise(std::size_t trajectory) const {
  return std::span(noise_.values).subspan(2 * trajectory * noise_.shape[2], noise_.shape[2]);
}

std::span<const double> RecordedSteps::rate_noise(std::size_t trajectory) const {
  return std::span(noise_.values).subspan((2 * trajectory + 1) * noise_.shape[2], noise_.shape[2]);
}

std::span<const double> RecordedSteps::actions(std::size_t trajectory, std::size_t step) const {
  return std::span(actions_.values).subspan((trajectory * kSteps + step) * actions_.shape[2], actions_.shape[2]);
}

ReferenceWorld RecordedSteps::world(std::size_t trajectory, std::size_t time) const {
  ReferenceWorld world;
  world.bodies.resize(state_.shape[2]);
  world.joint_angle.resize(actions_.shape[2]);
  world.joint_rate.resize(actions_.shape[2]);
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    ReferenceBody& body = world.bodies[b];
    const double* row = &state_.values[((trajectory * (kSteps + 1) + time) * world.bodies.size() + b) * 13];
    body.position = {row[0], row[1], row[2]};
    body.rotation = {row[3], row[4], row[5], row[6]};
    body.velocity = {row[7], row[8], row[9]};
    body.spin = {row[10], row[11], row[12]};
  }
  return world;
}

std::span<const double> RecordedSteps::observation(std::size_t trajectory, std::size_t time) const {
  const std::size_t length = observation_.shape[2];
  return std::span(observation_.values).subspan((trajectory * (kSteps + 1) + time) * length, length);
}

double RecordedSteps::reward(std::size_t trajectory, std::size_t step) const {
  return reward_.values[trajectory * kSteps + step];
}

bool RecordedSteps::contact(std::size_t trajectory, std::size_t time, std::size_t body) const {
  return contact_.values[(trajectory * (kSteps + 1) + time) * contact_.shape[2] + body] != 0;
}

}  // namespace aria::testing
