// A perceptron that can be trained: passes of a batch forward, and of gradients back to parameters and inputs.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "aria/policy/dense_kernels.hpp"
#include "aria/policy/lane_matrix.hpp"
#include "aria/policy/mlp_shape.hpp"

namespace aria {

enum class OutputKind { kLinear, kTanh };  // of a critic, of a policy

// A layer's place in a genotype.
struct NetworkLayer {
  DenseShape shape;
  std::size_t first;  // of its parameters

  std::size_t biases() const { return first + shape.weights(); }
};

std::vector<NetworkLayer> network_layers(const MlpShape& shape);

// Parameters made ready for passes; any number of threads may use them at once.
class PackedWeights {
 public:
  explicit PackedWeights(const MlpShape& shape);

  // Keeps a view of the parameters: they must stay as they are until the next `set`.
  void set(std::span<const float> parameters);

  const float* packed(const NetworkLayer& layer) const { return packed_.data() + layer.first; }
  const float* weights(const NetworkLayer& layer) const { return parameters_.data() + layer.first; }
  const float* biases(const NetworkLayer& layer) const { return parameters_.data() + layer.biases(); }

 private:
  std::vector<NetworkLayer> layers_;
  std::vector<float> packed_;  // each layer's where it begins in the genotype
  std::span<const float> parameters_;
};

// The values and gradients of one batch in all layers. Hidden layers are rectified. Nothing is allocated after its
// construction; passes over different blocks, and different parts of the gradient, may run on different threads.
class Network {
 public:
  Network(const MlpShape& shape, OutputKind output, std::size_t samples);

  std::size_t parameters() const { return layers_.back().first + layers_.back().shape.parameters(); }

  void forward(const PackedWeights& weights, const LaneMatrix& inputs, BlockRange range);
  const LaneMatrix& outputs() const { return values_.back(); }

  // The caller sets the gradient with respect to the outputs, `backward` takes it to all layers; it changes what was
  // set into the gradient before the output's tanh.
  LaneMatrix& output_gradient() { return gradients_.back(); }
  void backward(const PackedWeights& weights, BlockRange range);

  // After `backward`: the gradient with respect to inputs, as many as `gradient` has rows, from `first_input` on.
  // Not of a network that carries inputs to its second layer.
  void input_gradient(const PackedWeights& weights, std::size_t first_input, BlockRange range,
                      LaneMatrix& gradient) const;

  // After `backward` of all blocks: the gradient with respect to the parameters, summed over the batch, in parts that
  // do not touch each other. `inputs` are those of the forward pass.
  std::size_t gradient_parts() const { return parts_.size(); }
  void parameter_gradient(const LaneMatrix& inputs, std::size_t part, std::span<float> gradient);
  void parameter_gradient(const LaneMatrix& inputs, std::span<float> gradient);

  // The same of some blocks only, right after their `backward`: all that it reads is still in the cache. Ranges that
  // do not overlap may run on different threads, each with a gradient of its own.
  void parameter_gradient(const LaneMatrix& inputs, BlockRange range, std::span<float> gradient);

 private:
  // Sixteen outputs of a layer, or what is left of them.
  struct Part {
    std::size_t layer;
    std::size_t panel;
  };

  void carry(const LaneMatrix& inputs, BlockRange range);
  void part_gradient(const LaneMatrix& inputs, Part part, BlockRange range, CacheLine* scratch,
                     std::span<float> gradient) const;

  OutputKind output_;
  std::size_t carried_;
  std::vector<NetworkLayer> layers_;
  std::vector<LaneMatrix> values_;     // (layers) of outputs; behind those of the first, the inputs that are carried
  std::vector<LaneMatrix> gradients_;  // (layers) with respect to the sums of each layer
  std::vector<Part> parts_;
  std::size_t scratch_size_;        // of a part
  std::vector<CacheLine> scratch_;  // (parts x scratch_size_)
};

}  // namespace aria
