#include "aria/policy/network.hpp"

#include <algorithm>
#include <cassert>

namespace aria {

std::vector<NetworkLayer> network_layers(const MlpShape& shape) {
  std::vector<NetworkLayer> result;
  std::size_t first = 0;
  for (std::size_t i = 0; i < shape.layers(); ++i) {
    result.push_back({{shape.inputs_of(i), shape.sizes[i + 1]}, first});
    first += result.back().shape.parameters();
  }
  return result;
}

PackedWeights::PackedWeights(const MlpShape& shape) : layers_(network_layers(shape)), packed_(shape.parameters()) {}

void PackedWeights::set(std::span<const float> parameters) {
  assert(parameters.size() == packed_.size());
  parameters_ = parameters;
  for (const NetworkLayer& layer : layers_) {
    pack_dense_weights(layer.shape, parameters.data() + layer.first, packed_.data() + layer.first);
  }
}

Network::Network(const MlpShape& shape, OutputKind output, std::size_t samples)
    : output_(output),
      carried_(shape.carried),
      layers_(network_layers(shape)),
      scratch_size_(dense_panel_scratch(samples)) {
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const DenseShape& dense = layers_[i].shape;
    values_.emplace_back(dense.outputs + (i == 0 ? carried_ : 0), samples);
    gradients_.emplace_back(dense.outputs, samples);
    for (std::size_t panel = 0; panel < dense_panels(dense); ++panel) parts_.push_back({i, panel});
  }
  scratch_.resize(parts_.size() * scratch_size_);
}

void Network::forward(const PackedWeights& weights, const LaneMatrix& inputs, BlockRange range) {
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const NetworkLayer& layer = layers_[i];
    const bool last = i + 1 == layers_.size();
    const Activation of_output = output_ == OutputKind::kTanh ? Activation::kTanh : Activation::kNone;
    dense_forward(layer.shape, weights.packed(layer), weights.biases(layer), i == 0 ? inputs : values_[i - 1],
                  last ? of_output : Activation::kRectified, range, values_[i]);
    if (i == 0) carry(inputs, range);
  }
}

void Network::carry(const LaneMatrix& inputs, BlockRange range) {
  if (carried_ == 0) return;
  const std::size_t count = carried_ * LaneMatrix::kLanes;
  for (std::size_t block = range.first; block < range.end; ++block) {
    std::copy_n(inputs.row(block, inputs.rows() - carried_), count,
                values_.front().row(block, values_.front().rows() - carried_));
  }
}

void Network::backward(const PackedWeights& weights, BlockRange range) {
  // d tanh(x) / dx = 1 - tanh(x)^2
  if (output_ == OutputKind::kTanh) {
    const std::size_t count = outputs().rows() * LaneMatrix::kLanes;
    for (std::size_t block = range.first; block < range.end; ++block) {
      const float* y = values_.back().row(block, 0);
      float* gradient = gradients_.back().row(block, 0);
      for (std::size_t i = 0; i < count; ++i) gradient[i] *= 1 - y[i] * y[i];
    }
  }
  for (std::size_t i = layers_.size() - 1; i > 0; --i) {
    dense_input_gradient(layers_[i].shape, weights.weights(layers_[i]), gradients_[i], 0, &values_[i - 1], range,
                         gradients_[i - 1]);
  }
}

void Network::input_gradient(const PackedWeights& weights, std::size_t first_input, BlockRange range,
                             LaneMatrix& gradient) const {
  assert(carried_ == 0);
  const NetworkLayer& layer = layers_.front();
  dense_input_gradient(layer.shape, weights.weights(layer), gradients_.front(), first_input, nullptr, range, gradient);
}

void Network::parameter_gradient(const LaneMatrix& inputs, std::size_t part, std::span<float> gradient) {
  assert(gradient.size() == parameters());
  part_gradient(inputs, parts_[part], all_blocks(inputs), scratch_.data() + part * scratch_size_, gradient);
}

void Network::parameter_gradient(const LaneMatrix& inputs, BlockRange range, std::span<float> gradient) {
  assert(gradient.size() == parameters());
  CacheLine* scratch = scratch_.data() + dense_panel_scratch(range.first * LaneMatrix::kLanes);
  for (const Part& part : parts_) part_gradient(inputs, part, range, scratch, gradient);
}

void Network::part_gradient(const LaneMatrix& inputs, Part part, BlockRange range, CacheLine* scratch,
                            std::span<float> gradient) const {
  const NetworkLayer& layer = layers_[part.layer];
  dense_parameter_gradient(layer.shape, part.layer == 0 ? inputs : values_[part.layer - 1], gradients_[part.layer],
                           part.panel, range, scratch, gradient.data() + layer.first);
}

void Network::parameter_gradient(const LaneMatrix& inputs, std::span<float> gradient) {
  for (std::size_t part = 0; part < parts_.size(); ++part) parameter_gradient(inputs, part, gradient);
}

}  // namespace aria
