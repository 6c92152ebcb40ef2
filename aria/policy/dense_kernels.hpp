// The matrix products of training a dense layer, in SIMD. Every element of a result is one sum of fused multiply-adds
// in the order of its inner index, so its bits depend neither on the CPU (with fused multiply-add), nor on how the work
// is shared out among threads.
#pragma once

#include <cstddef>

#include "aria/policy/lane_matrix.hpp"

namespace aria {

// Weights lie (inputs x outputs), biases behind them, as in a genotype.
struct DenseShape {
  std::size_t inputs;
  std::size_t outputs;

  std::size_t weights() const { return inputs * outputs; }
  std::size_t parameters() const { return (inputs + 1) * outputs; }
};

enum class Activation { kNone, kRectified, kTanh };

// Orders weights for `dense_forward`; `packed` has shape.weights() entries. The order is that of the present SIMD
// target.
void pack_dense_weights(DenseShape shape, const float* weights, float* packed);

// y = activation(biases + weights^T x), for the samples of `range`.
void dense_forward(DenseShape shape, const float* packed, const float* biases, const LaneMatrix& x,
                   Activation activation, BlockRange range, LaneMatrix& y);

// dx = weights dy, for the inputs from `first_input` on, as many as dx has rows. Where `rectified` is given, these are
// the inputs themselves, outputs of a rectified layer: the gradient is zero where they are.
void dense_input_gradient(DenseShape shape, const float* weights, const LaneMatrix& dy, std::size_t first_input,
                          const LaneMatrix* rectified, BlockRange range, LaneMatrix& dx);

// Outputs of a panel: the unit in which the gradient of the parameters can be shared out.
inline constexpr std::size_t kDensePanel = 32;
constexpr std::size_t dense_panels(DenseShape shape) { return (shape.outputs + kDensePanel - 1) / kDensePanel; }
// In cache lines.
constexpr std::size_t dense_panel_scratch(std::size_t samples) {
  return (samples + LaneMatrix::kLanes - 1) / LaneMatrix::kLanes * kDensePanel;
}

// gradient = x^T dy of the weights, the sum of dy of the biases (parameters), for the outputs of one panel, over the
// samples of `range`. `scratch` has dense_panel_scratch(those samples) lines.
void dense_parameter_gradient(DenseShape shape, const LaneMatrix& x, const LaneMatrix& dy, std::size_t panel,
                              BlockRange range, CacheLine* scratch, float* gradient);

}  // namespace aria
