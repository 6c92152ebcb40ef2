// The training inside PGA-MAP-Elites: a layer's products, a step of the critics, a parent's step up the critic, and a
// generation of both, scaled down; beside them the peak that they are shares of. What they report is the rate of
// floating-point operations counted in the formulas.
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "aria/core/draws.hpp"
#include "aria/core/finite.hpp"
#include "aria/core/parallel.hpp"
#include "aria/policy/initial_policy.hpp"
#include "aria/policy/policy_gradient_variation.hpp"
#include "aria/policy/td3.hpp"
#include "benchmarks/layer_case.hpp"
#include "benchmarks/multiply_add_peak.hpp"
#include "benchmarks/training_flop.hpp"
#include "benchmarks/verify.hpp"

namespace aria::benchmarks {
namespace {

constexpr std::size_t kBatch = 256;
// A fiftieth of a generation of 1000 steps of the critics, then 100 steps of each of 63 parents side by side.
constexpr std::size_t kCriticSteps = 20;
constexpr std::uint32_t kParents = 63;
constexpr std::size_t kParentSteps = 2;
const MlpShape kAnt{{87, 64, 64, 8}};
const MlpShape kWalker{{17, 64, 64, 6}};

// --- The peak ------------------------------------------------------------------------------------------------------

double some_multiply_adds(std::size_t rounds) {
  float sink = 0;
  const double operations = multiply_adds(rounds, sink);
  benchmark::DoNotOptimize(sink);
  return operations;
}

void peak_of_one_core(benchmark::State& state) {
  double operations = 0;
  for (auto _ : state) operations = some_multiply_adds(100'000);
  count_flop(state, operations);
}

void peak_of_all_cores(benchmark::State& state) {
  double operations = 0;
  for (auto _ : state) {
    // many parts of some ten microseconds: no core waits long for the last of another
    operations = parallel_ordered_sum(256 * threads(), 1, 0.0, [](std::size_t) { return some_multiply_adds(10'000); });
  }
  count_flop(state, operations);
}

// --- A layer -------------------------------------------------------------------------------------------------------

// A hidden layer of a critic; the state's argument is its number of inputs.
void critic_layer(benchmark::State& state, void (LayerCase::*product)()) {
  LayerCase c({static_cast<std::size_t>(state.range(0)), 256});
  c.verify_products();
  for (auto _ : state) {
    (c.*product)();
    benchmark::ClobberMemory();
  }
  count_flop(state, c.flop());
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
    // quick to fill; of a million, as in a run, a generation takes some 4 % longer to read its batches
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
    for (std::uint32_t i = 0; i < kParents; ++i) parents.append_row(policy(actor, i));
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

// All parents, each on its way up the critic.
class Offspring {
 public:
  explicit Offspring(const Pga& pga)
      : variation_(config(), pga.actor, pga.learner.critic_shape()), rows_(kParents, pga.actor.parameters()) {}

  void breed(const Pga& pga) {
    variation_.vary(pga.parents, pga.learner.critic(0).parameters(), pga.replay, Key(7), rows_.view());
  }
  void verify_rows(const Pga& pga) const {
    for (std::size_t i = 0; i < kParents; ++i) {
      verify(all_finite(rows_.row(i)) && rows_(i, 0) != pga.parents(i, 0), "an offspring");
    }
  }
  static double flop(const Pga& pga) {
    return kParents * kParentSteps * policy_gradient_flop(pga.actor, pga.learner.critic_shape());
  }

 private:
  static PolicyGradientConfig config() {
    PolicyGradientConfig result;
    result.steps = kParentSteps;
    return result;
  }
  PolicyGradientVariation variation_;
  Matrix rows_;
};

void parent_step(benchmark::State& state, const MlpShape& actor) {
  set_threads(static_cast<std::size_t>(state.range(0)));
  const Pga pga(actor);
  Offspring offspring(pga);
  offspring.breed(pga);
  offspring.verify_rows(pga);
  for (auto _ : state) offspring.breed(pga);
  count_flop(state, Offspring::flop(pga));
  set_threads(0);
}

// As PgaLearner goes about it; what comes once in a generation, such as ordering the critic's weights for the parents,
// weighs more here.
void generation(benchmark::State& state, const MlpShape& actor) {
  set_threads(static_cast<std::size_t>(state.range(0)));
  Pga pga(actor);
  Offspring offspring(pga);
  const auto generate = [&] {
    const double loss = pga.learner.train(pga.replay, Key(6), kCriticSteps);
    offspring.breed(pga);
    return loss;
  };
  verify(std::isfinite(generate()), "a critic's loss");
  offspring.verify_rows(pga);
  for (auto _ : state) benchmark::DoNotOptimize(generate());
  count_flop(state, kCriticSteps * critic_step_flop(actor, pga.learner.critic_shape()) + Offspring::flop(pga));
  set_threads(0);
}

BENCHMARK_CAPTURE(critic_layer, forward, &LayerCase::forward)->Name("critic layer/forward")->Arg(95)->Arg(256);
BENCHMARK_CAPTURE(critic_layer, inputs, &LayerCase::input_gradient)
    ->Name("critic layer/gradient of inputs")
    ->Arg(95)
    ->Arg(256);
BENCHMARK_CAPTURE(critic_layer, parameters, &LayerCase::parameter_gradient)
    ->Name("critic layer/gradient of parameters")
    ->Arg(95)
    ->Arg(256);
// The peaks right before what is held against them: on a shared machine they change within a minute.
BENCHMARK(peak_of_one_core)->Name("multiply-add peak/one core");
BENCHMARK(peak_of_all_cores)->Name("multiply-add peak/all cores")->UseRealTime();
// The argument is the number of threads; 0 stands for all.
BENCHMARK_CAPTURE(generation, ant, kAnt)->Name("PGA generation/ant")->Arg(1)->Arg(0)->UseRealTime();
BENCHMARK_CAPTURE(critic_step, ant, kAnt)->Name("TD3 critic step/ant")->Arg(1)->Arg(0)->UseRealTime();
BENCHMARK_CAPTURE(critic_step, walker, kWalker)->Name("TD3 critic step/walker")->Arg(1)->Arg(0)->UseRealTime();
BENCHMARK_CAPTURE(parent_step, ant, kAnt)->Name("PGA parent step/ant")->Arg(1)->Arg(0)->UseRealTime();
BENCHMARK_CAPTURE(parent_step, walker, kWalker)->Name("PGA parent step/walker")->Arg(1)->Arg(0)->UseRealTime();

}  // namespace
}  // namespace aria::benchmarks
