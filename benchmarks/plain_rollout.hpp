// What rollouts are measured against: one at a time, with policy and physics written plainly. What a robot sees and is
// paid it says itself, of a single world.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "aria/task/robot_task.hpp"
#include "benchmarks/plain_physics.hpp"
#include "benchmarks/plain_policy.hpp"

namespace aria::benchmarks {

class PlainRollout {
 public:
  explicit PlainRollout(const RobotTask& task)
      : task_(task),
        physics_(task.simulator().model()),
        state_(task.simulator().model(), 1),
        episodes_(state_.stride, task.robot().noted_size()),
        observations_(task.policy().inputs() * state_.stride),
        actions_(task.policy().outputs() * state_.stride) {}

  // Gives the fitness. `noise` is (2 x joints) of the start: angles, then rates.
  float run(std::span<const float> policy, std::span<const float> noise) {
    start(noise);
    float fitness = 0;
    for (std::size_t step = 0; step < task_.episode_length(); ++step) {
      task_.robot().observe(state_, observations_.data());
      const std::vector<float> actions = plain_policy(task_.policy(), policy, column(observations_));
      for (std::size_t j = 0; j < actions.size(); ++j) actions_[j * state_.stride] = actions[j];
      task_.robot().note(state_, episodes_);
      physics_.step(actions.data());
      physics_.write(state_, 0);
      task_.robot().judge(state_, actions_.data(), episodes_);
      fitness += episodes_.reward[0];
      if (episodes_.fallen[0] != 0) break;
    }
    return fitness;
  }

 private:
  void start(std::span<const float> noise) {
    const std::size_t joints = noise.size() / 2;
    std::vector<float> rows(noise.size() * state_.stride);
    for (std::size_t i = 0; i < noise.size(); ++i) rows[i * state_.stride] = noise[i];
    task_.simulator().reset(state_, rows.data(), &rows[joints * state_.stride]);
    physics_.read(state_, 0);
    episodes_.start(0);
  }

  std::vector<float> column(const std::vector<float>& rows) const {
    std::vector<float> result;
    for (std::size_t i = 0; i < rows.size(); i += state_.stride) result.push_back(rows[i]);
    return result;
  }

  const RobotTask& task_;
  PlainPhysics physics_;
  PhysicsState state_;  // of one world
  Episodes episodes_;
  std::vector<float> observations_;  // (inputs x stride)
  std::vector<float> actions_;       // (joints x stride)
};

}  // namespace aria::benchmarks
