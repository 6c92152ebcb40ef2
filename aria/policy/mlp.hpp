// Runs policies for many worlds at once: one policy for all, or each world its own. Both give the same bits as each
// other, on every CPU with fused multiply-add: sums run over the inputs in order, starting with the bias.
//
// A NaN input makes all actions of its world NaN, a NaN weight those that it reaches: nothing is hidden. Where an input
// is zero, its weights may go unread, so weights that are not finite are best found beforehand.
#pragma once

#include <cstddef>
#include <span>

#include "aria/policy/mlp_shape.hpp"
#include "aria/policy/mlp_workspace.hpp"

namespace aria {

// Holds the memory that it works in: one per thread.
class Mlp {
 public:
  explicit Mlp(const MlpShape& shape);
  const MlpShape& shape() const { return shape_; }

  // inputs (shape.inputs x stride) and outputs (shape.outputs x stride) have worlds fastest; world w runs policies[w].
  // Inputs that are zero and hidden units that are off cost nothing.
  void run_own(std::span<const float* const> policies, const float* inputs, float* outputs, std::size_t stride);

  // All worlds run one policy. `stride` is a multiple of kSharedStride; what lies beyond the worlds means nothing.
  static constexpr std::size_t kSharedStride = 16;
  void run_shared(const float* policy, const float* inputs, float* outputs, std::size_t worlds, std::size_t stride);

 private:
  MlpShape shape_;
  MlpWorkspace workspace_;
};

}  // namespace aria
