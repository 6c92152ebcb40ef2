#include "aria/algorithm/pga_map_elites.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "aria/algorithm/registry.hpp"
#include "aria/evaluation/evaluator.hpp"
#include "aria/task/arm.hpp"
#include "aria/task/walker.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/run_algorithm.hpp"

namespace aria {
namespace {

using aria::testing::message_of;
using aria::testing::run_round;
using aria::testing::run_to_the_end;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;

std::shared_ptr<const RobotTask> walker() {
  WalkerConfig config;
  config.grid = {4, 4};
  config.hidden = {6};
  config.episode_length = 50;
  return make_walker(config);
}

PgaConfig small(std::size_t budget) {
  PgaConfig config;
  config.budget = budget;
  config.batch = 10;
  config.learner.critic_steps = 4;
  config.learner.td3.critic_hidden = {8};
  config.learner.td3.batch = 32;
  config.learner.gradient.steps = 3;
  config.learner.gradient.batch = 32;
  return config;
}

std::vector<float> row(const SampleRequest& request, std::size_t i) {
  const auto values = request.centres.row(i);
  return {values.begin(), values.end()};
}

bool has_figure(const AlgorithmStatus& status, const std::string& name) {
  return std::ranges::count(status.figures, name, [](const auto& entry) { return entry.first; }) > 0;
}

double figure(const AlgorithmStatus& status, const std::string& name) {
  for (const auto& [key, value] : status.figures) {
    if (key == name) return value;
  }
  ADD_FAILURE() << "no figure " << name;
  return 0;
}

TEST(PgaMapElites, BeginsWithRandomPoliciesAndAsksForTheirSteps) {
  const auto task = walker();
  PgaMapElites algorithm(small(30), task, Key(1));
  const SampleRequest& request = algorithm.ask();
  EXPECT_TRUE(request.transitions);
  EXPECT_EQ(request.samples, 1u);
  EXPECT_EQ(request.sigma, 0.0f);
  ASSERT_EQ(request.centres.rows(), 10u);
  std::vector<float> expected(task->info().parameters);
  task->initial_genotype(request.key, 3, expected);
  EXPECT_EQ(row(request, 3), expected);
}

// It starts from the first initial genotype; training moves it.
TEST(PgaMapElites, PutsTheGreedyPolicyLast) {
  const auto task = walker();
  LocalEvaluator evaluator(task);
  for (const double learning_rate : {1e-30, 1e-3}) {
    PgaConfig config = small(1000);
    config.learner.td3.actor_learning_rate = learning_rate;
    PgaMapElites algorithm(config, task, Key(1));
    const std::vector<float> first = row(algorithm.ask(), 0);
    run_round(algorithm, evaluator);
    const std::vector<float> greedy = row(algorithm.ask(), 9);
    float moved = 0;
    for (std::size_t i = 0; i < first.size(); ++i) moved = std::max(moved, std::abs(greedy[i] - first[i]));
    EXPECT_EQ(moved < 1e-20f, learning_rate == 1e-30) << moved;
  }
}

// An offspring of gradient steps is an elite whose weights moved by about the learning rate at every step.
TEST(PgaMapElites, BreedsHalfOfTheOffspringByTheCritic) {
  const auto task = walker();
  PgaConfig config = small(1000);
  config.iso_sigma = 0;
  config.line_sigma = 0;
  config.learner.gradient.learning_rate = 1e-3;
  PgaMapElites algorithm(config, task, Key(1));
  LocalEvaluator evaluator(task);
  run_round(algorithm, evaluator);
  const ArchiveTable elites = algorithm.archive();
  const SampleRequest& request = algorithm.ask();
  const auto nearest_elite = [&](std::size_t i) {
    float least = 1e9f;
    for (std::size_t e = 0; e < elites.size(); ++e) {
      float farthest = 0;
      for (std::size_t j = 0; j < request.centres.columns(); ++j) {
        farthest = std::max(farthest, std::abs(request.centres(i, j) - elites.solution(e, j)));
      }
      least = std::min(least, farthest);
    }
    return least;
  };
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(nearest_elite(i), 0.0f) << "iso+line without noise, row " << i;
  for (std::size_t i = 5; i < 9; ++i) {
    EXPECT_GT(nearest_elite(i), 1e-4f) << i;
    EXPECT_LT(nearest_elite(i), 3.5e-3f) << i;
  }
}

TEST(PgaMapElites, SpendsItsBudgetAndNoMore) {
  const auto task = walker();
  LocalEvaluator evaluator(task);
  for (const std::size_t budget : {1u, 9u, 10u, 11u, 27u}) {
    PgaMapElites algorithm(small(budget), task, Key(3));
    EXPECT_EQ(run_to_the_end(algorithm, evaluator), budget);
    EXPECT_GE(algorithm.archive().size(), 1u);
  }
}

TEST(PgaMapElites, TellsHowItsLearnerDoes) {
  const auto task = walker();
  PgaMapElites algorithm(small(40), task, Key(1));
  LocalEvaluator evaluator(task);
  EXPECT_EQ(algorithm.status().memory_bytes, 1'000'000u * ((17 + 17 + 6) * 4 + 5));
  EXPECT_TRUE(algorithm.status().figures.empty()) << "nothing is known yet";
  run_round(algorithm, evaluator);
  EXPECT_GT(figure(algorithm.status(), "critic_loss"), 0.0);
  EXPECT_FALSE(has_figure(algorithm.status(), "greedy_return")) << "it was not evaluated yet";
  Evaluations evaluations;
  evaluator.evaluate(algorithm.ask(), evaluations);
  algorithm.tell(evaluations);
  EXPECT_EQ(figure(algorithm.status(), "greedy_return"), double{evaluations.fitness.back()});
  for (const char* name : {"kept_of_iso_line", "kept_of_gradient"}) {
    EXPECT_GE(figure(algorithm.status(), name), 0.0) << name;
    EXPECT_LE(figure(algorithm.status(), name), 1.0) << name;
  }
}

TEST(PgaMapElites, KeepsNothingOfTheLearnerOnceItIsDone) {
  const auto task = walker();
  PgaMapElites algorithm(small(30), task, Key(1));
  LocalEvaluator evaluator(task);
  run_round(algorithm, evaluator);
  const auto learner_arrays = [&] {
    const State state = algorithm.save();
    return std::ranges::count_if(state.arrays(), [](const auto& entry) { return entry.first.starts_with("learner/"); });
  };
  EXPECT_GT(learner_arrays(), 5);
  run_to_the_end(algorithm, evaluator);
  EXPECT_EQ(learner_arrays(), 0);
  EXPECT_EQ(algorithm.status().memory_bytes, 0u);
  EXPECT_TRUE(has_figure(algorithm.status(), "greedy_return")) << "what it came to is still told";
  EXPECT_TRUE(has_figure(algorithm.status(), "kept_of_gradient"));
}

TEST(PgaMapElites, GoesOnWhenEveryEvaluationFails) {
  const auto task = walker();
  PgaMapElites algorithm(small(35), task, Key(1));
  while (!algorithm.done()) {
    const std::size_t count = algorithm.ask().evaluations();
    Evaluations failed;
    failed.fitness.assign(count, std::numeric_limits<float>::quiet_NaN());
    failed.descriptors = Matrix(count, 2);
    failed.failed = count;
    failed.episodes.resize(count);
    algorithm.tell(failed);
  }
  EXPECT_EQ(algorithm.archive().size(), 0u);
}

TEST(PgaMapElites, NeedsATaskWithPolicies) {
  for (const char* name : {"pga-me", "aria-pga"}) {
    const auto arm = std::make_shared<Arm>();
    const AlgorithmPlan plan = plan_algorithm(name, arm->info(), Preset::kPaper);
    EXPECT_THAT(message_of([&] { plan.build(arm, Key(1), nullptr); }),
                AllOf(HasSubstr("genotypes are policies"), HasSubstr("ant or walker"), HasSubstr("'arm'")))
        << name;
  }
}

TEST(PgaMapElites, HasThePublishedSettings) {
  const auto value = [](const char* algorithm, Preset preset, const std::string& name) {
    const AlgorithmPlan plan = plan_algorithm(algorithm, make_walker()->info(), preset);
    const auto& entries = plan.settings.entries();
    const auto found = std::ranges::find(entries, name, &SettingTable::Entry::name);
    return found == entries.end() ? std::string("none") : found->get();
  };
  EXPECT_EQ(value("pga-me", Preset::kPaper, "budget"), "500000");
  EXPECT_EQ(value("pga-me", Preset::kLite, "budget"), "31250");
  EXPECT_EQ(value("pga-me", Preset::kPaper, "batch"), "128");
  EXPECT_EQ(value("pga-me", Preset::kPaper, "critic_steps"), "300");
  EXPECT_EQ(value("pga-me", Preset::kPaper, "gradient_steps"), "100");
  EXPECT_EQ(value("aria-pga", Preset::kPaper, "initial_budget"), "500000");
  EXPECT_EQ(value("aria-pga", Preset::kPaper, "critic_steps"), "1000");
  EXPECT_EQ(value("aria-pga", Preset::kPaper, "pairs"), "1440");
}

TEST(PgaMapElites, ChecksItsSettings) {
  PgaConfig config = small(10);
  config.learner.critic_steps = 0;
  EXPECT_THAT(message_of([&] { PgaMapElites(config, walker(), Key(1)); }),
              AllOf(HasSubstr("critic_steps"), HasSubstr("got 0")));
}

}  // namespace
}  // namespace aria
