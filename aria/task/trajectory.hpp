// One rollout, step by step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "aria/core/matrix.hpp"
#include "aria/task/robot_task.hpp"

namespace aria {

inline constexpr std::size_t kBodyState = 13;  // position 3, quaternion w x y z, velocity 3, angular velocity 3

struct Trajectory {
  std::size_t steps = 0;                 // recorded
  std::vector<float> noise;              // (2 x joints) of the start: angles, then rates
  std::vector<float> state;              // (steps + 1 x bodies x kBodyState), the first is the start
  std::vector<float> observation;        // (steps + 1 x observation size)
  std::vector<float> action;             // (steps x joints)
  std::vector<float> reward;             // (steps)
  std::vector<std::uint8_t> terminated;  // (steps) whether the robot had fallen after the step
  std::vector<std::uint8_t> contact;     // (steps + 1 x bodies) whether the ground pushed a body during the step

  // Of the episode: up to the step after which the robot had fallen for the first time.
  std::size_t length = 0;
  float fitness = 0;
  std::vector<float> descriptor;  // (descriptor size)
};

// Closed loop: a policy acts until the episode ends. Gives the bits that the task's evaluation gives. `noise` is
// (2 x joints).
Trajectory record_rollout(const RobotTask& task, std::span<const float> policy, std::span<const float> noise);

// Open loop: every one of the actions given (steps x joints) is done, also after the robot has fallen.
Trajectory record_actions(const RobotTask& task, MatrixView actions, std::span<const float> noise);

// The noise of the start that evaluation (key, id, sample) has.
std::vector<float> reset_noise(const RobotTask& task, Key key, std::uint32_t id, std::uint32_t sample);

}  // namespace aria
