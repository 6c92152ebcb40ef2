// One policy that is told its target: how a target is put to it, and how a plain genotype for one target is read off.
// The target does not change during an episode, so what it adds to the first layer is a part of that layer's biases.
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

// Of the policy that is told its target: the task's own, with the features behind the observation.
MlpShape goal_policy_shape(const TaskInfo& info);

// The genotype of the task's own shape that does for this target what the policy does.
void fold_target(const TaskInfo& info, std::span<const float> policy, const InputUnits& units,
                 std::span<const float> target, std::span<float> genotype);

}  // namespace aria
