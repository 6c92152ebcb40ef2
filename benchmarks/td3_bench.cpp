// The training inside PGA-MAP-Elites: a layer's products, a step of the critics, a parent's step up the critic, and a
// generation of both, scaled down. What they report is the rate of floating-point operations counted in the formulas.
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "aria/core/draws.hpp"
#include "aria/core/finite.hpp"
#include "aria/core/parallel.hpp"
#include "aria/policy/dense_kernels.hpp"
#include "aria/policy/initial_policy.hpp"
#include "aria/policy/policy_gradient_variation.hpp"
#include "aria/policy/td3.hpp"
#include "benchmarks/training_flop.hpp"
#include "benchmarks/verify.hpp"

namespace aria::benchmarks {
namespace {

constexpr std::size_t kBatch = 256;
const MlpShape kAnt{{87, 64, 64, 8}};
const MlpShape kWalker{{17, 64, 64, 6}};

// --- A layer -------------------------------------------------------------------------------------------------------

float noise(std::uint32_t row, std::uint32_t column) { return normal(Key(1), Purpose::kTaskNoise, row, 0, column); }

void fill(LaneMatrix& matrix) {
  for (std::uint32_t r = 0; r < matrix.rows(); ++r) {
    for (std::uint32_t s = 0; s < matrix.samples(); ++s) matrix(r, s) = noise(r, s);
  }
}

// A hidden layer of a critic; the state's argument is its number of inputs.
struct LayerCase {
  DenseShape shape;
  LaneMatrix x, y, dy, dx;
  std::vector<float> parameters, packed, gradient;
  std::vector<CacheLine> scratch;

  explicit LayerCase(const benchmark::State& state)
      : shape{static_cast<std::size_t>(state.range(0)), 256},
        x(shape.inputs, kBatch),
        y(shape.outputs, kBatch),
        dy(shape.outputs, kBatch),
        dx(shape.inputs, kBatch),
        parameters(shape.parameters()),
        packed(shape.weights()),
        gradient(shape.parameters()),
        scratch(dense_panel_scratch(kBatch)) {
    initial_policy({{shape.inputs, shape.outputs}}, Key(2), 0, parameters);
    pack_dense_weights(shape, parameters.data(), packed.data());
    fill(x);
    fill(dy);
  }
  float weight(std::size_t i, std::size_t o) const { return parameters[i * shape.outputs + o]; }

  // `term(k)` over k below `count`, against what a kernel made of it.
  template <class F>
  static void verify_sum(float found, std::size_t count, const F& term) {
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k) sum += static_cast<double>(term(k));
    verify(std::abs(static_cast<double>(found) - sum) < 1e-4, "a layer's product");
  }
  template <class F>
  void time(benchmark::State& state, const F& product) const {
    for (auto _ : state) {
      product();
      benchmark::ClobberMemory();
    }
    count_flop(state, 2.0 * static_cast<double>(shape.weights() * kBatch));
  }
};

void layer_forward(benchmark::State& state) {
  LayerCase c(state);
  const auto product = [&] {
    dense_forward(c.shape, c.packed.data(), c.parameters.data() + c.shape.weights(), c.x, Activation::kNone,
                  all_blocks(c.x), c.y);
  };
  product();
  LayerCase::verify_sum(c.y(7, 100), c.shape.inputs, [&](std::size_t i) { return c.x(i, 100) * c.weight(i, 7); });
  c.time(state, product);
}

void layer_inputs(benchmark::State& state) {
  LayerCase c(state);
  const auto product = [&] {
    dense_input_gradient(c.shape, c.parameters.data(), c.dy, 0, nullptr, all_blocks(c.x), c.dx);
  };
  product();
  LayerCase::verify_sum(c.dx(7, 100), c.shape.outputs, [&](std::size_t o) { return c.dy(o, 100) * c.weight(7, o); });
  c.time(state, product);
}

void layer_parameters(benchmark::State& state) {
  LayerCase c(state);
  const auto product = [&] {
    for (std::size_t panel = 0; panel < dense_panels(c.shape); ++panel) {
      dense_parameter_gradient(c.shape, c.x, c.dy, panel, all_blocks(c.x), c.scratch.data(), c.gradient.data());
    }
  };
  product();
  LayerCase::verify_sum(c.gradient[7 * 256 + 9], kBatch, [&](std::size_t s) { return c.x(7, s) * c.dy(9, s); });
  c.time(state, product);
}

// --- Steps ---------------------------------------------------------------------------------------------------------

// Two per multiply-add; biases, activations and Adam are not counted.
double policy_gradient_flop(const MlpShape& actor, const MlpShape& critic) {
  const double to_actions = static_cast<double>(actor.outputs() * critic.sizes[1]);
  const double through_critic = products(critic) + products(critic, 1) + to_actions;
  return 2.0 * kBatch * (through_critic + 2 * products(actor) + products(actor, 1));
}

double critic_step_flop(const MlpShape& actor, const MlpShape& critic) {
  const double targets = products(actor) + 2 * products(critic);
  const double critics = 2 * (2 * products(critic) + products(critic, 1));
  return 2.0 * kBatch * (targets + critics) + 0.5 * policy_gradient_flop(actor, critic);
}

// A robot's policies, with transitions of noise to train on.
struct Pga {
  MlpShape actor;
  ReplayBuffer replay;
  Td3 learner;
  Matrix parents;

  static ReplayBuffer filled(const MlpShape& actor) {
    constexpr std::uint32_t kTransitions = 20'000;
    ReplayBuffer result({.observations = actor.inputs(),
                         .actions = actor.outputs(),
                         .capacity = kTransitions,
                         .precision = ReplayPrecision::kSingle});
    const std::size_t columns = kNormalsPerBlock * normal_blocks(actor.inputs());
    std::vector<float> row(columns);
    const std::uint8_t no = 0;
    for (std::uint32_t i = 0; i < kTransitions; ++i) {
      draw_normal_rows(Key(3), Purpose::kTaskNoise, {&i, 1}, {&i, 1}, actor.inputs(), row.data());
      const MatrixView observation(row.data(), 1, actor.inputs());
      const MatrixView action(row.data(), 1, actor.outputs());
      result.insert({observation, observation, action, {row.data(), 1}, {&no, 1}, {&no, 1}});
    }
    return result;
  }
  static std::vector<float> policy(const MlpShape& actor, std::uint32_t id) {
    std::vector<float> result(actor.parameters());
    initial_policy(actor, Key(4), id, result);
    return result;
  }

  explicit Pga(MlpShape of)
      : actor(std::move(of)), replay(filled(actor)), learner(Td3Config(), actor, policy(actor, 0), Key(5)) {
    for (std::uint32_t i = 0; i < 8; ++i) parents.append_row(policy(actor, i));
  }

  void verify_offspring(const Matrix& offspring) const {
    for (std::size_t i = 0; i < parents.rows(); ++i) {
      verify(all_finite(offspring.row(i)) && offspring(i, 0) != parents(i, 0), "an offspring");
    }
  }
};

void critic_step(benchmark::State& state, const MlpShape& actor) {
  set_threads(static_cast<std::size_t>(state.range(0)));
  Pga pga(actor);
  const double before = pga.learner.train(pga.replay, Key(6), 20);
  verify(std::isfinite(before) && pga.learner.train(pga.replay, Key(6), 20) < before, "a critic's loss");
  for (auto _ : state) benchmark::DoNotOptimize(pga.learner.train(pga.replay, Key(6), 2));
  count_flop(state, 2 * critic_step_flop(actor, pga.learner.critic_shape()));
  set_threads(0);
}

// Eight parents, so many steps each.
void run_parents(Pga& pga, PolicyGradientVariation& variation, Matrix& offspring) {
  variation.vary(pga.parents, pga.learner.critic(0).parameters(), pga.replay, Key(7), offspring.view());
}

void parent_step(benchmark::State& state, const MlpShape& actor) {
  set_threads(static_cast<std::size_t>(state.range(0)));
  Pga pga(actor);
  PolicyGradientConfig config;
  config.steps = 5;
  PolicyGradientVariation variation(config, actor, pga.learner.critic_shape());
  Matrix offspring(8, actor.parameters());
  run_parents(pga, variation, offspring);
  pga.verify_offspring(offspring);
  for (auto _ : state) run_parents(pga, variation, offspring);
  count_flop(state, 8 * 5 * policy_gradient_flop(actor, pga.learner.critic_shape()));
  set_threads(0);
}

// Twenty steps of the critics, ten of eight parents: about a fifteenth and an eightieth of a generation of the paper.
void generation(benchmark::State& state, const MlpShape& actor) {
  set_threads(static_cast<std::size_t>(state.range(0)));
  Pga pga(actor);
  PolicyGradientConfig config;
  config.steps = 10;
  PolicyGradientVariation variation(config, actor, pga.learner.critic_shape());
  Matrix offspring(8, actor.parameters());
  for (auto _ : state) {
    benchmark::DoNotOptimize(pga.learner.train(pga.replay, Key(6), 20));
    run_parents(pga, variation, offspring);
  }
  pga.verify_offspring(offspring);
  const MlpShape& critic = pga.learner.critic_shape();
  count_flop(state, 20 * critic_step_flop(actor, critic) + 8 * 10 * policy_gradient_flop(actor, critic));
  set_threads(0);
}

BENCHMARK(layer_forward)->Name("critic layer/forward")->Arg(95)->Arg(256);
BENCHMARK(layer_inputs)->Name("critic layer/gradient of inputs")->Arg(95)->Arg(256);
BENCHMARK(layer_parameters)->Name("critic layer/gradient of parameters")->Arg(95)->Arg(256);
// The argument is the number of threads; 0 stands for all.
BENCHMARK_CAPTURE(critic_step, ant, kAnt)->Name("TD3 critic step/ant")->Arg(1)->Arg(0)->UseRealTime();
BENCHMARK_CAPTURE(critic_step, walker, kWalker)->Name("TD3 critic step/walker")->Arg(1)->Arg(0)->UseRealTime();
BENCHMARK_CAPTURE(parent_step, ant, kAnt)->Name("PGA parent step/ant")->Arg(1)->Arg(0)->UseRealTime();
BENCHMARK_CAPTURE(parent_step, walker, kWalker)->Name("PGA parent step/walker")->Arg(1)->Arg(0)->UseRealTime();
BENCHMARK_CAPTURE(generation, ant, kAnt)->Name("PGA generation/ant")->Arg(1)->Arg(0)->UseRealTime();

}  // namespace
}  // namespace aria::benchmarks
