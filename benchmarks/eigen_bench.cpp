// The three products of training a layer, by our kernels and by Eigen, at the sizes of PGA-MAP-Elites: critics of
// 95-256-256-1 units and policies of 87-64-64-8, batches of 256, one thread. Both at AVX2, where there is that: Eigen
// does not choose at run time, so our kernels are held to what it was compiled for.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <vector>

#include <benchmark/benchmark.h>
#include <hwy/targets.h>

#include "benchmarks/cycles.hpp"
#include "benchmarks/eigen_products.hpp"
#include "benchmarks/layer_case.hpp"
#include "benchmarks/verify.hpp"

namespace aria::benchmarks {
namespace {

// While it lives, kernels use AVX2 and nothing newer, if there is AVX2.
class ScopedAvx2 {
 public:
  ScopedAvx2() {
    if ((hwy::SupportedTargets() & HWY_TARGETS & HWY_AVX2) != 0) hwy::SetSupportedTargetsForTest(HWY_AVX2);
  }
  ~ScopedAvx2() { hwy::SetSupportedTargetsForTest(0); }
  ScopedAvx2(const ScopedAvx2&) = delete;
  ScopedAvx2& operator=(const ScopedAvx2&) = delete;
};

bool has_instructions_of_eigen() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return true;
#endif
}

DenseShape shape_of(const benchmark::State& state) {
  return {static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1))};
}

// In cycles: on a shared machine the times of one program differ by more than Eigen and our kernels do.
template <class F>
void count_cycles(benchmark::State& state, double flop, const F& product) {
  const auto repeats = static_cast<std::size_t>(std::ceil(4e6 / flop));  // some ten microseconds or more
  for (auto _ : state) {
    const auto run = [&] {
      for (std::size_t i = 0; i < repeats; ++i) {
        product();
        benchmark::ClobberMemory();
      }
    };
    const double cycles = best_cycles(static_cast<double>(repeats), run, std::chrono::milliseconds(100));
    state.counters["flop_per_cycle"] = flop / cycles;
  }
}

void our_layer(benchmark::State& state, void (LayerCase::*product)()) {
  const ScopedAvx2 scope;
  LayerCase c(shape_of(state));
  c.verify_products();
  count_cycles(state, c.flop(), [&] { (c.*product)(); });
}

// --- Eigen's -------------------------------------------------------------------------------------------------------

// (rows x samples), begun where a cache line does.
class Rows {
 public:
  explicit Rows(const LaneMatrix& matrix) : lines_(matrix.rows() * matrix.blocks()), blocks_(matrix.blocks()) {
    for (std::size_t r = 0; r < matrix.rows(); ++r) {
      for (std::size_t b = 0; b < blocks_; ++b)
        std::copy_n(matrix.row(b, r), LaneMatrix::kLanes, lines_[r * blocks_ + b].values);
    }
  }
  float* data() { return lines_.front().values; }
  float operator()(std::size_t row, std::size_t sample) const {
    return lines_[row * blocks_ + sample / LaneMatrix::kLanes].values[sample % LaneMatrix::kLanes];
  }

 private:
  std::vector<CacheLine> lines_;
  std::size_t blocks_;
};

void verify_equal(float ours, float eigens) {
  verify(std::abs(ours - eigens) < 1e-4f * (1 + std::abs(ours)), "Eigen's product, or ours,");
}

void verify_equal(const LaneMatrix& ours, const Rows& eigens) {
  for (std::size_t r = 0; r < ours.rows(); ++r) {
    for (std::size_t s = 0; s < ours.samples(); ++s) verify_equal(ours(r, s), eigens(r, s));
  }
}

void eigen_layer(benchmark::State& state, void (*product)(const EigenLayer&)) {
  if (!has_instructions_of_eigen()) {
    state.SkipWithError("this CPU has no AVX2");
    return;
  }
  LayerCase c(shape_of(state));
  Rows x(c.x), dy(c.dy), y(c.y), dx(c.dx);
  std::vector<float> gradient(c.gradient.size());
  const EigenLayer layer{.inputs = c.shape.inputs,
                         .outputs = c.shape.outputs,
                         .samples = LayerCase::kBatch,
                         .parameters = c.parameters.data(),
                         .x = x.data(),
                         .dy = dy.data(),
                         .y = y.data(),
                         .dx = dx.data(),
                         .gradient = gradient.data()};
  c.verify_products();
  eigen_forward(layer);
  eigen_input_gradient(layer);
  eigen_parameter_gradient(layer);
  verify_equal(c.y, y);
  verify_equal(c.dx, dx);
  for (std::size_t i = 0; i < gradient.size(); ++i) verify_equal(c.gradient[i], gradient[i]);
  count_cycles(state, c.flop(), [&] { product(layer); });
}

// Inputs and outputs of a layer.
void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Args({95, 256})->Args({256, 256})->Args({256, 1});
  benchmark->Args({87, 64})->Args({64, 64})->Args({64, 8});
  benchmark->Iterations(1)->Unit(benchmark::kMillisecond);
}

// Ours orders the weights before it goes forward: Eigen does that within the product.
BENCHMARK_CAPTURE(our_layer, forward, &LayerCase::pack_and_forward)->Name("layer/forward/ours")->Apply(sizes);
BENCHMARK_CAPTURE(eigen_layer, forward, eigen_forward)->Name("layer/forward/Eigen")->Apply(sizes);
BENCHMARK_CAPTURE(our_layer, inputs, &LayerCase::input_gradient)->Name("layer/gradient of inputs/ours")->Apply(sizes);
BENCHMARK_CAPTURE(eigen_layer, inputs, eigen_input_gradient)->Name("layer/gradient of inputs/Eigen")->Apply(sizes);
BENCHMARK_CAPTURE(our_layer, parameters, &LayerCase::parameter_gradient)
    ->Name("layer/gradient of parameters/ours")
    ->Apply(sizes);
BENCHMARK_CAPTURE(eigen_layer, parameters, eigen_parameter_gradient)
    ->Name("layer/gradient of parameters/Eigen")
    ->Apply(sizes);

}  // namespace
}  // namespace aria::benchmarks
