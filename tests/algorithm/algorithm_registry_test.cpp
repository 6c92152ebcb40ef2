#include "aria/algorithm/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "aria/algorithm/aria.hpp"
#include "aria/algorithm/map_elites.hpp"
#include "aria/evaluation/evaluator.hpp"
#include "aria/task/arm.hpp"
#include "aria/task/walker.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/quadratic_task.hpp"
#include "tests/support/run_algorithm.hpp"

namespace aria {
namespace {

using aria::testing::message_of;
using aria::testing::QuadraticTask;
using aria::testing::run_round;
using aria::testing::run_to_the_end;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const AlgorithmEntry& entry : algorithm_entries()) result.push_back(entry.name);
  return result;
}

std::string value_of(const AlgorithmPlan& plan, const std::string& name) {
  for (const auto& entry : plan.settings.entries()) {
    if (entry.name == name) return entry.get();
  }
  return "no such setting";
}

TEST(AlgorithmRegistry, ListsTheAlgorithms) {
  EXPECT_THAT(names(), IsSupersetOf({"map-elites", "me-sa", "me-sa-r", "mome-r", "es", "aria-me", "aria-linear",
                                     "aria-es", "aria-gn", "aria"}));
  for (const AlgorithmEntry& entry : algorithm_entries()) {
    EXPECT_FALSE(entry.summary.empty()) << entry.name;
    EXPECT_EQ(entry.needs_archive, entry.name == "aria") << entry.name;
  }
}

TEST(AlgorithmRegistry, SuggestsTheNearestNameForAnAlgorithmThatIsUnknown) {
  EXPECT_THAT(
      message_of([] { plan_algorithm("aria-mee", Arm().info(), Preset::kPaper); }),
      AllOf(HasSubstr("unknown algorithm 'aria-mee'"), HasSubstr("did you mean 'aria-me'?"), HasSubstr("map-elites")));
}

TEST(AlgorithmPlan, TakesItsDefaultsFromTheTask) {
  const AlgorithmPlan aria = plan_algorithm("aria-me", Arm().info(), Preset::kPaper);
  EXPECT_EQ(value_of(aria, "pairs"), "2048");
  EXPECT_EQ(value_of(aria, "sigma"), "0.005");
  EXPECT_EQ(value_of(aria, "steps"), "100");
  EXPECT_EQ(value_of(aria, "mean_evaluations"), "2048");
  EXPECT_EQ(value_of(aria, "initial_budget"), "2000000");
  EXPECT_EQ(value_of(aria, "batch"), "4096");
  EXPECT_EQ(value_of(plan_algorithm("aria-es", Arm().info(), Preset::kPaper), "initial_steps"), "1000");
  EXPECT_EQ(value_of(plan_algorithm("es", Arm().info(), Preset::kPaper), "initial_steps"), "1000");
  EXPECT_EQ(value_of(plan_algorithm("map-elites", Arm().info(), Preset::kPaper), "budget"),
            std::to_string(Arm().info().defaults.baseline_budget));
}

TEST(AlgorithmPlan, TrainsCriticsMoreInEachGenerationOfAShorterRun) {
  const TaskInfo walker = make_walker()->info();
  EXPECT_EQ(value_of(plan_algorithm("pga-me", walker, Preset::kPaper), "critic_steps"), "300");
  EXPECT_EQ(value_of(plan_algorithm("pga-me", walker, Preset::kLite), "critic_steps"), "1000");
  EXPECT_EQ(value_of(plan_algorithm("aria-pga", walker, Preset::kPaper), "critic_steps"), "1000");
}

TEST(AlgorithmPlan, SpendsASixteenthInTheLitePreset) {
  const AlgorithmPlan aria = plan_algorithm("aria-me", Arm().info(), Preset::kLite);
  EXPECT_EQ(value_of(aria, "pairs"), "128");
  EXPECT_EQ(value_of(aria, "mean_evaluations"), "128");
  EXPECT_EQ(value_of(aria, "initial_budget"), "125000");
  EXPECT_EQ(value_of(aria, "steps"), "100");
  EXPECT_EQ(value_of(plan_algorithm("map-elites", Arm().info(), Preset::kLite), "budget"),
            std::to_string(Arm().info().defaults.baseline_budget / 16));
}

TEST(AlgorithmPlan, AsksForTheBudgetThatATaskDoesNotSayInEveryPreset) {
  TaskInfo info = Arm().info();
  info.defaults.baseline_budget = 0;
  for (const Preset preset : {Preset::kPaper, Preset::kLite}) {
    const AlgorithmPlan plan = plan_algorithm("map-elites", info, preset);
    EXPECT_THAT(message_of([&] { plan.build(std::make_shared<Arm>(), Key(1), nullptr); }),
                HasSubstr("budget must be >= 1, got 0"))
        << to_string(preset);
  }
}

TEST(AlgorithmPlan, BringsItsSettingsToTheAlgorithm) {
  const auto task = std::make_shared<QuadraticTask>();
  LocalEvaluator evaluator(task);
  AlgorithmPlan plan = plan_algorithm("map-elites", task->info(), Preset::kPaper);
  plan.settings.set("budget", "130");
  plan.settings.set("batch", "50");
  AnyAlgorithm map_elites = plan.build(task, Key(1), nullptr);
  EXPECT_EQ(map_elites.ask().centres.rows(), 50u);
  EXPECT_EQ(run_to_the_end(map_elites, evaluator), 130u);

  plan = plan_algorithm("aria-me", task->info(), Preset::kPaper);
  for (const auto& [name, value] :
       {std::pair("pairs", "16"), std::pair("steps", "3"), std::pair("mean_evaluations", "8"),
        std::pair("initial_budget", "96"), std::pair("batch", "32"), std::pair("parallel_cells", "5"),
        std::pair("sigma", "0.125")}) {
    plan.settings.set(name, value);
  }
  AnyAlgorithm aria = plan.build(task, Key(1), nullptr);
  EXPECT_EQ(aria.ask().centres.rows(), 32u);
  while (aria.status().phase == "MAP-Elites") run_round(aria, evaluator);
  ASSERT_EQ(aria.status().phase, "placing");
  EXPECT_EQ(aria.ask().samples, 8u);
  while (aria.status().phase == "placing") run_round(aria, evaluator);
  ASSERT_EQ(aria.status().phase, "improving");
  EXPECT_EQ(aria.ask().samples, 32u);
  EXPECT_EQ(aria.ask().sigma, 0.125f);
  EXPECT_EQ(aria.ask().centres.rows(), 5u);

  plan = plan_algorithm("aria-es", task->info(), Preset::kPaper);
  plan.settings.set("pairs", "16");
  plan.settings.set("initial_steps", "4");
  AnyAlgorithm from_es = plan.build(task, Key(1), nullptr);
  std::size_t rounds = 0;
  while (from_es.status().phase == "ES") {
    run_round(from_es, evaluator);
    ++rounds;
  }
  EXPECT_EQ(rounds, 4u);
}

TEST(AlgorithmPlan, GivesEveryBaselineItsPublishedSettings) {
  const std::string budget = std::to_string(Arm().info().defaults.baseline_budget);
  for (const char* name : {"me-sa", "me-sa-r", "mome-r"}) {
    const AlgorithmPlan plan = plan_algorithm(name, Arm().info(), Preset::kPaper);
    EXPECT_EQ(value_of(plan, "budget"), budget) << name;
    EXPECT_EQ(value_of(plan, "batch"), "128") << name;
    EXPECT_EQ(value_of(plan, "samples"), "32") << name;
    EXPECT_EQ(value_of(plan, "iso_sigma"), "0.01") << name;
    EXPECT_EQ(value_of(plan, "line_sigma"), "0.1") << name;
  }
  EXPECT_EQ(value_of(plan_algorithm("me-sa", Arm().info(), Preset::kPaper), "fitness_weight"), "no such setting");
  EXPECT_EQ(value_of(plan_algorithm("me-sa-r", Arm().info(), Preset::kPaper), "fitness_weight"), "0.5");
  EXPECT_EQ(value_of(plan_algorithm("mome-r", Arm().info(), Preset::kPaper), "fitness_weight"), "0.5");
  EXPECT_EQ(value_of(plan_algorithm("mome-r", Arm().info(), Preset::kPaper), "front_size"), "50");
  // ARIA-ME in everything but how samples are ordered
  AlgorithmPlan linear = plan_algorithm("aria-linear", Arm().info(), Preset::kPaper);
  AlgorithmPlan me = plan_algorithm("aria-me", Arm().info(), Preset::kPaper);
  for (const auto& entry : me.settings.entries()) {
    EXPECT_EQ(value_of(linear, entry.name), entry.name == "fitness_resolution" ? "no such setting" : entry.get());
  }
  EXPECT_EQ(value_of(linear, "fitness_weight"), "0.5");
}

TEST(AlgorithmPlan, BringsTheirSettingsToTheBaselines) {
  const auto task = std::make_shared<QuadraticTask>();
  LocalEvaluator evaluator(task);
  for (const char* name : {"me-sa", "me-sa-r", "mome-r"}) {
    AlgorithmPlan plan = plan_algorithm(name, task->info(), Preset::kPaper);
    plan.settings.set("samples", "5");
    plan.settings.set("batch", "7");
    plan.settings.set("budget", "100");
    AnyAlgorithm algorithm = plan.build(task, Key(1), nullptr);
    EXPECT_EQ(algorithm.ask().samples, 5u) << name;
    EXPECT_EQ(algorithm.ask().centres.rows(), 7u) << name;
    EXPECT_EQ(run_to_the_end(algorithm, evaluator), 100u) << name;
  }
  for (const char* name : {"me-sa-r", "mome-r", "aria-linear"}) {
    AlgorithmPlan plan = plan_algorithm(name, task->info(), Preset::kPaper);
    plan.settings.set("fitness_weight", "1.5");
    EXPECT_THAT(message_of([&] { plan.build(task, Key(1), nullptr); }),
                AllOf(HasSubstr("fitness_weight must be from 0 to 1"), HasSubstr("got 1.5")))
        << name;
  }
}

TEST(AlgorithmPlan, NormalisesTheLinearRimByTheRangesOfTheTask) {
  // with the ranges of the task, samples are ordered as by hand
  const auto task = std::make_shared<QuadraticTask>();
  LocalEvaluator evaluator(task);
  AlgorithmPlan plan = plan_algorithm("aria-linear", task->info(), Preset::kPaper);
  for (const auto& [name, value] :
       {std::pair("pairs", "16"), std::pair("steps", "3"), std::pair("mean_evaluations", "8"),
        std::pair("initial_budget", "96"), std::pair("batch", "32"), std::pair("fitness_weight", "0.25")}) {
    plan.settings.set(name, value);
  }
  AnyAlgorithm planned = plan.build(task, Key(1), nullptr);
  AriaConfig config;
  config.search.pairs = 16;
  config.search.sigma = task->info().defaults.sigma;
  config.search.adam.learning_rate = task->info().defaults.learning_rate;
  config.steps = 3;
  config.mean_evaluations = 8;
  MapElitesConfig initial;
  initial.budget = 96;
  initial.batch = 32;
  const auto run_with = [&](const LinearConfig& linear) {
    config.search.linear = linear;
    AnyAlgorithm algorithm = Aria(config, initial, task, Key(1));
    run_to_the_end(algorithm, evaluator);
    return algorithm.archive();
  };
  run_to_the_end(planned, evaluator);
  EXPECT_EQ(planned.archive(), run_with({0.25, {-4, 0}, {0, 1}}));
  EXPECT_NE(planned.archive(), run_with({0.25, {-1, 0}, {0, 1}}));
}

TEST(AlgorithmPlan, ChecksItsSettingsWhenItBuilds) {
  const auto task = std::make_shared<Arm>();
  AlgorithmPlan plan = plan_algorithm("aria-es", task->info(), Preset::kLite);
  plan.settings.set("parallel_cells", "0");
  EXPECT_THAT(message_of([&] { plan.build(task, Key(1), nullptr); }),
              AllOf(HasSubstr("parallel_cells"), HasSubstr("got 0")));
}

TEST(AlgorithmPlan, SuggestsTheNearestSetting) {
  AlgorithmPlan plan = plan_algorithm("aria-me", Arm().info(), Preset::kLite);
  EXPECT_THAT(message_of([&] { plan.settings.set("paralel_cells", "3"); }),
              AllOf(HasSubstr("unknown setting 'paralel_cells'"), HasSubstr("did you mean 'parallel_cells'?")));
}

TEST(AlgorithmPlan, ImprovesAnArchiveOnlyWhereOneIsGiven) {
  const auto task = std::make_shared<Arm>();
  const AlgorithmPlan plan = plan_algorithm("aria", task->info(), Preset::kLite);
  EXPECT_THAT(message_of([&] { plan.build(task, Key(1), nullptr); }), AllOf(HasSubstr("'aria'"), HasSubstr("archive")));
  ArchiveTable archive;
  archive.solution = Matrix(3, 8);
  EXPECT_EQ(plan.build(task, Key(1), &archive).initial_archive(), archive);
}

TEST(AlgorithmPlan, CanBuildMoreThanOnce) {
  const auto task = std::make_shared<Arm>();
  AlgorithmPlan plan = plan_algorithm("map-elites", task->info(), Preset::kLite);
  plan.settings.set("batch", "7");
  AnyAlgorithm first = plan.build(task, Key(1), nullptr);
  plan.settings.set("batch", "9");
  AnyAlgorithm second = plan.build(task, Key(1), nullptr);
  EXPECT_EQ(first.ask().centres.rows(), 7u);
  EXPECT_EQ(second.ask().centres.rows(), 9u);
}

TEST(Preset, IsReadAndWrittenByName) {
  EXPECT_EQ(parse_preset("paper"), Preset::kPaper);
  EXPECT_EQ(parse_preset("lite"), Preset::kLite);
  EXPECT_EQ(to_string(Preset::kPaper), "paper");
  EXPECT_EQ(to_string(Preset::kLite), "lite");
  EXPECT_THAT(message_of([] { parse_preset("full"); }),
              AllOf(HasSubstr("preset"), HasSubstr("paper or lite"), HasSubstr("'full'")));
}

}  // namespace
}  // namespace aria
