// ARIA-GN: settings that it refuses, what it reaches on small tasks, and its budget.
#include "aria/algorithm/aria_gn.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "aria/algorithm/any_algorithm.hpp"
#include "aria/evaluation/evaluator.hpp"
#include "aria/task/arm.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/quadratic_task.hpp"
#include "tests/support/run_algorithm.hpp"

namespace aria {
namespace {

using aria::testing::message_of;
using aria::testing::noisy_task;
using aria::testing::run_to_the_end;
using ::testing::HasSubstr;

AriaGnConfig small_config() {
  AriaGnConfig config;
  config.budget = 20'000;
  config.climb.sigma = 0.05;
  config.climb.pairs = 8;
  config.climb.learning_rate = 0.05;
  return config;
}

TEST(AriaGn, RefusesSettingsThatMakeNoSense) {
  const auto refusal = [](auto change) {
    AriaGnConfig config;
    change(config);
    return message_of([&] { config.validate(); });
  };
  EXPECT_THAT(refusal([](AriaGnConfig& c) { c.budget = 0; }), HasSubstr("budget must be >= 1, got 0"));
  EXPECT_THAT(refusal([](AriaGnConfig& c) { c.initial_share = 1.5; }), HasSubstr("initial_share"));
  EXPECT_THAT(refusal([](AriaGnConfig& c) { c.climb.pairs = 0; }), HasSubstr("pairs must be from 1"));
  EXPECT_THAT(refusal([](AriaGnConfig& c) { c.climb.sigma = 0; }), HasSubstr("sigma must be above 0"));
  EXPECT_THAT(refusal([](AriaGnConfig& c) { c.climb.memory = 0; }), HasSubstr("memory"));
  EXPECT_THAT(refusal([](AriaGnConfig& c) { c.steps = 3; }), HasSubstr("steps must be from 4"));
  EXPECT_THAT(refusal([](AriaGnConfig& c) { c.settle_steps = 0; }), HasSubstr("settle_steps"));
  EXPECT_THAT(refusal([](AriaGnConfig& c) { c.parallel_cells = 0; }), HasSubstr("parallel_cells"));
}

// The descriptor is the first two parameters: every cell can be reached at its centre, and the third parameter is free
// to become optimal.
TEST(AriaGn, BringsEveryCellToItsCentreAndToItsBestFitness) {
  const auto task = noisy_task(0.02f, 0.05f);
  AriaGn algorithm(small_config(), task, Key(1));
  LocalEvaluator evaluator(task);
  run_to_the_end(algorithm, evaluator);
  const ArchiveTable archive = algorithm.archive();
  const Grid grid(task->info().grid);
  ASSERT_EQ(archive.size(), grid.cells());
  for (std::size_t i = 0; i < archive.size(); ++i) {
    const std::vector<float> centre = grid.centroid(static_cast<std::size_t>(archive.index[i]));
    EXPECT_NEAR(archive.solution(i, 0), centre[0], 0.06);
    EXPECT_NEAR(archive.solution(i, 1), centre[1], 0.06);
    EXPECT_NEAR(archive.solution(i, 2), 0.25, 0.2);
  }
}

TEST(AriaGn, NeverSpendsMoreThanItsBudget) {
  const auto task = noisy_task(0.05f, 0.05f);
  for (const std::size_t budget : {1, 300, 1000, 5000, 50'000}) {
    AriaGnConfig config = small_config();
    config.budget = budget;
    AriaGn algorithm(config, task, Key(1));
    LocalEvaluator evaluator(task);
    const std::size_t spent = run_to_the_end(algorithm, evaluator);
    EXPECT_LE(spent, budget);
    EXPECT_GE(algorithm.archive().size(), 1u) << budget;
    EXPECT_EQ(algorithm.status().planned_evaluations, budget);
  }
}

// With a budget for a few cells the others keep what was placed there, with what was measured of it.
TEST(AriaGn, KeepsWhatItDoesNotComeTo) {
  const auto task = noisy_task(0.02f, 0.05f);
  AriaGnConfig config = small_config();
  config.budget = 600;
  config.parallel_cells = 1;
  AriaGn algorithm(config, task, Key(1));
  LocalEvaluator evaluator(task);
  run_to_the_end(algorithm, evaluator);
  const ArchiveTable archive = algorithm.archive();
  const Grid grid(task->info().grid);
  EXPECT_EQ(archive.size(), algorithm.status().cells);
  std::size_t off_centre = 0;
  for (std::size_t row = 0; row < archive.size(); ++row) {
    const auto cell = static_cast<std::size_t>(archive.index[row]);
    EXPECT_EQ(grid.cell_of(archive.measures.row(row)), cell) << "row " << row;
    // the descriptor is the first two parameters
    off_centre += std::abs(archive.solution(row, 0) - grid.centroid(cell)[0]) > 0.5f * grid.half_widths()[0] ? 1u : 0u;
  }
  EXPECT_GE(off_centre, 1u) << "those that were not moved";
}

TEST(AriaGn, EndsWithNothingWhereEveryEvaluationFails) {
  const auto task = testing::failing_task(1);
  AriaGn algorithm(small_config(), task, Key(1));
  LocalEvaluator evaluator(task);
  EXPECT_LE(run_to_the_end(algorithm, evaluator), small_config().budget / 20);
  EXPECT_EQ(algorithm.archive().size(), 0u);
}

// The arm reaches a disc: cells beyond it are tried from inside, and those behind them are not tried at all.
TEST(AriaGn, SkipsCellsWhoseNeighboursWereNotReached) {
  const auto task = std::make_shared<Arm>();
  AriaGnConfig config;
  config.budget = 300'000;
  AriaGn algorithm(config, task, Key(1));
  LocalEvaluator evaluator(task);
  run_to_the_end(algorithm, evaluator);
  const ArchiveTable archive = algorithm.archive();
  EXPECT_GT(archive.size(), 840u);
  EXPECT_LT(archive.size(), 980u);
  EXPECT_EQ(std::ranges::count(archive.index, 0), 0);  // a corner
}

TEST(AriaGn, StopsEarlyWhereNothingIsLeftToGain) {
  const auto task = noisy_task(0.05f, 0.05f);
  AriaGnConfig config = small_config();
  config.budget = 10'000'000;
  config.initial_share = 0.0001;
  AriaGn algorithm(config, task, Key(1));
  LocalEvaluator evaluator(task);
  EXPECT_LT(run_to_the_end(algorithm, evaluator), 200'000u);
}

}  // namespace
}  // namespace aria
