// The shape of a multi-layer perceptron and where its weights lie in a genotype: for each layer the weights (inputs x
// outputs, row-major), then the biases. Hidden layers are rectified, the last one goes through tanh.
#pragma once

#include <cstddef>
#include <vector>

namespace aria {

struct MlpShape {
  std::vector<std::size_t> sizes;  // inputs, hidden layers, outputs
  std::size_t carried = 0;         // so many of the last inputs go to the second layer as well, behind its own

  std::size_t inputs_of(std::size_t layer) const { return sizes[layer] + (layer == 1 ? carried : 0); }
  std::size_t inputs() const { return sizes.front(); }
  std::size_t outputs() const { return sizes.back(); }
  std::size_t layers() const { return sizes.size() - 1; }
  std::size_t parameters() const;
  void validate() const;  // at least two sizes, none of them 0; no more carried than there are inputs
};

}  // namespace aria
