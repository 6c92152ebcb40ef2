// Eigen picks its instructions when it is compiled: here AVX2 with fused multiply-add, on x86 (see CMakeLists.txt).
#include "benchmarks/eigen_products.hpp"

#define EIGEN_DONT_PARALLELIZE
// Blocks of 256 x 256 fit: from the heap, which gives the pages back and faults them in again at every product, these
// took 1.4 times as long.
#define EIGEN_STACK_ALLOCATION_LIMIT (1 << 20)
#include <Eigen/Core>

namespace aria::benchmarks {
namespace {

// Samples fastest, as in our kernels: with units fastest narrow layers took up to a third more time, wide ones the
// same.
using Values = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<Values> values(float* data, std::size_t units, std::size_t samples) {
  return {data, static_cast<Eigen::Index>(units), static_cast<Eigen::Index>(samples)};
}
Eigen::Map<const Values> values(const float* data, std::size_t units, std::size_t samples) {
  return {data, static_cast<Eigen::Index>(units), static_cast<Eigen::Index>(samples)};
}

}  // namespace

void eigen_forward(const EigenLayer& layer) {
  const auto x = values(layer.x, layer.inputs, layer.samples);
  const auto weights = values(layer.parameters, layer.inputs, layer.outputs);
  const auto biases = values(layer.parameters + layer.inputs * layer.outputs, layer.outputs, 1);
  auto y = values(layer.y, layer.outputs, layer.samples);
  // the sums start from the biases: a product set to nought first would take as long
  y.colwise() = biases.col(0);
  y.noalias() += weights.transpose() * x;
}

void eigen_input_gradient(const EigenLayer& layer) {
  const auto dy = values(layer.dy, layer.outputs, layer.samples);
  const auto weights = values(layer.parameters, layer.inputs, layer.outputs);
  values(layer.dx, layer.inputs, layer.samples).noalias() = weights * dy;
}

void eigen_parameter_gradient(const EigenLayer& layer) {
  const auto x = values(layer.x, layer.inputs, layer.samples);
  const auto dy = values(layer.dy, layer.outputs, layer.samples);
  values(layer.gradient, layer.inputs, layer.outputs).noalias() = x * dy.transpose();
  values(layer.gradient + layer.inputs * layer.outputs, layer.outputs, 1) = dy.rowwise().sum();
}

}  // namespace aria::benchmarks
