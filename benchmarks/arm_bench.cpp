// Normal variates, arm evaluations, one RIM step and a whole ARIA-ME run: each verified first, then timed beside the
// plain version of itself, and on one thread beside all.
#include <cmath>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <hwy/targets.h>

#include "aria/algorithm/evolution_search.hpp"
#include "aria/algorithm/registry.hpp"
#include "aria/core/draws.hpp"
#include "aria/core/parallel.hpp"
#include "aria/evaluation/evaluator.hpp"
#include "aria/optim/ranks.hpp"
#include "aria/optim/search_gradient.hpp"
#include "aria/run/run_loop.hpp"
#include "benchmarks/cycles.hpp"
#include "benchmarks/plain_arm.hpp"
#include "benchmarks/verify.hpp"

namespace aria::benchmarks {
namespace {

constexpr std::size_t kPairs = 2048;
constexpr float kSigma = 0.005f;

// Thread counts: 0 stands for all.
void use_threads(const benchmark::State& state) { set_threads(static_cast<std::size_t>(state.range(0))); }

void count_evaluations(benchmark::State& state, std::size_t per_iteration) {
  state.counters["evaluations"] = benchmark::Counter(
      static_cast<double>(per_iteration) * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

SampleRequest mirrored_request(std::size_t centres) {
  const Arm arm;
  SampleRequest request;
  request.centres = Matrix(centres, arm.info().parameters);
  for (std::size_t i = 0; i < centres; ++i) {
    arm.initial_genotype(Key(3), static_cast<std::uint32_t>(i), request.centres.row(i));
    request.ids.push_back(static_cast<std::uint32_t>(i));
  }
  request.samples = 2 * kPairs;
  request.sigma = kSigma;
  request.mirrored = true;
  request.key = Key(4);
  return request;
}

void normals_plain(benchmark::State& state) {
  std::vector<float> out(8);
  std::uint32_t sample = 0;
  for (auto _ : state) {
    for (std::size_t i = 0; i < kDrawTile; ++i) plain_normals(Key(1), Purpose::kPerturbation, 0, sample++, out);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(state.iterations() * 8 * static_cast<std::int64_t>(kDrawTile));
}

void normals_simd(benchmark::State& state) {
  constexpr std::uint32_t kRows = 512;  // of eight: what stays in the first-level cache
  const std::vector<std::uint32_t> ids(kRows, 0);
  std::vector<std::uint32_t> samples(kRows);
  std::iota(samples.begin(), samples.end(), 0u);
  std::vector<float> out(8 * kRows);
  draw_normal_rows(Key(1), Purpose::kPerturbation, ids, samples, 8, out.data());
  for (std::uint32_t i = 0; i < kRows; ++i) {
    for (std::uint32_t j = 0; j < 8; ++j) {
      verify(std::abs(out[8 * i + j] - normal(Key(1), Purpose::kPerturbation, 0, i, j)) < 1e-6f, "a variate");
    }
  }
  std::uint64_t seed = 0;
  for (auto _ : state) {
    draw_normal_rows(Key(++seed), Purpose::kPerturbation, ids, samples, 8, out.data());
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(state.iterations() * 8 * kRows);
}

template <class TaskType>
void arm_evaluations(benchmark::State& state) {
  use_threads(state);
  const SampleRequest request = mirrored_request(16);
  LocalEvaluator evaluator(std::make_shared<TaskType>());
  Evaluations evaluations;
  evaluator.evaluate(request, evaluations);
  // the plain version draws its angles otherwise, so only the distribution can agree
  double mean = 0;
  for (const float f : evaluations.fitness) mean += f / static_cast<double>(evaluations.fitness.size());
  double expected = 0;
  ArmTile tile;
  for (std::size_t i = 0; i < request.centres.rows(); ++i) {
    arm_forward(request.centres.view().rows(i, 1), false, tile);
    expected += tile.fitness[0] / static_cast<double>(request.centres.rows());
  }
  verify(std::abs(mean - expected) < 0.003, "the mean fitness of an arm evaluation");
  for (auto _ : state) {
    evaluator.evaluate(request, evaluations);
    benchmark::DoNotOptimize(evaluations.fitness.data());
  }
  count_evaluations(state, request.evaluations());
}

// One step of one search, from evaluation to Adam.
void rim_step_simd(benchmark::State& state) {
  use_threads(state);
  const auto arm = std::make_shared<Arm>();
  SearchConfig config;
  config.pairs = kPairs;
  config.sigma = kSigma;
  const Grid grid(arm->info().grid);
  EvolutionSearch search(config, grid);
  const std::size_t cells = 16;
  std::vector<Search> searches;
  for (std::uint32_t i = 0; i < cells; ++i) {
    Search s{.id = i,
             .target = 500 + i,
             .genotype = std::vector<float>(8),
             .adam = AdamState(8),
             .fitness_mean = 0,
             .descriptor_mean = {}};
    arm->initial_genotype(Key(3), i, s.genotype);
    searches.push_back(s);
  }
  LocalEvaluator evaluator(arm);
  std::size_t steps = 0;
  search.start(searches, 100, Key(5));
  const auto step = [&] {
    if (search.done()) search.start(searches, 100, Key(5));
    evaluator.evaluate_each(
        search.ask(), [&](std::size_t i, const CentreEvaluations& evaluations) { search.tell_centre(i, evaluations); });
    search.told_all();
  };
  for (auto _ : state) {
    step();
    ++steps;
  }
  if (state.range(0) == 1) state.counters["cycles"] = best_cycles(static_cast<double>(cells), step);
  // after a hundred steps most samples are in the cell
  search.start(searches, 100, Key(5));
  while (!search.done()) step();
  std::size_t arrived = 0;
  for (const Search& s : search.searches()) arrived += grid.cell_of(s.descriptor_mean) == *s.target ? 1 : 0;
  verify(arrived >= cells / 2, "where the searches ended");
  count_evaluations(state, cells * 2 * kPairs);
  state.counters["per_step"] =
      benchmark::Counter(static_cast<double>(steps * cells), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void rim_step_plain(benchmark::State& state) {
  set_threads(1);
  const PlainArm arm;
  const Grid grid(arm.info().grid);
  SampleRequest request = mirrored_request(1);
  const std::size_t samples = request.samples;
  std::vector<float> fitness(samples);
  Matrix descriptors(samples, 2);
  std::vector<float> scores(samples);
  std::vector<float> noise(8);
  AdamState adam(8);
  for (auto _ : state) {
    arm.evaluate(request, 0, {fitness, descriptors.view(), nullptr});
    const std::vector<float> centroid = grid.centroid(500);
    for (std::size_t i = 0; i < samples; ++i) {
      const float dx = descriptors(i, 0) - centroid[0];
      const float dy = descriptors(i, 1) - centroid[1];
      scores[i] =
          grid.strictly_inside(500, descriptors.view().row(i)) ? fitness[i] : -1000 - std::sqrt(dx * dx + dy * dy);
    }
    const std::vector<float> utility = plain_ranks(scores);
    std::vector<float> gradient(8, 0.0f);
    for (std::size_t p = 0; p < kPairs; ++p) {
      plain_normals(request.key, Purpose::kPerturbation, request.ids[0], static_cast<std::uint32_t>(p), noise);
      const float weight = (utility[2 * p] - utility[2 * p + 1]) / static_cast<float>(kPairs);
      for (std::size_t j = 0; j < 8; ++j) gradient[j] += weight * noise[j];
    }
    adam_ascend({}, adam, gradient, request.centres.row(0));
  }
  count_evaluations(state, samples);
  state.counters["per_step"] = benchmark::Counter(static_cast<double>(state.iterations()),
                                                  benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// The whole algorithm at a sixteenth of the published budget.
template <class TaskType>
void aria_me(benchmark::State& state) {
  use_threads(state);
  const auto task = std::make_shared<TaskType>();
  std::size_t evaluations = 0;
  for (auto _ : state) {
    AnyAlgorithm algorithm = plan_algorithm("aria-me", task->info(), Preset::kLite).build(task, Key(1), nullptr);
    LocalEvaluator evaluator(task);
    RunProgress progress;
    run_loop(algorithm, evaluator, progress, {});
    verify(algorithm.archive().size() == 1024, "the number of cells that ARIA filled");
    evaluations = progress.evaluations;
  }
  count_evaluations(state, evaluations);
}

BENCHMARK(normals_plain)->Name("normal variates/plain");
BENCHMARK(normals_simd)->Name("normal variates/simd");
BENCHMARK(arm_evaluations<PlainArm>)->Name("arm evaluations/plain")->Arg(1)->UseRealTime();
BENCHMARK(arm_evaluations<Arm>)->Name("arm evaluations/simd")->Arg(1)->Arg(0)->UseRealTime();
BENCHMARK(rim_step_plain)->Name("RIM step/plain")->Arg(1)->UseRealTime();
BENCHMARK(rim_step_simd)->Name("RIM step/simd")->Arg(1)->Arg(0)->UseRealTime();
BENCHMARK(aria_me<PlainArm>)
    ->Name("ARIA-ME lite/plain")
    ->Arg(1)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(aria_me<Arm>)
    ->Name("ARIA-ME lite/simd")
    ->Arg(1)
    ->Arg(0)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace aria::benchmarks
