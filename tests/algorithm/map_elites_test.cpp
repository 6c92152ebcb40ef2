#include "aria/algorithm/map_elites.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <set>
#include <vector>

#include "aria/evaluation/cloud_mean.hpp"
#include "aria/evaluation/evaluator.hpp"
#include "aria/task/arm.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/quadratic_task.hpp"
#include "tests/support/run_algorithm.hpp"

namespace aria {
namespace {

using aria::testing::failing_task;
using aria::testing::message_of;
using aria::testing::QuadraticConfig;
using aria::testing::QuadraticTask;
using aria::testing::run_round;
using aria::testing::run_to_the_end;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

MapElitesConfig config_of(std::size_t budget, std::size_t batch) {
  MapElitesConfig config;
  config.budget = budget;
  config.batch = batch;
  return config;
}

// --- Construction --------------------------------------------------------------------------------------------------

TEST(MapElites, HasThePublishedSettings) {
  const MapElitesConfig config;
  EXPECT_EQ(config.batch, 4096u);
  EXPECT_EQ(config.iso_sigma, 0.01);
  EXPECT_EQ(config.line_sigma, 0.1);
  EXPECT_EQ(config.budget, 2'000'000u);
}

TEST(MapElites, RefusesSettingsOutsideTheirRange) {
  const auto said = [](const std::function<void(MapElitesConfig&)>& change) {
    MapElitesConfig config;
    change(config);
    return message_of([&] { const MapElites algorithm(config, std::make_shared<Arm>(), Key(1)); });
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(said([](MapElitesConfig& c) { c.budget = 0; }), AllOf(HasSubstr("budget"), HasSubstr("got 0")));
  EXPECT_THAT(said([](MapElitesConfig& c) { c.batch = 0; }), AllOf(HasSubstr("batch"), HasSubstr("got 0")));
  EXPECT_THAT(said([](MapElitesConfig& c) { c.batch = (1u << 24) + 1; }), AllOf(HasSubstr("batch"), HasSubstr("2^24")));
  EXPECT_THAT(said([](MapElitesConfig& c) { c.iso_sigma = -1; }), AllOf(HasSubstr("iso_sigma"), HasSubstr("got -1")));
  EXPECT_THAT(said([&](MapElitesConfig& c) { c.iso_sigma = nan; }), HasSubstr("iso_sigma"));
  EXPECT_THAT(said([](MapElitesConfig& c) { c.line_sigma = 1e9; }), AllOf(HasSubstr("line_sigma"), HasSubstr("1e6")));
}

TEST(MapElites, NamesItsSettings) {
  MapElitesConfig config;
  SettingTable table;
  bind_settings(table, config);
  EXPECT_THAT(table.names(), ElementsAre("budget", "batch", "iso_sigma", "line_sigma"));
  table.set("budget", "2e6");
  table.set("line_sigma", "0.2");
  EXPECT_EQ(config.budget, 2'000'000u);
  EXPECT_EQ(config.line_sigma, 0.2);
}

// --- Evolution -----------------------------------------------------------------------------------------------------

TEST(MapElites, StartsFromRandomGenotypesOfTheTask) {
  const auto task = std::make_shared<Arm>();
  MapElites algorithm(config_of(100, 30), task, Key(7));
  const SampleRequest& request = algorithm.ask();
  ASSERT_EQ(request.centres.rows(), 30u);
  EXPECT_EQ(request.samples, 1u);
  EXPECT_EQ(request.sigma, 0.0f);
  std::set<std::vector<float>> distinct;
  for (std::size_t i = 0; i < 30; ++i) {
    std::vector<float> expected(8);
    task->initial_genotype(request.key, request.ids[i], expected);
    EXPECT_THAT(request.centres.row(i), ::testing::ElementsAreArray(expected));
    distinct.insert(expected);
  }
  EXPECT_EQ(distinct.size(), 30u);
}

TEST(MapElites, SpendsItsBudgetToTheLastEvaluation) {
  LocalEvaluator evaluator(std::make_shared<Arm>());
  for (const std::size_t batch : {1u, 7u, 64u, 100u, 1000u}) {
    MapElites algorithm(config_of(100, batch), std::make_shared<Arm>(), Key(1));
    std::vector<std::size_t> spent;
    while (!algorithm.done()) spent.push_back(run_round(algorithm, evaluator));
    EXPECT_EQ(std::accumulate(spent.begin(), spent.end(), std::size_t{0}), 100u) << "batch " << batch;
    EXPECT_EQ(spent.size(), (100 + batch - 1) / batch);
    EXPECT_EQ(spent.back(), (100 - 1) % batch + 1);  // the last batch may be short
  }
}

TEST(MapElites, WorksWithABatchOfOne) {
  const auto task = std::make_shared<QuadraticTask>();
  LocalEvaluator evaluator(task);
  MapElites algorithm(config_of(400, 1), task, Key(1));
  EXPECT_EQ(run_to_the_end(algorithm, evaluator), 400u);
  EXPECT_GE(algorithm.elites().size(), 1u);
}

TEST(MapElites, FillsTheGridAndImprovesItsElites) {
  const auto task = std::make_shared<QuadraticTask>();
  LocalEvaluator evaluator(task);
  MapElitesConfig config = config_of(8000, 100);
  config.iso_sigma = 0.1;
  MapElites algorithm(config, task, Key(1));
  run_round(algorithm, evaluator);
  const double first_best = algorithm.status().best_fitness;
  run_to_the_end(algorithm, evaluator);
  EXPECT_EQ(algorithm.elites().size(), 16u);
  EXPECT_GT(algorithm.status().best_fitness, first_best);
  EXPECT_GT(algorithm.status().best_fitness, -0.01);
}

TEST(MapElites, KeepsEvaluationsAsTheyCame) {
  const auto task = std::make_shared<Arm>();
  LocalEvaluator evaluator(task);
  MapElites algorithm(config_of(50, 50), task, Key(3));
  const SampleRequest request = algorithm.ask();
  Evaluations evaluations;
  evaluator.evaluate(request, evaluations);
  algorithm.tell(evaluations);
  Archive expected(Grid(task->info().grid), 8);
  expected.insert(request.centres, evaluations.fitness, evaluations.descriptors);
  EXPECT_EQ(algorithm.elites(), expected);
  EXPECT_EQ(algorithm.archive(), expected.table());
}

TEST(MapElites, KeepsTryingRandomSolutionsWhileEverythingFails) {
  const auto task = failing_task(1);
  LocalEvaluator evaluator(task);
  MapElites algorithm(config_of(100, 20), task, Key(1));
  std::set<std::vector<float>> tried;
  while (!algorithm.done()) {
    const SampleRequest& request = algorithm.ask();
    for (std::size_t i = 0; i < request.centres.rows(); ++i) {
      const auto row = request.centres.row(i);
      tried.insert({row.begin(), row.end()});
    }
    run_round(algorithm, evaluator);
  }
  EXPECT_EQ(tried.size(), 100u);
  EXPECT_EQ(algorithm.archive().size(), 0u);
  EXPECT_EQ(algorithm.status().cells, 0u);
  EXPECT_EQ(algorithm.status().best_fitness, 0);
}

TEST(MapElites, GoesOnFromTheFirstSolutionThatDoesNotFail) {
  QuadraticConfig failing;
  failing.failure_rate = 0.9;
  const auto task = std::make_shared<QuadraticTask>(failing);
  LocalEvaluator evaluator(task);
  MapElitesConfig config = config_of(1000, 10);
  config.iso_sigma = 0.3;
  MapElites algorithm(config, task, Key(1));
  run_to_the_end(algorithm, evaluator);
  EXPECT_GE(algorithm.elites().size(), 4u);
  for (const float f : algorithm.archive().objective) EXPECT_TRUE(std::isfinite(f));
}

// --- Several evaluations per offspring -----------------------------------------------------------------------------

MapElitesConfig sampled_config(std::size_t budget, std::size_t batch, std::size_t samples) {
  MapElitesConfig config = config_of(budget, batch);
  config.samples = samples;
  return config;
}

// The summary of each offspring's evaluations, by the function that serves the metrics.
struct Summary {
  std::vector<float> fitness;
  Matrix descriptors;
  std::vector<double> variance;
};
Summary summary_of(const Evaluations& evaluations, std::size_t samples) {
  Summary summary;
  for (std::size_t first = 0; first < evaluations.fitness.size(); first += samples) {
    const auto fitness = std::span(evaluations.fitness).subspan(first, samples);
    const auto descriptors = evaluations.descriptors.view().rows(first, samples);
    summary.fitness.push_back(cloud_mean(fitness, descriptors).fitness);
    summary.descriptors.append_row(cloud_mean(fitness, descriptors).descriptor);
    summary.variance.push_back(cloud_spread(fitness, descriptors).variance);
  }
  return summary;
}

void expect_near(const Archive& found, const Archive& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t slot = 0; slot < found.size(); ++slot) {
    EXPECT_EQ(found.cell(slot), expected.cell(slot));
    EXPECT_FLOAT_EQ(found.fitness(slot), expected.fitness(slot));
    EXPECT_THAT(found.genotype(slot), ::testing::ElementsAreArray(expected.genotype(slot)));
    EXPECT_THAT(found.descriptor(slot), ::testing::Pointwise(::testing::FloatEq(), expected.descriptor(slot)));
  }
}

TEST(MeSa, HasThePublishedSettings) {
  EXPECT_EQ(sampled_map_elites().batch, 128u);
  EXPECT_EQ(sampled_map_elites().samples, 32u);
  EXPECT_EQ(sampled_map_elites().iso_sigma, 0.01);
  EXPECT_EQ(sampled_map_elites().line_sigma, 0.1);
  EXPECT_EQ(sampled_map_elites().fitness_weight, std::nullopt);
}

TEST(MeSa, RefusesSettingsOutsideTheirRange) {
  const auto said = [](const std::function<void(MapElitesConfig&)>& change) {
    MapElitesConfig config = sampled_map_elites();
    change(config);
    return message_of([&] { const MapElites algorithm(config, std::make_shared<Arm>(), Key(1)); });
  };
  EXPECT_THAT(said([](MapElitesConfig& c) { c.samples = 0; }), AllOf(HasSubstr("samples"), HasSubstr("got 0")));
  EXPECT_THAT(said([](MapElitesConfig& c) { c.budget = 31; }),
              AllOf(HasSubstr("budget"), HasSubstr(">= samples (32)"), HasSubstr("got 31")));
  EXPECT_THAT(said([](MapElitesConfig& c) { c.batch = 1 << 24; }),
              HasSubstr("batch times samples must be at most 2^28"));
  EXPECT_THAT(said([](MapElitesConfig& c) { c.fitness_weight = -1; }),
              AllOf(HasSubstr("fitness_weight"), HasSubstr("got -1")));
  EXPECT_THAT(said([](MapElitesConfig& c) {
                c.fitness_weight = 0.5;
                c.samples = 1;
              }),
              AllOf(HasSubstr("samples"), HasSubstr(">= 2")));
}

TEST(MeSa, KeepsTheMeansOfItsEvaluations) {
  const auto task = std::make_shared<Arm>();
  LocalEvaluator evaluator(task);
  MapElites algorithm(sampled_config(400, 50, 8), task, Key(3));
  const SampleRequest request = algorithm.ask();
  EXPECT_EQ(request.samples, 8u);
  EXPECT_EQ(request.sigma, 0.0f);
  EXPECT_EQ(request.centres.rows(), 50u);
  Evaluations evaluations;
  evaluator.evaluate(request, evaluations);
  algorithm.tell(evaluations);
  const Summary summary = summary_of(evaluations, 8);
  Archive expected(Grid(task->info().grid), 8);
  expected.insert(request.centres, summary.fitness, summary.descriptors);
  expect_near(algorithm.elites(), expected);
  EXPECT_EQ(algorithm.status().phase, "ME-Sa");
}

TEST(MeSa, StartsLikeMapElites) {
  MapElites once(config_of(50, 50), std::make_shared<Arm>(), Key(3));
  MapElites often(sampled_config(400, 50, 8), std::make_shared<Arm>(), Key(3));
  EXPECT_EQ(once.ask().centres, often.ask().centres);
}

TEST(MeSa, NeverExceedsItsBudget) {
  LocalEvaluator evaluator(std::make_shared<Arm>());
  MapElites algorithm(sampled_config(109, 4, 10), std::make_shared<Arm>(), Key(1));
  std::vector<std::size_t> spent;
  while (!algorithm.done()) spent.push_back(run_round(algorithm, evaluator));
  EXPECT_THAT(spent, ElementsAre(40, 40, 20));
  EXPECT_EQ(algorithm.status().planned_evaluations, 100u);
}

// Sample 2 of every offspring fails, all but one of every third's, all of every fourth's.
bool fails(std::size_t offspring, std::size_t sample) {
  return sample == 2 || (offspring % 3 == 0 && sample != 1) || offspring % 4 == 0;
}

TEST(MeSa, JudgesAnOffspringByTheEvaluationsThatDidNotFail) {
  QuadraticConfig failing;
  failing.descriptor_noise = 0.1f;
  failing.before = [](std::uint32_t id, std::size_t sample) {
    if (fails(id, sample)) throw std::runtime_error("fails");
  };
  const auto task = std::make_shared<QuadraticTask>(failing);
  LocalEvaluator evaluator(task);
  for (const std::optional<double> weight : {std::optional<double>(), std::optional<double>(0.5)}) {
    MapElitesConfig config = sampled_config(5 * 24, 24, 5);
    config.fitness_weight = weight;
    MapElites algorithm(config, task, Key(1));
    const SampleRequest request = algorithm.ask();
    Evaluations evaluations;
    evaluator.evaluate(request, evaluations);
    algorithm.tell(evaluations);
    Summary summary = summary_of(evaluations, 5);
    const RobustFitness score(0.5, task->info());
    std::vector<float> scores;
    std::size_t alone = 0;
    for (std::size_t i = 0; i < 24; ++i) {
      const float nothing = std::numeric_limits<float>::quiet_NaN();
      // one evaluation has a mean and no variance
      if (i % 4 == 0 || (weight && i % 3 == 0)) summary.fitness[i] = nothing;
      scores.push_back(static_cast<float>(score(static_cast<double>(summary.fitness[i]), summary.variance[i])));
    }
    Archive expected(Grid(task->info().grid), 3, weight ? Archive::Rivalry::kScore : Archive::Rivalry::kFitness);
    expected.insert(request.centres, summary.fitness, summary.descriptors, weight ? scores : std::vector<float>());
    expect_near(algorithm.elites(), expected);
    for (std::size_t slot = 0; slot < expected.size(); ++slot) {
      for (std::size_t i = 0; i < 24; i += 3) {
        if (std::ranges::equal(expected.genotype(slot), request.centres.row(i))) ++alone;
      }
    }
    EXPECT_EQ(alone > 0, !weight);
    EXPECT_GE(expected.size(), 6u);
  }
}

TEST(MeSaR, CompetesByTheWeightedScoreAndShowsTheMeanFitness) {
  QuadraticConfig noisy;
  noisy.fitness_noise = 0.1f;
  noisy.descriptor_noise = 0.5f;
  const auto task = std::make_shared<QuadraticTask>(noisy);
  LocalEvaluator evaluator(task);
  for (const double weight : {0.0, 0.25, 1.0}) {
    MapElitesConfig config = sampled_config(1000, 100, 10);
    config.fitness_weight = weight;
    MapElites algorithm(config, task, Key(1));
    const SampleRequest request = algorithm.ask();
    Evaluations evaluations;
    evaluator.evaluate(request, evaluations);
    algorithm.tell(evaluations);
    const Summary summary = summary_of(evaluations, 10);
    const RobustFitness score(weight, task->info());
    std::vector<float> scores;
    for (std::size_t i = 0; i < 100; ++i) {
      scores.push_back(static_cast<float>(score(static_cast<double>(summary.fitness[i]), summary.variance[i])));
    }
    Archive expected(Grid(task->info().grid), 3, Archive::Rivalry::kScore);
    expected.insert(request.centres, summary.fitness, summary.descriptors, scores);
    expect_near(algorithm.elites(), expected);
    Archive by_fitness(Grid(task->info().grid), 3);
    by_fitness.insert(request.centres, summary.fitness, summary.descriptors);
    EXPECT_EQ(algorithm.archive().solution == by_fitness.table().solution, weight == 1.0);
    EXPECT_EQ(algorithm.status().phase, "ME-Sa-R");
  }
}

// --- Status --------------------------------------------------------------------------------------------------------

TEST(MapElites, TellsAboutItself) {
  const auto task = std::make_shared<Arm>();
  LocalEvaluator evaluator(task);
  MapElites algorithm(config_of(300, 100), task, Key(1));
  EXPECT_EQ(algorithm.status().cells, 0u);
  EXPECT_EQ(algorithm.status().planned_evaluations, 300u);
  EXPECT_EQ(algorithm.initial_archive(), std::nullopt);
  run_round(algorithm, evaluator);
  EXPECT_EQ(algorithm.status().phase, "MAP-Elites");
  EXPECT_EQ(algorithm.status().cells, algorithm.archive().size());
  EXPECT_EQ(algorithm.status().best_fitness, algorithm.elites().best_fitness());
  EXPECT_FALSE(algorithm.done());
}

// --- Saving --------------------------------------------------------------------------------------------------------

TEST(MapElites, RefusesAStateThatIsNotItsOwn) {
  const auto task = std::make_shared<Arm>();
  LocalEvaluator evaluator(task);
  MapElites algorithm(config_of(300, 100), task, Key(1));
  run_round(algorithm, evaluator);
  const State good = algorithm.save();
  MapElites other(config_of(300, 100), task, Key(1));
  EXPECT_THAT(message_of([&] { other.load(State()); }), HasSubstr("missing"));
  for (const char* name : {"generation", "evaluations"}) {
    State state = good;
    state.put(name, std::int64_t{-1});
    EXPECT_THAT(message_of([&] { other.load(state); }), AllOf(HasSubstr(">= 0"), HasSubstr("got -1"))) << name;
    state.arrays().erase(name);
    EXPECT_THAT(message_of([&] { other.load(state); }), AllOf(HasSubstr(name), HasSubstr("missing")));
  }
  State state = good;
  state.put("archive/cells", std::vector<std::int64_t>{1 << 20});
  EXPECT_THAT(message_of([&] { other.load(state); }), HasSubstr("cell"));
}

}  // namespace
}  // namespace aria
