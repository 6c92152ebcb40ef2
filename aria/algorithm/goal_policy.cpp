#include "aria/algorithm/goal_policy.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "aria/policy/network.hpp"

namespace aria {

namespace {

// Of a place: its coordinates, how far it is, in which direction, and whether it is far or near. In units of a third of
// the grid's width.
constexpr std::size_t kPlaceExtras = 3;

void place_features(const TaskInfo& info, std::span<const float> target, std::span<float> features) {
  const std::size_t n = target.size();
  const auto unit = static_cast<float>((info.grid.upper[0] - info.grid.lower[0]) / 3);
  float squares = 0;
  for (const float x : target) squares += x * x;
  const float distance = std::sqrt(squares);
  for (std::size_t k = 0; k < n; ++k) {
    features[k] = target[k] / unit;
    features[n + k] = target[k] / (distance + 0.1f * unit);
  }
  features[2 * n] = distance / unit;
  features[2 * n + 1] = std::max(0.0f, distance / unit - 1);
  features[2 * n + 2] = std::max(0.0f, 0.5f - distance / unit);
}

// Of a share: itself about its middle, its square, how little and how much of it there is; and how all shares differ.
constexpr std::size_t kShareFeatures = 4;

void share_features(std::span<const float> target, std::span<float> features) {
  const std::size_t n = target.size();
  for (std::size_t k = 0; k < n; ++k) {
    const float centred = 2 * target[k] - 1;
    features[kShareFeatures * k] = centred;
    features[kShareFeatures * k + 1] = centred * centred;
    features[kShareFeatures * k + 2] = std::max(0.0f, 0.3f - target[k]) * 3;
    features[kShareFeatures * k + 3] = std::max(0.0f, target[k] - 0.7f) * 3;
  }
  features[kShareFeatures * n] = target.front() - target.back();
}

bool is_place(const TaskInfo& info) { return info.path->kind == DescriptorPath::Kind::kPlace; }

}  // namespace

std::size_t goal_feature_count(const TaskInfo& info) {
  const std::size_t n = info.descriptor_size();
  return is_place(info) ? 2 * n + kPlaceExtras : kShareFeatures * n + 1;
}

void goal_features(const TaskInfo& info, std::span<const float> target, std::span<float> features) {
  assert(target.size() == info.descriptor_size() && features.size() == goal_feature_count(info));
  if (is_place(info)) {
    place_features(info, target, features);
  } else {
    share_features(target, features);
  }
}

State InputUnits::save() const {
  State state;
  state.put("mean", mean);
  state.put("scale", scale);
  return state;
}

void InputUnits::load(const State& state) {
  mean = state.get<float>("mean", mean.size());
  scale = state.get<float>("scale", scale.size());
}

State GoalNet::save() const {
  State state = units.save();
  state.put("weights", weights);
  return state;
}

void GoalNet::load(const State& state) {
  units.load(state);
  weights = state.get<float>("weights", weights.size());
}

MlpShape goal_policy_shape(const TaskInfo& info) {
  MlpShape shape = *info.policy;
  shape.sizes.front() += goal_feature_count(info);
  if (!is_place(info) && shape.layers() >= 2) shape.carried = goal_feature_count(info);
  return shape;
}

std::size_t told_count(const TaskInfo& info) { return goal_feature_count(info) + goal_policy_shape(info).carried; }

std::vector<float> told_of(const TaskInfo& info, std::span<const float> target) {
  const std::size_t features = goal_feature_count(info);
  std::vector<float> told(told_count(info));
  goal_features(info, target, std::span(told).first(features));
  std::copy_n(told.begin(), told.size() - features, told.begin() + static_cast<std::ptrdiff_t>(features));
  return told;
}

void fold_told(const TaskInfo& info, const GoalNet& net, std::span<const float> told, std::span<float> genotype) {
  assert(told.size() == told_count(info));
  const std::vector<NetworkLayer> from = network_layers(goal_policy_shape(info));
  const std::vector<NetworkLayer> to = network_layers(*info.policy);
  for (std::size_t i = 0; i < to.size(); ++i) {
    const std::size_t outputs = to[i].shape.outputs;
    const float* weights = net.weights.data() + from[i].first;
    float* biases = genotype.data() + to[i].biases();
    std::copy_n(weights, to[i].shape.weights(), genotype.data() + to[i].first);
    std::copy_n(net.weights.data() + from[i].biases(), outputs, biases);
    // what is told comes behind the layer's own inputs
    for (std::size_t k = to[i].shape.inputs; k < from[i].shape.inputs; ++k) {
      for (std::size_t o = 0; o < outputs; ++o) biases[o] += told.front() * weights[k * outputs + o];
      told = told.subspan(1);
    }
  }
  // observations come in their own units
  const std::size_t outputs = to.front().shape.outputs;
  float* biases = genotype.data() + to.front().biases();
  for (std::size_t i = 0; i < to.front().shape.inputs; ++i) {
    for (std::size_t o = 0; o < outputs; ++o) {
      float& weight = genotype[i * outputs + o];
      weight /= net.units.scale[i];
      biases[o] -= net.units.mean[i] * weight;
    }
  }
}

}  // namespace aria
