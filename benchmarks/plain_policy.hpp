// A perceptron as one would write it first: one world at a time, rows of weights in order, tanh from the standard
// library.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "aria/policy/mlp_shape.hpp"

namespace aria::benchmarks {

inline std::vector<float> plain_policy(const MlpShape& shape, std::span<const float> policy,
                                       std::vector<float> values) {
  for (std::size_t layer = 0; layer < shape.layers(); ++layer) {
    const std::size_t inputs = shape.sizes[layer];
    const std::size_t outputs = shape.sizes[layer + 1];
    const bool last = layer + 1 == shape.layers();
    const auto biases = policy.subspan(inputs * outputs, outputs);
    std::vector<float> next(biases.begin(), biases.end());
    for (std::size_t i = 0; i < inputs; ++i) {
      for (std::size_t o = 0; o < outputs; ++o) next[o] += values[i] * policy[i * outputs + o];
    }
    for (float& sum : next) sum = last ? std::tanh(sum) : std::max(sum, 0.0f);
    policy = policy.subspan((inputs + 1) * outputs);
    values = std::move(next);
  }
  return values;
}

}  // namespace aria::benchmarks
