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

void check_episode_length(std::size_t length) {
  require(length >= 1 && length <= kLongestEpisode, "episode_length", fmt::format("from 1 to {}", kLongestEpisode),
          length);
}

void check_hidden_layers(const std::vector<std::size_t>& hidden) {
  require(hidden.size() <= kMostLayers, "hidden", fmt::format("at most {} layers", kMostLayers), hidden.size());
  for (const std::size_t size : hidden) {
    require(size >= 1 && size <= kWidestLayer, "hidden", fmt::format("layers of 1 to {} units", kWidestLayer), hidden);
  }
}

RobotTask::RobotTask(std::shared_ptr<const Robot> robot, EpisodeRules rules, const std::vector<std::size_t>& hidden,
                     TaskInfo info)
    : robot_(std::move(robot)),
      simulator_(robot_->model()),
      rules_(rules),
      policy_(policy_shape(*robot_, hidden)),
      info_(std::move(info)) {
  info_.parameters = policy_.parameters();
  info_.genotype = fmt::format("the weights of a policy of layers {}", fmt::join(policy_.sizes, "-"));
}

void RobotTask::evaluate(const SampleRequest& request, std::size_t first, const EvaluationRows& out) const {
  Rollouts(*this, request).run(first, out);
}

void RobotTask::initial_genotype(Key key, std::uint32_t id, std::span<float> genotype) const {
  initial_policy(policy_, key, id, genotype);
}

}  // namespace aria
