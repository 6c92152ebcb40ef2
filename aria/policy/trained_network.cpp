#include "aria/policy/trained_network.hpp"

#include <cassert>
#include <utility>

#include "aria/core/require.hpp"

namespace aria {

TrainedNetwork::TrainedNetwork(const MlpShape& shape, std::vector<float> parameters)
    : parameters_(std::move(parameters)),
      target_(parameters_),
      gradient_(parameters_.size()),
      adam_(parameters_.size()),
      packed_(shape),
      packed_target_(shape) {
  assert(parameters_.size() == shape.parameters());
  pack();
}

void TrainedNetwork::pack() {
  packed_.set(parameters_);
  packed_target_.set(target_);
}

void TrainedNetwork::ascend(const AdamConfig& adam, double rate) {
  adam_ascend(adam, adam_, gradient_, parameters_);
  const auto share = static_cast<float>(rate);
  const auto rest = static_cast<float>(1 - rate);
  for (std::size_t i = 0; i < target_.size(); ++i) target_[i] = rest * target_[i] + share * parameters_[i];
  pack();
}

void TrainedNetwork::ascend(const AdamConfig& adam) {
  adam_ascend(adam, adam_, gradient_, parameters_);
  packed_.set(parameters_);
}

State TrainedNetwork::save() const {
  State state;
  state.put("parameters", parameters_);
  state.put("target", target_);
  state.put("adam_mean", adam_.mean);
  state.put("adam_square", adam_.square);
  state.put("adam_steps", adam_.steps);
  return state;
}

void TrainedNetwork::load(const State& state) {
  const std::size_t count = parameters_.size();
  const std::int64_t steps = state.get_integer("adam_steps");
  require(steps >= 0 && steps <= std::int64_t{1} << 53, "'adam_steps' of the saved state", "from 0 to 2^53", steps);
  parameters_ = state.get<float>("parameters", count);
  target_ = state.get<float>("target", count);
  adam_.mean = state.get<float>("adam_mean", count);
  adam_.square = state.get<float>("adam_square", count);
  adam_.steps = steps;
  pack();
}

}  // namespace aria
