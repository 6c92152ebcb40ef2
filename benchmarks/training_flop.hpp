// Operations of training networks, counted in the formulas: biases, activations and Adam are not.
#pragma once

#include <cstddef>

#include <benchmark/benchmark.h>

#include "aria/policy/mlp_shape.hpp"

namespace aria::benchmarks {

inline void count_flop(benchmark::State& state, double per_iteration) {
  state.counters["flop"] =
      benchmark::Counter(per_iteration * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

// Multiply-adds of one sample in all layers, and in all but the first, through which no gradient goes to inputs.
inline double products(const MlpShape& shape, std::size_t first_layer = 0) {
  double result = 0;
  for (std::size_t i = first_layer; i < shape.layers(); ++i) {
    result += static_cast<double>(shape.inputs_of(i) * shape.sizes[i + 1]);
  }
  return result;
}

}  // namespace aria::benchmarks
