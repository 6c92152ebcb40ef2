#include "aria/algorithm/es.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
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
using aria::testing::noisy_task;
using aria::testing::QuadraticTask;
using aria::testing::run_round;
using aria::testing::run_to_the_end;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

EsConfig config_of(std::size_t pairs, std::size_t steps) {
  EsConfig config;
  config.search.pairs = pairs;
  config.search.adam.learning_rate = 0.05;
  config.initial_steps = steps;
  return config;
}

// --- Construction --------------------------------------------------------------------------------------------------

TEST(Es, RefusesSettingsOutsideTheirRange) {
  const auto said = [](EsConfig config) {
    return message_of([&] { const Es es(config, std::make_shared<Arm>(), Key(1)); });
  };
  EXPECT_THAT(said(config_of(16, 0)),
              AllOf(HasSubstr("initial_steps"), HasSubstr("from 1 to 1e8"), HasSubstr("got 0")));
  EXPECT_THAT(said(config_of(0, 10)), HasSubstr("pairs"));
}

TEST(Es, NamesItsSettings) {
  EsConfig config;
  SettingTable table;
  bind_settings(table, config);
  EXPECT_THAT(table.names(), ElementsAre("pairs", "sigma", "learning_rate", "initial_steps"));
  table.set("learning_rate", "0.5");
  table.set("pairs", "12");
  EXPECT_EQ(config.search.adam.learning_rate, 0.5);
  EXPECT_EQ(config.search.pairs, 12u);
}

TEST(Es, StartsFromARandomGenotypeOfTheTask) {
  const auto task = std::make_shared<Arm>();
  Es es(config_of(16, 3), task, Key(5));
  std::vector<float> expected(8);
  task->initial_genotype(Key(5), 0, expected);
  EXPECT_EQ(es.best().genotype, expected);
  EXPECT_EQ(es.ask().centres.rows(), 1u);
}

// --- Evolution -----------------------------------------------------------------------------------------------------

TEST(Es, ClimbsAQuadratic) {
  const auto task = noisy_task(0.01f, 0);
  LocalEvaluator evaluator(task);
  Es es(config_of(64, 80), task, Key(1));
  EXPECT_EQ(run_to_the_end(es, evaluator), 80u * 128);
  for (const float x : es.best().genotype) EXPECT_NEAR(x, 0.25f, 0.05f);
  const ArchiveTable archive = es.archive();
  ASSERT_EQ(archive.size(), 1u);
  EXPECT_GT(archive.objective[0], -0.02f);
  EXPECT_THAT(archive.solution.row(0), ::testing::ElementsAreArray(es.best().genotype));
  EXPECT_EQ(archive.index[0], static_cast<std::int32_t>(archive.grid->cell_of(archive.measures.row(0))));
}

TEST(Es, HasNoArchiveWhereEverythingFails) {
  const auto task = failing_task(1);
  LocalEvaluator evaluator(task);
  Es es(config_of(16, 5), task, Key(1));
  run_to_the_end(es, evaluator);
  EXPECT_EQ(es.archive().size(), 0u);
  EXPECT_EQ(es.status().cells, 0u);
}

// --- Status --------------------------------------------------------------------------------------------------------

TEST(Es, TellsAboutItself) {
  const auto task = std::make_shared<QuadraticTask>();
  LocalEvaluator evaluator(task);
  Es es(config_of(16, 3), task, Key(1));
  EXPECT_EQ(es.status().phase, "ES");
  EXPECT_EQ(es.status().planned_evaluations, 96u);
  EXPECT_EQ(es.status().cells, 0u);
  EXPECT_EQ(es.archive().size(), 0u);
  EXPECT_EQ(es.initial_archive(), std::nullopt);
  EXPECT_EQ(run_to_the_end(es, evaluator), 96u);
  EXPECT_EQ(es.status().cells, 1u);
  EXPECT_EQ(es.status().best_fitness, es.archive().objective[0]);
}

// --- Saving --------------------------------------------------------------------------------------------------------

TEST(Es, KeepsItsArchiveThroughItsStateWhenItIsDone) {
  const auto task = std::make_shared<QuadraticTask>();
  LocalEvaluator evaluator(task);
  Es es(config_of(16, 3), task, Key(1));
  run_to_the_end(es, evaluator);
  Es other(config_of(16, 3), task, Key(1));
  other.load(es.save());
  EXPECT_TRUE(other.done());
  EXPECT_EQ(other.archive(), es.archive());
}

TEST(Es, RefusesAStateThatIsNotItsOwn) {
  const auto task = std::make_shared<QuadraticTask>();
  Es es(config_of(16, 3), task, Key(1));
  EXPECT_THAT(message_of([&] { es.load(State()); }), HasSubstr("missing"));
  State state = es.save();
  state.put("genotypes", std::vector<float>(8));
  EXPECT_THAT(message_of([&] { es.load(state); }), HasSubstr("'genotypes'"));
}

// It is one search, for fitness: not none, not two, not towards a cell.
TEST(Es, RefusesTheStateOfOtherSearches) {
  const auto task = std::make_shared<QuadraticTask>();
  const Es es(config_of(16, 3), task, Key(1));
  const auto refuses = [&](std::int64_t count, std::int64_t target) {
    const auto n = static_cast<std::size_t>(count);
    State state = es.save();
    state.put("ids", std::vector<std::int64_t>(n));
    state.put("targets", std::vector<std::int64_t>(n, target));
    state.put("adam_steps", std::vector<std::int64_t>(n));
    for (const char* name : {"genotypes", "adam_means", "adam_squares"}) state.put(name, std::vector<float>(3 * n));
    Es other = es;
    try {
      other.load(state);
    } catch (const InputError&) {
      return true;
    }
    return false;
  };
  EXPECT_FALSE(refuses(1, -1));
  EXPECT_TRUE(refuses(0, -1));
  EXPECT_TRUE(refuses(2, -1));
}

}  // namespace
}  // namespace aria
