#include "aria/algorithm/goal_polish.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "aria/evaluation/evaluator.hpp"
#include "aria/task/arm.hpp"
#include "tests/support/all_cells.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/run_algorithm.hpp"

namespace aria {
namespace {

using aria::testing::all_cells;
using aria::testing::message_of;
using aria::testing::run_round;
using aria::testing::run_to_the_end;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::shared_ptr<const Arm> small_arm() {
  ArmConfig config;
  config.joints = 5;
  config.grid = {4, 4};
  return std::make_shared<Arm>(config);
}

GoalPolishConfig small() {
  GoalPolishConfig config;
  config.budget = 20'000;
  config.steps = 5;
  config.samples = 32;
  config.parallel_cells = 3;
  config.search.pairs = 16;
  config.search.sigma = 0.02;
  return config;
}

// The same straight arm for every cell, evaluated there.
std::vector<GoalPolish::Solution> same_for_all(const std::shared_ptr<const Task>& task) {
  const Grid grid(task->info().grid);
  SampleRequest request;
  request.key = Key(9);
  request.samples = 32;
  request.centres = Matrix(1, task->info().parameters);
  std::ranges::fill(request.centres.row(0), 0.5f);
  request.ids = {0};
  LocalEvaluator evaluator(task);
  Evaluations evaluations;
  evaluator.evaluate(request, evaluations);
  std::vector<GoalPolish::Solution> solutions(grid.cells());
  for (std::size_t cell = 0; cell < grid.cells(); ++cell) {
    solutions[cell].genotype.assign(task->info().parameters, 0.5f);
    solutions[cell].record = cell_record(grid, cell, evaluations.fitness, evaluations.descriptors.view());
  }
  return solutions;
}

GoalPolish new_polish(const GoalPolishConfig& config, const std::shared_ptr<const Task>& task) {
  GoalPolish polish(config, 0.3, all_cells(*task), task, Key(3));
  polish.begin(same_for_all(task));
  return polish;
}

double assured(const GoalPolish& polish, std::size_t cells) {
  double sum = 0;
  for (std::size_t i = 0; i < cells; ++i) sum += polish.solution(i).record.assured();
  return sum;
}

// Answers that put what was in its cell and what came out elsewhere, or the other way round.
Evaluations answers(const SampleRequest& request, const Grid& grid, const std::vector<std::size_t>& cells,
                    bool improved) {
  Evaluations evaluations;
  evaluations.fitness.assign(request.evaluations(), 0.0f);
  evaluations.descriptors.resize(request.evaluations(), grid.dimensions());
  for (std::size_t e = 0; e < request.evaluations(); ++e) {
    const std::size_t row = e / request.samples;
    const bool inside = (row % 2 == 1) == improved;
    const std::size_t cell = cells[row / 2];
    grid.centroid(inside ? cell : (cell + 5) % grid.cells(), evaluations.descriptors.row(e));
  }
  return evaluations;
}

// The cells of a round, by what they ask to be evaluated for it.
std::vector<std::size_t> run_searches(GoalPolish& polish, Evaluator& evaluator, const GoalPolishConfig& config) {
  std::vector<std::size_t> cells;
  while (polish.ask().mirrored) {
    cells.assign(polish.ask().ids.begin(), polish.ask().ids.end());
    run_round(polish, evaluator);
  }
  EXPECT_EQ(polish.ask().samples, config.samples);
  EXPECT_EQ(polish.ask().centres.rows(), 2 * cells.size()) << "what was and what came out";
  return cells;
}

TEST(GoalPolish, SpreadsFromTheCellsThatAreHeld) {
  const auto task = small_arm();
  GoalPolish polish = new_polish(small(), task);
  const double before = assured(polish, 16);
  LocalEvaluator evaluator(task);
  EXPECT_LE(run_to_the_end(polish, evaluator), 20'000u);
  EXPECT_GT(assured(polish, 16), before + 1);
}

TEST(GoalPolish, KeepsWhatWasWhereThatReevaluatesNoWorse) {
  const auto task = small_arm();
  const Grid grid(task->info().grid);
  GoalPolish polish = new_polish(small(), task);
  LocalEvaluator evaluator(task);
  const std::vector<std::size_t> cells = run_searches(polish, evaluator, small());
  polish.tell(answers(polish.ask(), grid, cells, false));
  for (const std::size_t cell : cells) {
    EXPECT_EQ(polish.solution(cell).genotype, std::vector<float>(5, 0.5f)) << cell;
    EXPECT_EQ(polish.solution(cell).record.inside, 32u) << "it counts by what it does now";
  }
}

TEST(GoalPolish, TakesWhatReevaluatesBetter) {
  const auto task = small_arm();
  const Grid grid(task->info().grid);
  GoalPolish polish = new_polish(small(), task);
  LocalEvaluator evaluator(task);
  const std::vector<std::size_t> cells = run_searches(polish, evaluator, small());
  const Matrix candidates = polish.ask().centres;
  polish.tell(answers(polish.ask(), grid, cells, true));
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const auto row = candidates.row(2 * k + 1);
    EXPECT_EQ(polish.solution(cells[k]).genotype, std::vector<float>(row.begin(), row.end()));
    EXPECT_EQ(polish.solution(cells[k]).record.probability(), 1);
    EXPECT_TRUE(polish.solution(cells[k]).adam.has_value()) << "a search from here goes on with it";
  }
}

TEST(GoalPolish, LeavesCellsAloneThatAreSafeOrHopeless) {
  const auto task = small_arm();
  GoalPolishConfig config = small();
  config.probability = 0;
  EXPECT_TRUE(new_polish(config, task).done());
  std::vector<GoalPolish::Solution> missed = same_for_all(task);
  for (GoalPolish::Solution& solution : missed) solution.record.inside = 0;
  GoalPolish polish(small(), 0.3, all_cells(*task), task, Key(3));
  polish.begin(std::move(missed));
  EXPECT_TRUE(polish.done()) << "no cell around holds anything";
}

TEST(GoalPolish, DoesNothingWithoutABudgetForOneCell) {
  const auto task = small_arm();
  GoalPolishConfig config = small();
  config.budget = 2 * (5 * 16 + 32) - 1;
  EXPECT_TRUE(new_polish(config, task).done());
  config.budget = 2 * (5 * 16 + 32);
  GoalPolish polish = new_polish(config, task);
  EXPECT_EQ(polish.planned_evaluations(), config.budget);
  LocalEvaluator evaluator(task);
  EXPECT_EQ(run_to_the_end(polish, evaluator), config.budget);
  EXPECT_EQ(polish.planned_evaluations(), config.budget);
}

TEST(GoalPolish, GoesOnFromASavedState) {
  const auto task = small_arm();
  LocalEvaluator evaluator(task);
  GoalPolish whole = new_polish(small(), task);
  run_to_the_end(whole, evaluator);
  // in the middle of a search, before a decision, and after it
  for (const int rounds : {3, 5, 6, 20}) {
    GoalPolish first = new_polish(small(), task);
    for (int i = 0; i < rounds; ++i) run_round(first, evaluator);
    GoalPolish second = new_polish(small(), task);
    second.load(first.save());
    run_to_the_end(second, evaluator);
    for (std::size_t cell = 0; cell < 16; ++cell) {
      EXPECT_EQ(second.solution(cell).genotype, whole.solution(cell).genotype) << rounds << " " << cell;
      EXPECT_EQ(second.solution(cell).record.inside, whole.solution(cell).record.inside);
    }
  }
}

TEST(GoalPolish, RefusesAStateThatCannotBe) {
  const auto task = small_arm();
  LocalEvaluator evaluator(task);
  GoalPolish polish = new_polish(small(), task);
  run_round(polish, evaluator);
  State state = polish.save();
  state.put("spent", std::int64_t{30'000});
  EXPECT_THAT(message_of([&] { polish.load(state); }), AllOf(HasSubstr("polished"), HasSubstr("got 30000")));
  state = polish.save();
  state.put("counts", std::vector<std::int64_t>(48, -1));
  EXPECT_THAT(message_of([&] { polish.load(state); }), HasSubstr("inside <= finite <= samples"));
}

TEST(GoalPolish, ChecksItsSettings) {
  GoalPolishConfig config = small();
  config.search.pairs = 0;
  EXPECT_THAT(message_of([&] { config.validate(); }), AllOf(HasSubstr("polish_pairs"), HasSubstr("got 0")));
  config = small();
  config.probability = 1.5;
  EXPECT_THAT(message_of([&] { config.validate(); }), AllOf(HasSubstr("polish_probability"), HasSubstr("got 1.5")));
}

}  // namespace
}  // namespace aria
