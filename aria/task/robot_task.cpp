#include "aria/task/robot_task.hpp"

#include <utility>

#include "aria/core/require.hpp"
#include "aria/policy/initial_policy.hpp"
#include "aria/task/rollouts.hpp"

namespace aria {

namespace {

constexpr std::size_t kLongestEpisode = 1'000'000;
constexpr std::size_t kWidestLayer = 4096;
constexpr std::size_t kMostLayers = 16;

MlpShape policy_shape(const Robot& robot, const std::vector<std::size_t>& hidden) {
  MlpShape shape;
  shape.sizes.push_back(robot.observation_size());
  shape.sizes.insert(shape.sizes.end(), hidden.begin(), hidden.end());
  shape.sizes.push_back(robot.model().joints.size());
  shape.validate();
  return shape;
}

}  // namespace

// Limits keep a mistyped number from asking for all memory.
void RobotConfig::validate() const {
  require(episode_length >= 1 && episode_length <= kLongestEpisode, "episode_length",
          fmt::format("from 1 to {}", kLongestEpisode), episode_length);
  require(reset_noise >= 0 && reset_noise <= 1, "reset_noise", "from 0 to 1", reset_noise);
  require(max_height > min_height, "max_height", fmt::format("above min_height ({})", min_height), max_height);
  require(hidden.size() <= kMostLayers, "hidden", fmt::format("at most {} layers", kMostLayers), hidden.size());
  for (const std::size_t size : hidden) {
    require(size >= 1 && size <= kWidestLayer, "hidden", fmt::format("layers of 1 to {} units", kWidestLayer), hidden);
  }
}

void bind_settings(SettingTable& table, RobotConfig& config) {
  table.add("episode_length", config.episode_length, "steps of an episode, at most");
  table.add("reset_noise", config.reset_noise, "joint angles and rates start within this of rest, rad and rad/s");
  table.add("min_height", config.min_height, "an episode ends when the torso is below, m");
  table.add("max_height", config.max_height, "or above, m");
  table.add("alive_reward", config.alive_reward, "reward of every step");
  table.add("control_cost", config.control_cost, "cost of the sum of the squared actions");
  table.add("grid", config.grid, "cells along each coordinate of the descriptor");
  table.add("hidden", config.hidden, "sizes of the policy's hidden layers");
}

RobotTask::RobotTask(std::shared_ptr<const Robot> robot, const RobotConfig& config, TaskInfo info)
    : robot_(std::move(robot)),
      simulator_(robot_->model()),
      episode_length_(config.episode_length),
      reset_noise_(static_cast<float>(config.reset_noise)),
      policy_(policy_shape(*robot_, config.hidden)),
      info_(std::move(info)) {
  const std::size_t size = robot_->descriptor_size();
  require(info_.descriptor_size() == size, "the grid's dimensions",
          fmt::format("{}, as many as numbers describe an episode", size), info_.descriptor_size());
  const std::size_t feet = robot_->feet().size();
  require(feet == 0 || feet == size, "the robot's feet",
          fmt::format("{}, one for each number that describes an episode", size), feet);
  info_.parameters = policy_.parameters();
  info_.policy = policy_;
  info_.path = DescriptorPath{robot_->path(), episode_length_};
  info_.genotype = fmt::format("the weights of a policy of layers {}", fmt::join(policy_.sizes, "-"));
}

void RobotTask::evaluate(const SampleRequest& request, std::size_t first, const EvaluationRows& out) const {
  Rollouts(*this, request).run(first, out);
}

void RobotTask::initial_genotype(Key key, std::uint32_t id, std::span<float> genotype) const {
  initial_policy(policy_, key, id, genotype);
}

std::vector<TaskSymmetry> RobotTask::symmetries() const {
  std::vector<TaskSymmetry> result;
  for (const RobotSymmetry& symmetry : robot_->symmetries()) {
    result.push_back(
        {symmetry.name, policy_map(policy_, symmetry.observations, symmetry.actions), symmetry.descriptor});
  }
  return result;
}

}  // namespace aria
