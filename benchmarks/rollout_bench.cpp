// Whole rollouts of Ant and Walker: what an evaluation costs, drawing of perturbed policies and starts included.
// Episodes run to their end, so that the number of steps is known.
#include <memory>

#include <benchmark/benchmark.h>

#include "aria/core/parallel.hpp"
#include "aria/evaluation/evaluator.hpp"
#include "aria/task/ant.hpp"
#include "aria/task/samples.hpp"
#include "aria/task/trajectory.hpp"
#include "aria/task/walker.hpp"
#include "benchmarks/verify.hpp"

namespace aria::benchmarks {
namespace {

constexpr double kFar = 1e9;

std::shared_ptr<const RobotTask> tireless_ant() {
  AntConfig config;
  config.min_height = -kFar;
  config.max_height = kFar;
  return make_ant(config);
}

std::shared_ptr<const RobotTask> tireless_walker() {
  WalkerConfig config;
  config.min_height = -kFar;
  config.max_height = kFar;
  config.max_tilt = kFar;
  config.episode_length = 200;
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

// Rollouts side by side must give what each gives alone.
void verify_rollouts(const RobotTask& task, const SampleRequest& request, const Evaluations& evaluations) {
  Matrix solutions(request.evaluations(), task.info().parameters);
  draw_solutions(request, 0, solutions.view());
  for (std::size_t e = 0; e < request.evaluations(); e += 97) {
    const auto noise = reset_noise(task, request.key, request.ids[0], static_cast<std::uint32_t>(e));
    verify(record_rollout(task, solutions.row(e), noise).fitness == evaluations.fitness[e], "a rollout");
  }
}

void rollouts(benchmark::State& state, const std::shared_ptr<const RobotTask>& task, float sigma) {
  set_threads(static_cast<std::size_t>(state.range(0)));
  const SampleRequest request = request_of(*task, 2048, sigma);
  LocalEvaluator evaluator(task);
  Evaluations evaluations;
  evaluator.evaluate(request, evaluations);
  verify_rollouts(*task, request, evaluations);
  for (auto _ : state) evaluator.evaluate(request, evaluations);
  const auto steps = static_cast<double>(request.evaluations() * task->episode_length());
  state.counters["items_per_second"] =
      benchmark::Counter(steps * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  set_threads(0);
}

void ant_own(benchmark::State& state) { rollouts(state, tireless_ant(), 0.02f); }
void ant_shared(benchmark::State& state) { rollouts(state, tireless_ant(), 0); }
void walker_own(benchmark::State& state) { rollouts(state, tireless_walker(), 0.01f); }
void walker_shared(benchmark::State& state) { rollouts(state, tireless_walker(), 0); }

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
