// A layer's three products by Eigen, to compare our kernels with. Plain types only: the source is compiled for other
// instructions than the rest, and of an inline function that both had the linker would keep either.
#pragma once

#include <cstddef>

namespace aria::benchmarks {

// Values are (units x samples), samples fastest. Parameters lie as in a genotype: weights (inputs x outputs), then
// biases.
struct EigenLayer {
  std::size_t inputs;
  std::size_t outputs;
  std::size_t samples;
  const float* parameters;
  const float* x;
  const float* dy;
  float* y;
  float* dx;
  float* gradient;  // of the parameters
};

void eigen_forward(const EigenLayer& layer);
void eigen_input_gradient(const EigenLayer& layer);
void eigen_parameter_gradient(const EigenLayer& layer);

}  // namespace aria::benchmarks
