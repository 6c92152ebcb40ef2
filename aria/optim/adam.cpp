#include "aria/optim/adam.hpp"

#include <cassert>
#include <cmath>

#include "aria/core/require.hpp"

namespace aria {

void AdamConfig::validate() const {
  require(learning_rate > 0 && learning_rate <= 10, "learning_rate", "above 0, at most 10", learning_rate);
  require(beta1 >= 0 && beta1 < 1, "beta1", "at least 0, below 1", beta1);
  require(beta2 >= 0 && beta2 < 1, "beta2", "at least 0, below 1", beta2);
  require(epsilon > 0, "epsilon", "above 0", epsilon);
}

void adam_ascend(const AdamConfig& config, AdamState& state, std::span<const float> gradient,
                 std::span<float> parameters) {
  assert(gradient.size() == parameters.size() && state.mean.size() == parameters.size());
  ++state.steps;
  // bias correction of both means, folded into the step size and the divisor
  const auto steps = static_cast<double>(state.steps);
  const auto step = static_cast<float>(config.learning_rate / (1 - std::pow(config.beta1, steps)));
  const auto root_correction = static_cast<float>(1 / std::sqrt(1 - std::pow(config.beta2, steps)));
  const auto beta1 = static_cast<float>(config.beta1);
  const auto beta2 = static_cast<float>(config.beta2);
  const auto rest1 = static_cast<float>(1 - config.beta1);
  const auto rest2 = static_cast<float>(1 - config.beta2);
  const auto epsilon = static_cast<float>(config.epsilon);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    state.mean[i] = beta1 * state.mean[i] + rest1 * gradient[i];
    state.square[i] = beta2 * state.square[i] + rest2 * (gradient[i] * gradient[i]);
    parameters[i] += step * state.mean[i] / (std::sqrt(state.square[i]) * root_correction + epsilon);
  }
}

}  // namespace aria
