// Networks and their training once more: one sample at a time, in double precision, gradients by central differences.
// What the trained networks are compared with.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "aria/policy/mlp_shape.hpp"
#include "aria/policy/network.hpp"

namespace aria::testing {

inline std::vector<double> to_doubles(std::span<const float> values) { return {values.begin(), values.end()}; }

inline std::vector<double> network_reference(const MlpShape& shape, OutputKind output,
                                             const std::vector<double>& parameters, std::vector<double> values) {
  const std::vector<double> carried(values.end() - static_cast<std::ptrdiff_t>(shape.carried), values.end());
  std::size_t at = 0;
  for (std::size_t layer = 0; layer < shape.layers(); ++layer) {
    const std::size_t inputs = shape.inputs_of(layer);
    const std::size_t outputs = shape.sizes[layer + 1];
    const bool last = layer + 1 == shape.layers();
    std::vector<double> next(outputs);
    for (std::size_t o = 0; o < outputs; ++o) {
      double sum = parameters[at + inputs * outputs + o];
      for (std::size_t i = 0; i < inputs; ++i) sum += values[i] * parameters[at + i * outputs + o];
      if (last) {
        next[o] = output == OutputKind::kTanh ? std::tanh(sum) : sum;
      } else {
        next[o] = sum > 0 ? sum : 0;
      }
    }
    at += (inputs + 1) * outputs;
    values = next;
    if (layer == 0) values.insert(values.end(), carried.begin(), carried.end());
  }
  return values;
}

// The derivative of `f` in every direction, by central differences.
inline std::vector<double> difference_gradient(const std::function<double(const std::vector<double>&)>& f,
                                               std::vector<double> at, double step = 1e-6) {
  std::vector<double> result(at.size());
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double here = at[i];
    at[i] = here + step;
    const double above = f(at);
    at[i] = here - step;
    const double below = f(at);
    at[i] = here;
    result[i] = (above - below) / (2 * step);
  }
  return result;
}

}  // namespace aria::testing
