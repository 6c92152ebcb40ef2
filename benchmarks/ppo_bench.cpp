// The learning inside aria-goal: passes over the steps of an iteration, at the sizes of both robots.
#include <cmath>
#include <cstdint>
#include <vector>

#include <benchmark/benchmark.h>

#include "aria/core/draws.hpp"
#include "aria/core/finite.hpp"
#include "aria/core/parallel.hpp"
#include "aria/policy/ppo.hpp"
#include "benchmarks/training_flop.hpp"
#include "benchmarks/verify.hpp"

namespace aria::benchmarks {
namespace {

// More than the caches of a core hold, as in a real iteration.
constexpr std::uint32_t kSteps = 32'768;

struct Robot {
  MlpShape policy;
  MlpShape critic;
};
const Robot kAnt{{{94, 64, 64, 8}}, {{97, 64, 64, 1}}};
const Robot kWalker{{{26, 64, 64, 6}, 9}, {{29, 64, 64, 1}, 12}};

// What is seen is noise, and what is paid for is to act as the noise did.
PpoSteps noisy_steps(const Robot& robot) {
  PpoSteps steps;
  std::vector<float> row(kNormalsPerBlock * normal_blocks(robot.critic.inputs()));
  for (std::uint32_t i = 0; i < kSteps; ++i) {
    draw_normal_rows(Key(1), Purpose::kTaskNoise, {&i, 1}, {&i, 1}, robot.critic.inputs(), row.data());
    steps.inputs.append_row(std::span(row).first(robot.critic.inputs()));
    steps.noise.append_row(std::span(row).first(robot.policy.outputs()));
    steps.rewards.push_back(row[0]);
    steps.ends.push_back(i % 100 == 99 ? StepEnd::kOver : StepEnd::kGoesOn);
  }
  return steps;
}

// Forward, to the parameters and, but for the first layer, to a layer's inputs.
double passes(const MlpShape& shape) { return 2 * products(shape) + products(shape, 1); }

void learning(benchmark::State& state, const Robot& robot) {
  set_threads(static_cast<std::size_t>(state.range(0)));
  PpoConfig config;
  config.epochs = 1;
  Ppo ppo(config, robot.policy, robot.critic, 0.1, Key(2));
  const PpoSteps steps = noisy_steps(robot);
  const PpoRates rates{.deviation = 0.3, .learning_rate = 1e-4};
  const std::vector<float> before = ppo.policy();
  ppo.learn(steps, rates, Key(3));
  verify(all_finite(ppo.policy()) && ppo.policy() != before, "a policy that learns");
  for (auto _ : state) ppo.learn(steps, rates, Key(3));
  // what both networks say of each step before learning is not counted
  count_flop(state, 2.0 * kSteps * (passes(robot.policy) + passes(robot.critic)));
  set_threads(0);
}

// The argument is the number of threads; 0 stands for all.
BENCHMARK_CAPTURE(learning, ant, kAnt)->Name("PPO pass/ant")->Arg(1)->Arg(0)->UseRealTime();
BENCHMARK_CAPTURE(learning, walker, kWalker)->Name("PPO pass/walker")->Arg(1)->Arg(0)->UseRealTime();

}  // namespace
}  // namespace aria::benchmarks
