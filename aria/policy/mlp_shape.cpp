#include "aria/policy/mlp_shape.hpp"

#include <algorithm>

#include "aria/core/require.hpp"

namespace aria {

namespace {

// Kernels number units in 32 bits; nobody trains a perceptron this wide.
constexpr std::size_t kWidest = std::size_t{1} << 20;

}  // namespace

std::size_t MlpShape::parameters() const {
  std::size_t result = 0;
  for (std::size_t i = 0; i < layers(); ++i) result += (inputs_of(i) + 1) * sizes[i + 1];
  return result;
}

void MlpShape::validate() const {
  require(sizes.size() >= 2, "the policy's sizes (inputs, hidden layers, outputs)", "at least two numbers", sizes);
  const auto in_range = [](std::size_t size) { return size >= 1 && size <= kWidest; };
  require(in_range(inputs()), "the policy's inputs", "1 to 1048576", inputs());
  require(std::all_of(sizes.begin() + 1, sizes.end() - 1, in_range), "the policy's hidden layers",
          "1 to 1048576 units each", std::vector(sizes.begin() + 1, sizes.end() - 1));
  require(carried <= inputs() && (carried == 0 || layers() >= 2), "the inputs that are carried to the second layer",
          "at most all of them, and none without a second layer", carried);
  require(in_range(outputs()), "the policy's outputs", "1 to 1048576", outputs());
}

}  // namespace aria
