#include "aria/policy/mlp_workspace.hpp"

#include <algorithm>

namespace aria {

namespace {

// Whole cache lines, an odd number of them: rows a power of two apart would meet in the same sets of the cache.
std::size_t padded_width(std::size_t widest) {
  const std::size_t lines = (widest + 15) / 16;
  return 16 * (lines + 1 - lines % 2);
}

}  // namespace

MlpWorkspace::MlpWorkspace(const MlpShape& shape) : width_(padded_width(*std::ranges::max_element(shape.sizes))) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < shape.layers(); ++i) {
    const std::size_t inputs = shape.sizes[i];
    const std::size_t outputs = shape.sizes[i + 1];
    layers_.push_back({.inputs = inputs,
                       .outputs = outputs,
                       .weights = at,
                       .biases = at + inputs * outputs,
                       .last = i + 1 == shape.layers()});
    at += (inputs + 1) * outputs;
  }
  for (auto& values : values_) values.resize(width_ * kWorlds / 16);
  for (auto& bits : bits_) bits.resize(words() * kWorlds);
  inputs_.resize(words() * kWorlds + 1);
  for (auto& units : units_) units.resize(width_);
}

}  // namespace aria
