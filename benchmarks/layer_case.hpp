// A dense layer and a batch of noise, with the three products of training it by our kernels.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "aria/core/draws.hpp"
#include "aria/policy/dense_kernels.hpp"
#include "aria/policy/initial_policy.hpp"
#include "benchmarks/verify.hpp"

namespace aria::benchmarks {

struct LayerCase {
  static constexpr std::size_t kBatch = 256;

  DenseShape shape;
  LaneMatrix x, y, dy, dx;
  std::vector<float> parameters, packed, gradient;
  std::vector<CacheLine> scratch;

  explicit LayerCase(DenseShape of)
      : shape(of),
        x(shape.inputs, kBatch),
        y(shape.outputs, kBatch),
        dy(shape.outputs, kBatch),
        dx(shape.inputs, kBatch),
        parameters(shape.parameters()),
        packed(shape.weights()),
        gradient(shape.parameters()),
        scratch(dense_panel_scratch(kBatch)) {
    initial_policy({{shape.inputs, shape.outputs}}, Key(2), 0, parameters);
    for (std::size_t o = 0; o < shape.outputs; ++o) parameters[shape.weights() + o] = noise(o, kBatch);
    pack();
    fill(x);
    fill(dy);
  }

  void pack() { pack_dense_weights(shape, parameters.data(), packed.data()); }
  void forward() { dense_forward(shape, packed.data(), biases(), x, Activation::kNone, all_blocks(x), y); }
  // As a step of training does it, whose weights are new.
  void pack_and_forward() {
    pack();
    forward();
  }
  void input_gradient() { dense_input_gradient(shape, parameters.data(), dy, 0, nullptr, all_blocks(x), dx); }
  void parameter_gradient() {
    for (std::size_t panel = 0; panel < dense_panels(shape); ++panel) {
      dense_parameter_gradient(shape, x, dy, panel, all_blocks(x), scratch.data(), gradient.data());
    }
  }

  // Works all three out, and one number of each plainly.
  void verify_products() {
    forward();
    input_gradient();
    parameter_gradient();
    const std::size_t i = 7, o = shape.outputs / 2, s = 100;
    verify_sum(y(o, s) - biases()[o], shape.inputs, [&](std::size_t k) { return x(k, s) * weight(k, o); });
    verify_sum(dx(i, s), shape.outputs, [&](std::size_t k) { return dy(k, s) * weight(i, k); });
    verify_sum(gradient[i * shape.outputs + o], kBatch, [&](std::size_t k) { return x(i, k) * dy(o, k); });
  }

  double flop() const { return 2.0 * static_cast<double>(shape.weights() * kBatch); }  // of each product

 private:
  const float* biases() const { return parameters.data() + shape.weights(); }
  float weight(std::size_t i, std::size_t o) const { return parameters[i * shape.outputs + o]; }

  static float noise(std::size_t row, std::size_t column) {
    return normal(Key(1), Purpose::kTaskNoise, static_cast<std::uint32_t>(row), 0, static_cast<std::uint32_t>(column));
  }
  static void fill(LaneMatrix& matrix) {
    for (std::size_t r = 0; r < matrix.rows(); ++r) {
      for (std::size_t s = 0; s < matrix.samples(); ++s) matrix(r, s) = noise(r, s);
    }
  }
  // `term(k)` over k below `count`, against what a kernel made of it.
  template <class F>
  static void verify_sum(float found, std::size_t count, const F& term) {
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k) sum += static_cast<double>(term(k));
    verify(std::abs(static_cast<double>(found) - sum) < 1e-4, "a layer's product");
  }
};

}  // namespace aria::benchmarks
