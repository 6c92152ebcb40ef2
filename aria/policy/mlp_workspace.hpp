// What the kernels that run perceptrons need besides weights: where each layer lies in a genotype, and memory for the
// layers' values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "aria/policy/mlp_shape.hpp"

namespace aria {

struct MlpLayer {
  std::size_t inputs;
  std::size_t outputs;
  std::size_t weights;  // where they begin in a genotype (inputs x outputs)
  std::size_t biases;   // where they begin in a genotype (outputs)
  bool last;
};

// Up to 64 inputs of a layer in one world.
struct MlpInputs {
  std::uint64_t bits;    // those that count
  const float* values;   // (64)
  const float* weights;  // of the first of them
};

class MlpWorkspace {
 public:
  // The most worlds that a kernel takes through the layers together: two vectors of sixteen.
  static constexpr std::size_t kWorlds = 32;

  explicit MlpWorkspace(const MlpShape& shape);

  const std::vector<MlpLayer>& layers() const { return layers_; }
  std::size_t width() const { return width_; }  // of the widest layer, rounded up so that whole vectors fit
  float* values(std::size_t which) { return values_[which].data()->values; }  // of 0 or 1: (width x kWorlds)
  std::uint32_t* units(std::size_t which) { return units_[which].data(); }    // of 0 or 1: (width)
  std::size_t words() const { return (width_ + 63) / 64; }
  std::uint64_t* bits(std::size_t which) { return bits_[which].data(); }  // of 0 or 1: a bit per unit (words x kWorlds)
  MlpInputs* inputs() { return inputs_.data(); }                          // (words x kWorlds + 1)

 private:
  struct alignas(64) CacheLine {
    float values[16];
  };
  std::vector<MlpLayer> layers_;
  std::size_t width_;
  std::vector<CacheLine> values_[2];
  std::vector<std::uint32_t> units_[2];
  std::vector<std::uint64_t> bits_[2];
  std::vector<MlpInputs> inputs_;
};

}  // namespace aria
