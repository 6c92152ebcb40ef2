// A perceptron once more: one world at a time, in double precision, straight from its definition. What the kernels are
// compared with.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "aria/policy/mlp_shape.hpp"

namespace aria::testing {

inline std::vector<double> mlp_reference(const MlpShape& shape, std::span<const float> policy,
                                         std::vector<double> values) {
  std::size_t at = 0;
  for (std::size_t layer = 0; layer < shape.layers(); ++layer) {
    const std::size_t inputs = shape.sizes[layer];
    const std::size_t outputs = shape.sizes[layer + 1];
    std::vector<double> next(outputs);
    for (std::size_t o = 0; o < outputs; ++o) {
      double sum = policy[at + inputs * outputs + o];
      for (std::size_t i = 0; i < inputs; ++i) sum += values[i] * static_cast<double>(policy[at + i * outputs + o]);
      const bool last = layer + 1 == shape.layers();
      next[o] = last ? std::tanh(sum) : (sum < 0 ? 0.0 : sum);
    }
    at += (inputs + 1) * outputs;
    values = next;
  }
  return values;
}

}  // namespace aria::testing
