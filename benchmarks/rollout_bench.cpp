// Whole rollouts of Ant and Walker: what an evaluation costs, drawing of perturbed policies and starts included.
// Episodes run to their end, so that the number of steps is known.
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include <benchmark/benchmark.h>

#include "aria/core/parallel.hpp"
#include "aria/evaluation/evaluator.hpp"
#include "aria/task/ant.hpp"
#include "aria/task/samples.hpp"
#include "aria/task/trajectory.hpp"
#include "aria/task/walker.hpp"
#include "benchmarks/cycles.hpp"
#include "benchmarks/plain_arm.hpp"
#include "benchmarks/plain_rollout.hpp"
#include "benchmarks/verify.hpp"

namespace aria::benchmarks {
namespace {

constexpr double kFar = 1e9;

constexpr std::size_t kAntSteps = 100;
constexpr std::size_t kWalkerSteps = 200;
constexpr float kAntSigma = 0.02f;
constexpr float kWalkerSigma = 0.01f;

std::shared_ptr<const RobotTask> tireless_ant(std::size_t steps = kAntSteps) {
  AntConfig config;
  config.episode_length = steps;
  config.min_height = -kFar;
  config.max_height = kFar;
  return make_ant(config);
}

std::shared_ptr<const RobotTask> tireless_walker(std::size_t steps = kWalkerSteps) {
  WalkerConfig config;
  config.episode_length = steps;
  config.min_height = -kFar;
  config.max_height = kFar;
  config.max_tilt = kFar;
  return make_walker(config);
}

// sigma 0: one policy for all.
SampleRequest request_of(const RobotTask& task, std::size_t samples, float sigma) {
  SampleRequest request;
  request.centres = Matrix(1, task.info().parameters);
  request.ids = {1};
  task.initial_genotype(Key(3), 0, request.centres.row(0));
  request.samples = samples;
  request.sigma = sigma;
  request.mirrored = sigma > 0;
  request.key = Key(4);
  return request;
}

// Rollouts side by side must give what each gives alone; some of those of the first blocks are looked at.
void verify_rollouts(const RobotTask& task, const SampleRequest& request, const Evaluations& evaluations) {
  Matrix solutions(2048, task.info().parameters);
  draw_solutions(request, 0, solutions.view());
  for (std::size_t e = 0; e < solutions.rows(); e += 97) {
    const auto noise = reset_noise(task, request.key, request.ids[0], static_cast<std::uint32_t>(e));
    verify(record_rollout(task, solutions.row(e), noise).fitness == evaluations.fitness[e], "a rollout");
  }
}

// Cycles of a step on one thread.
double step_cycles(const RobotTask& task, const SampleRequest& request, Evaluations& evaluations) {
  const std::size_t few = 32;
  const EvaluationRows rows{
      std::span(evaluations.fitness).first(few), evaluations.descriptors.view().rows(0, few), nullptr, {}};
  return best_cycles(static_cast<double>(few * task.episode_length()), [&] { task.evaluate(request, 0, rows); });
}

void rollouts(benchmark::State& state, const std::shared_ptr<const RobotTask>& task, float sigma) {
  set_threads(static_cast<std::size_t>(state.range(0)));
  // ARIA asks for some fifty thousand at a time; of few, threads would wait for the last block
  const SampleRequest request = request_of(*task, 8192, sigma);
  LocalEvaluator evaluator(task);
  Evaluations evaluations;
  evaluator.evaluate(request, evaluations);
  verify_rollouts(*task, request, evaluations);
  for (auto _ : state) evaluator.evaluate(request, evaluations);
  const auto steps = static_cast<double>(request.evaluations() * task->episode_length());
  state.counters["items_per_second"] =
      benchmark::Counter(steps * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  if (state.range(0) == 1) state.counters["cycles"] = step_cycles(*task, request, evaluations);
  set_threads(0);
}

// In a few steps roundings do not grow much; they may turn a contact on or off, so that a few rollouts may differ.
void verify_plain(const std::shared_ptr<const RobotTask>& task, float sigma) {
  const SampleRequest request = request_of(*task, 32, sigma);
  LocalEvaluator evaluator(task);
  Evaluations evaluations;
  evaluator.evaluate(request, evaluations);
  Matrix solutions(request.evaluations(), task->info().parameters);
  draw_solutions(request, 0, solutions.view());
  PlainRollout plain(*task);
  std::size_t differing = 0;
  for (std::size_t e = 0; e < request.evaluations(); ++e) {
    const auto noise = reset_noise(*task, request.key, request.ids[0], static_cast<std::uint32_t>(e));
    differing += std::abs(plain.run(solutions.row(e), noise) - evaluations.fitness[e]) < 0.02f ? 0 : 1;
  }
  verify(differing <= request.evaluations() / 8, "a plain rollout");
}

// Pairs of rollouts, one after the other: the noise of the policies is drawn once for both.
void plain_rollouts(benchmark::State& state, const RobotTask& task, float sigma) {
  const SampleRequest request = request_of(task, 2048, sigma);
  PlainRollout plain(task);
  std::vector<float> noise(task.info().parameters);
  std::vector<float> policy(noise.size());
  std::uint32_t sample = 0;
  const auto pair = [&] {
    plain_normals(request.key, Purpose::kPerturbation, request.ids[0], sample / 2, noise);
    for (const float scale : {sigma, -sigma}) {
      const auto centre = request.centres.row(0);
      for (std::size_t j = 0; j < policy.size(); ++j) policy[j] = centre[j] + scale * noise[j];
      benchmark::DoNotOptimize(plain.run(policy, reset_noise(task, request.key, request.ids[0], sample++)));
    }
  };
  for (auto _ : state) pair();
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(2 * task.episode_length()));
  state.counters["cycles"] = best_cycles(static_cast<double>(2 * task.episode_length()), pair);
}

void ant_plain(benchmark::State& state) {
  verify_plain(tireless_ant(5), kAntSigma);
  plain_rollouts(state, *tireless_ant(), kAntSigma);
}
void walker_plain(benchmark::State& state) {
  verify_plain(tireless_walker(5), kWalkerSigma);
  plain_rollouts(state, *tireless_walker(), kWalkerSigma);
}

void ant_own(benchmark::State& state) { rollouts(state, tireless_ant(), kAntSigma); }
void ant_shared(benchmark::State& state) { rollouts(state, tireless_ant(), 0); }
void walker_own(benchmark::State& state) { rollouts(state, tireless_walker(), kWalkerSigma); }
void walker_shared(benchmark::State& state) { rollouts(state, tireless_walker(), 0); }

BENCHMARK(ant_plain)->Name("ant rollouts/plain")->Unit(benchmark::kMillisecond);
BENCHMARK(walker_plain)->Name("walker rollouts/plain")->Unit(benchmark::kMillisecond);
// Thread counts: 0 stands for all.
BENCHMARK(ant_own)->Name("ant rollouts/own policies")->Arg(1)->Arg(0)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(ant_shared)->Name("ant rollouts/one policy")->Arg(1)->Arg(0)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(walker_own)
    ->Name("walker rollouts/own policies")
    ->Arg(1)
    ->Arg(0)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(walker_shared)
    ->Name("walker rollouts/one policy")
    ->Arg(1)
    ->Arg(0)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace aria::benchmarks
