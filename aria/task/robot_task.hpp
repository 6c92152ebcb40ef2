// A task whose genotypes are the weights of a policy that moves a simulated robot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "aria/core/settings.hpp"
#include "aria/physics/simulator.hpp"
#include "aria/policy/mlp_shape.hpp"
#include "aria/task/robot.hpp"
#include "aria/task/task.hpp"

namespace aria {

// What the settings of all robots have in common; the defaults are each robot's own.
struct RobotConfig {
  std::size_t episode_length = 0;              // steps after which an episode ends at the latest
  double reset_noise = 0;                      // joint angles and rates start within this of rest, rad and rad/s
  double min_height = 0;                       // of the torso, below which an episode ends, m
  double max_height = 0;                       // above which it ends, m
  double alive_reward = 0;                     // per step
  double control_cost = 0;                     // per sum of squared actions
  std::vector<std::size_t> grid = {32, 32};    // cells along each coordinate of the descriptor
  std::vector<std::size_t> hidden = {64, 64};  // sizes of the policy's hidden layers

  void validate() const;
};

void bind_settings(SettingTable& table, RobotConfig& config);

class RobotTask : public Task {
 public:
  // `info` without its number of parameters, which follows from the policy. An InputError where its grid, or the
  // robot's feet, are not as many as the numbers that describe an episode.
  RobotTask(std::shared_ptr<const Robot> robot, const RobotConfig& config, TaskInfo info);

  const TaskInfo& info() const override { return info_; }
  void evaluate(const SampleRequest& request, std::size_t first, const EvaluationRows& out) const override;
  // a rollout takes as long as thousands of arms do
  std::size_t evaluations_at_once() const override { return 256; }
  void initial_genotype(Key key, std::uint32_t id, std::span<float> genotype) const override;

  std::vector<TaskSymmetry> symmetries() const override;

  const Robot& robot() const { return *robot_; }
  const Simulator& simulator() const { return simulator_; }
  const MlpShape& policy() const { return policy_; }
  std::size_t episode_length() const { return episode_length_; }
  float reset_noise() const { return reset_noise_; }

 private:
  std::shared_ptr<const Robot> robot_;
  Simulator simulator_;
  std::size_t episode_length_;
  float reset_noise_;
  MlpShape policy_;
  TaskInfo info_;
};

}  // namespace aria
