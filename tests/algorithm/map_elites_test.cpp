#include "aria/algorithm/map_elites.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <set>
#include <vector>

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
