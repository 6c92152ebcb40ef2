// One policy that is told its target: how a target is put to it, and how a plain genotype for one target is read off.
// The target does not change during an episode, so what it adds to a layer is a part of that layer's biases.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "aria/core/state.hpp"
#include "aria/policy/mlp_shape.hpp"
#include "aria/task/task.hpp"

namespace aria {

// What a policy is told of its target.
std::size_t goal_feature_count(const TaskInfo& info);
void goal_features(const TaskInfo& info, std::span<const float> target, std::span<float> features);

// The units in which networks see observations.
struct InputUnits {
  std::vector<float> mean;   // (observation size)
  std::vector<float> scale;  // (observation size)

  explicit InputUnits(std::size_t observations) : mean(observations, 0.0f), scale(observations, 1.0f) {}
  float seen(std::size_t i, float observation) const { return (observation - mean[i]) / scale[i]; }

  State save() const;
  void load(const State& state);
};

// A policy that is told its target, at one time of its training.
struct GoalNet {
  std::vector<float> weights;
  InputUnits units;

  State save() const;
  void load(const State& state);  // of a net of the same size
};

// The task's own shape, with the features behind the observation. Those of shares go to both hidden layers.
MlpShape goal_policy_shape(const TaskInfo& info);

// What is told: the features, once for each layer that they go to.
std::size_t told_count(const TaskInfo& info);
std::vector<float> told_of(const TaskInfo& info, std::span<const float> target);

// The genotype of the task's own shape that does what the policy does when it is told this.
void fold_told(const TaskInfo& info, const GoalNet& net, std::span<const float> told, std::span<float> genotype);

}  // namespace aria
