// Which cells stand for which, and algorithms that solve only those.
#include "aria/algorithm/symmetric_cells.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "aria/algorithm/registry.hpp"
#include "aria/evaluation/evaluator.hpp"
#include "aria/task/ant.hpp"
#include "aria/task/arm.hpp"
#include "aria/task/walker.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/quadratic_task.hpp"
#include "tests/support/run_algorithm.hpp"

namespace aria {
namespace {

using aria::testing::message_of;
using aria::testing::QuadraticTask;
using ::testing::HasSubstr;

std::size_t covered(const SymmetricCells& cells, std::size_t count) {
  std::size_t sum = 0;
  for (std::size_t cell = 0; cell < count; ++cell) {
    if (cells.fundamental(cell)) sum += cells.orbit_size(cell);
  }
  return sum;
}

TEST(SymmetricCells, AreAsFewAsTheGroupAllows) {
  const auto ant = make_ant({});
  EXPECT_EQ(SymmetricCells(*ant, "yes").fundamental_cells(), 136u);
  EXPECT_EQ(SymmetricCells(*make_walker({}), "yes").fundamental_cells(), 528u);
  EXPECT_EQ(SymmetricCells(Arm(), "yes").fundamental_cells(), 512u);
  EXPECT_EQ(covered(SymmetricCells(*ant, "yes"), 1024), 1024u);
  const SymmetricCells none(*ant, "no");
  EXPECT_FALSE(none.in_use());
  EXPECT_EQ(none.fundamental_cells(), 1024u);
}

TEST(SymmetricCells, LeaveOutSymmetriesThatTheGridDoesNotHave) {
  AntConfig config;
  config.grid = {8, 4};  // half turns and mirrors along the axes remain
  EXPECT_EQ(SymmetricCells(*make_ant(config), "yes").fundamental_cells(), 8u);
}

TEST(SymmetricCells, RefuseATaskThatDeclaresNone) {
  EXPECT_THAT(message_of([] { SymmetricCells(QuadraticTask(), "yes"); }),
              HasSubstr("use_symmetry must be no on task 'quadratic'"));
  EXPECT_THAT(message_of([] { SymmetricCells(QuadraticTask(), "maybe"); }), HasSubstr("no or yes"));
}

// Every algorithm of the family: only fundamental cells are searched, and the others' genotypes are images.
TEST(SymmetricCells, LetAlgorithmsSolveAPartAndKnowTheWhole) {
  ArmConfig arm_config;
  arm_config.grid = {6, 6};
  const auto task = std::make_shared<Arm>(arm_config);
  const Grid grid(task->info().grid);
  const SymmetricCells cells(*task, "yes");
  for (const std::string name : {"aria-me", "aria-linear", "aria-es", "aria-gn"}) {
    SCOPED_TRACE(name);
    AlgorithmPlan plan = plan_algorithm(name, task->info(), Preset::kLite);
    plan.settings.set("use_symmetry", "yes");
    plan.settings.set("pairs", "32");
    plan.settings.set("sigma", "0.02");
    plan.settings.set("steps", "6");
    if (plan.settings.contains("initial_budget")) plan.settings.set("initial_budget", "2000");
    if (plan.settings.contains("initial_steps")) plan.settings.set("initial_steps", "10");
    if (plan.settings.contains("budget")) plan.settings.set("budget", "40000");
    AnyAlgorithm algorithm = plan.build(task, Key(1), nullptr);
    LocalEvaluator evaluator(task);
    std::set<std::uint32_t> searched;
    while (!algorithm.done()) {
      const SampleRequest& request = algorithm.ask();
      if (request.sigma > 0) searched.insert(request.ids.begin(), request.ids.end());
      testing::run_round(algorithm, evaluator);
    }
    for (const std::uint32_t cell : searched) EXPECT_TRUE(cells.fundamental(cell)) << cell;
    const ArchiveTable archive = algorithm.archive();
    EXPECT_EQ(algorithm.status().cells, archive.size());
    EXPECT_GT(archive.size(), cells.fundamental_cells());
    ASSERT_TRUE(std::ranges::is_sorted(archive.index));
    for (std::size_t row = 0; row < archive.size(); ++row) {
      const auto cell = static_cast<std::size_t>(archive.index[row]);
      if (cells.fundamental(cell)) continue;
      const auto source = std::ranges::find(archive.index, static_cast<std::int32_t>(cells.representative(cell)));
      ASSERT_NE(source, archive.index.end());
      const auto other = static_cast<std::size_t>(source - archive.index.begin());
      EXPECT_EQ(archive.objective[row], archive.objective[other]);
      EXPECT_FLOAT_EQ(archive.solution(row, 0), 1 - archive.solution(other, 0));
      EXPECT_FLOAT_EQ(archive.measures(row, 1), 1 - archive.measures(other, 1));
    }
    // saved and continued, it is the same
    AnyAlgorithm again = plan.build(task, Key(1), nullptr);
    again.load(algorithm.save());
    EXPECT_TRUE(again.archive() == archive);
  }
}

}  // namespace
}  // namespace aria
