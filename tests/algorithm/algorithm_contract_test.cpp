// What every algorithm promises, whichever it is: the same seed gives the same bytes, however many threads there are
// and however often the run is interrupted; another seed gives others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "aria/algorithm/any_algorithm.hpp"
#include "aria/algorithm/aria.hpp"
#include "aria/algorithm/aria_gn.hpp"
#include "aria/algorithm/aria_goal.hpp"
#include "aria/algorithm/es.hpp"
#include "aria/algorithm/map_elites.hpp"
#include "aria/algorithm/mome.hpp"
#include "aria/algorithm/pga_map_elites.hpp"
#include "aria/evaluation/evaluator.hpp"
#include "aria/task/arm.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/quadratic_task.hpp"
#include "tests/support/run_algorithm.hpp"
#include "tests/support/small_walker.hpp"
#include "tests/support/threads.hpp"

namespace aria {
namespace {

using aria::testing::for_each_thread_count;
using aria::testing::message_of;
using aria::testing::QuadraticConfig;
using aria::testing::QuadraticTask;
using aria::testing::run_round;
using aria::testing::run_to_the_end;
using aria::testing::small_walker;
using ::testing::HasSubstr;

struct Case {
  std::string name;
  std::function<std::shared_ptr<const Task>()> task;
  std::function<AnyAlgorithm(const std::shared_ptr<const Task>&, Key)> make;

  friend std::ostream& operator<<(std::ostream& stream, const Case& c) { return stream << c.name; }
};

std::shared_ptr<const Task> small_arm() {
  ArmConfig config;
  config.grid = {6, 6};
  return std::make_shared<Arm>(config);
}

std::shared_ptr<const Task> failing_quadratic() {
  QuadraticConfig config;
  config.fitness_noise = 0.1f;
  config.descriptor_noise = 0.1f;
  config.failure_rate = 0.2;
  return std::make_shared<QuadraticTask>(config);
}

MapElitesConfig map_elites_config(std::size_t budget) {
  MapElitesConfig config;
  config.budget = budget;
  config.batch = 64;
  return config;
}

AriaConfig aria_config() {
  AriaConfig config;
  config.search.pairs = 32;
  config.search.sigma = 0.01;
  config.steps = 5;
  config.initial_steps = 6;
  config.mean_evaluations = 64;
  config.parallel_cells = 4;
  return config;
}

AnyAlgorithm make_map_elites(const std::shared_ptr<const Task>& task, Key key) {
  return MapElites(map_elites_config(1000), task, key);
}
MapElitesConfig sampled_config() {
  MapElitesConfig config = map_elites_config(1010);  // not a multiple of the samples
  config.batch = 16;
  config.samples = 8;
  return config;
}
AnyAlgorithm make_me_sa(const std::shared_ptr<const Task>& task, Key key) {
  return MapElites(sampled_config(), task, key);
}
AnyAlgorithm make_me_sa_r(const std::shared_ptr<const Task>& task, Key key) {
  MapElitesConfig config = sampled_config();
  config.fitness_weight = 0.5;
  return MapElites(config, task, key);
}
AnyAlgorithm make_mome(const std::shared_ptr<const Task>& task, Key key) {
  MomeConfig config;
  config.budget = 1010;
  config.batch = 16;
  config.samples = 8;
  config.front_size = 3;
  return Mome(config, task, key);
}
AnyAlgorithm make_es(const std::shared_ptr<const Task>& task, Key key) {
  return Es({aria_config().search, 12}, task, key);
}
AnyAlgorithm make_aria_me(const std::shared_ptr<const Task>& task, Key key) {
  return Aria(aria_config(), map_elites_config(200), task, key);
}
AnyAlgorithm make_aria_linear(const std::shared_ptr<const Task>& task, Key key) {
  AriaConfig config = aria_config();
  config.search.linear = LinearConfig{0.5, task->info().fitness_range, task->info().distance_range};
  return Aria(config, map_elites_config(200), task, key);
}
AnyAlgorithm make_aria_es(const std::shared_ptr<const Task>& task, Key key) { return Aria(aria_config(), task, key); }
AnyAlgorithm make_aria(const std::shared_ptr<const Task>& task, Key key) {
  ArchiveTable table;
  table.solution = Matrix(12, task->info().parameters);
  for (std::uint32_t i = 0; i < 12; ++i) task->initial_genotype(Key(50), i, table.solution.row(i));
  return Aria(aria_config(), std::move(table), task, key);
}

std::shared_ptr<const Task> walker() { return small_walker(); }
PgaConfig pga_config(std::size_t budget) {
  PgaConfig config;
  config.budget = budget;
  config.batch = 12;
  config.learner.critic_steps = 3;
  config.learner.td3.critic_hidden = {8};
  config.learner.td3.batch = 16;
  config.learner.td3.replay_size = 700;  // less than there are steps
  config.learner.gradient.steps = 2;
  config.learner.gradient.batch = 16;
  return config;
}
AnyAlgorithm make_pga(const std::shared_ptr<const Task>& task, Key key) {
  return PgaMapElites(pga_config(80), task, key);
}
AnyAlgorithm make_aria_pga(const std::shared_ptr<const Task>& task, Key key) {
  return Aria(aria_config(), pga_config(40), task, key);
}

GoalConfig goal_config() {
  GoalConfig config;
  config.training_share = 0.002;
  config.search.retarget_samples = 4;
  config.polish.budget = 2000;
  config.polish.steps = 3;
  config.polish.samples = 4;
  config.polish.search.pairs = 8;
  config.ppo.minibatch = 512;
  return config;
}
AnyAlgorithm make_aria_goal(const std::shared_ptr<const Task>& task, Key key) {
  return AriaGoal(goal_config(), task, key);
}

AnyAlgorithm make_aria_gn(const std::shared_ptr<const Task>& task, Key key) {
  AriaGnConfig config;
  config.budget = 20'000;
  config.climb.pairs = 8;
  config.climb.sigma = 0.01;
  config.steps = 6;
  config.settle_steps = 2;
  config.parallel_cells = 4;
  return AriaGn(config, task, key);
}

class AlgorithmContract : public ::testing::TestWithParam<Case> {
 protected:
  AnyAlgorithm make(Key key) const { return GetParam().make(task_, key); }
  LocalEvaluator evaluator() const { return LocalEvaluator(task_); }
  AnyAlgorithm finished(Key key) const {
    AnyAlgorithm algorithm = make(key);
    LocalEvaluator local = evaluator();
    run_to_the_end(algorithm, local);
    return algorithm;
  }

 private:
  std::shared_ptr<const Task> task_ = GetParam().task();
};

// Everything that can be seen of an algorithm.
void expect_alike(const AnyAlgorithm& a, const AnyAlgorithm& b) {
  EXPECT_TRUE(a.archive() == b.archive());
  EXPECT_TRUE(a.initial_archive() == b.initial_archive());
  EXPECT_TRUE(a.save() == b.save());
  EXPECT_EQ(a.done(), b.done());
  EXPECT_EQ(a.status().phase, b.status().phase);
  EXPECT_EQ(a.status().planned_evaluations, b.status().planned_evaluations);
  EXPECT_EQ(a.status().cells, b.status().cells);
  EXPECT_EQ(a.status().best_fitness, b.status().best_fitness);
}

TEST_P(AlgorithmContract, EndsWithAnArchive) {
  const AnyAlgorithm algorithm = finished(Key(1));
  EXPECT_TRUE(algorithm.done());
  const ArchiveTable archive = algorithm.archive();
  EXPECT_GE(archive.size(), 1u);
  EXPECT_EQ(archive.objective.size(), archive.size());
  EXPECT_EQ(archive.measures.rows(), archive.size());
  EXPECT_EQ(archive.index.size(), archive.size());
  EXPECT_TRUE(archive.grid.has_value());
  EXPECT_EQ(algorithm.status().cells, archive.size());
}

TEST_P(AlgorithmContract, GivesTheSameBytesForTheSameSeedAndOthersForAnother) {
  const AnyAlgorithm first = finished(Key(1));
  expect_alike(finished(Key(1)), first);
  const AnyAlgorithm other = finished(Key(2));
  EXPECT_FALSE(other.archive() == first.archive());
  EXPECT_FALSE(other.save() == first.save());
}

TEST_P(AlgorithmContract, GivesTheSameBytesForEveryNumberOfThreads) {
  const AnyAlgorithm expected = finished(Key(1));
  for_each_thread_count([&](std::size_t) { expect_alike(finished(Key(1)), expected); });
}

TEST_P(AlgorithmContract, AsksForTheSameUntilItIsTold) {
  AnyAlgorithm algorithm = make(Key(1));
  LocalEvaluator local = evaluator();
  for (int round = 0; round < 3; ++round) {
    const SampleRequest first = algorithm.ask();
    const SampleRequest& second = algorithm.ask();
    EXPECT_EQ(first.centres, second.centres);
    EXPECT_EQ(first.ids, second.ids);
    EXPECT_EQ(first.key, second.key);
    EXPECT_EQ(first.samples, second.samples);
    run_round(algorithm, local);
  }
}

TEST_P(AlgorithmContract, NeverUsesAKeyTwice) {
  AnyAlgorithm algorithm = make(Key(1));
  LocalEvaluator local = evaluator();
  std::set<std::pair<PhiloxKey, std::uint32_t>> used;
  while (!algorithm.done()) {
    const SampleRequest& request = algorithm.ask();
    for (const std::uint32_t id : request.ids) {
      EXPECT_TRUE(used.insert({request.key.words(), id}).second) << algorithm.status().phase << ", id " << id;
    }
    run_round(algorithm, local);
  }
}

// Saves at many points of a run and goes on in a new algorithm from each.
TEST_P(AlgorithmContract, GoesOnFromItsStateWithTheSameBytes) {
  LocalEvaluator local = evaluator();
  const AnyAlgorithm uninterrupted = finished(Key(1));
  std::vector<AnyAlgorithm> moments = {make(Key(1))};
  while (!moments.back().done()) {
    moments.push_back(moments.back());
    run_round(moments.back(), local);
  }
  expect_alike(moments.back(), uninterrupted);
  const std::size_t last = moments.size() - 1;
  std::set<std::size_t> points = {0, 1, 2, 3, last / 8, last / 4, last / 3, last / 2, 3 * last / 4, last - 1, last};
  // and where a phase begins
  for (std::size_t i = 1; i < moments.size(); ++i) {
    if (moments[i].status().phase != moments[i - 1].status().phase) points.insert(i);
  }
  for (const std::size_t point : points) {
    SCOPED_TRACE(::testing::Message() << "interrupted after " << point << " of " << last << " rounds");
    AnyAlgorithm resumed = make(Key(1));
    resumed.load(moments[point].save());
    expect_alike(resumed, moments[point]);
    run_to_the_end(resumed, local);
    expect_alike(resumed, uninterrupted);
  }
}

TEST_P(AlgorithmContract, IsAValueWhoseCopiesGoTheirOwnWay) {
  LocalEvaluator local = evaluator();
  AnyAlgorithm original = make(Key(1));
  run_round(original, local);
  AnyAlgorithm copy = original;
  const AnyAlgorithm before = original;
  run_to_the_end(copy, local);
  expect_alike(original, before);
  EXPECT_FALSE(copy.save() == original.save());
  run_to_the_end(original, local);
  expect_alike(original, copy);
}

TEST_P(AlgorithmContract, RefusesAnEmptyState) {
  AnyAlgorithm algorithm = make(Key(1));
  EXPECT_THAT(message_of([&] { algorithm.load(State()); }), HasSubstr("missing"));
}

INSTANTIATE_TEST_SUITE_P(
    All, AlgorithmContract,
    ::testing::Values(
        Case{"MapElitesOnTheArm", small_arm, make_map_elites},
        Case{"MapElitesWithFailures", failing_quadratic, make_map_elites}, Case{"MeSaOnTheArm", small_arm, make_me_sa},
        Case{"MeSaWithFailures", failing_quadratic, make_me_sa}, Case{"MeSaROnTheArm", small_arm, make_me_sa_r},
        Case{"MeSaRWithFailures", failing_quadratic, make_me_sa_r}, Case{"MomeROnTheArm", small_arm, make_mome},
        Case{"MomeRWithFailures", failing_quadratic, make_mome}, Case{"EsOnTheArm", small_arm, make_es},
        Case{"EsWithFailures", failing_quadratic, make_es}, Case{"AriaFromMapElitesOnTheArm", small_arm, make_aria_me},
        Case{"AriaFromMapElitesWithFailures", failing_quadratic, make_aria_me},
        Case{"AriaLinearOnTheArm", small_arm, make_aria_linear},
        Case{"AriaLinearWithFailures", failing_quadratic, make_aria_linear},
        Case{"AriaFromEsOnTheArm", small_arm, make_aria_es},
        Case{"AriaFromEsWithFailures", failing_quadratic, make_aria_es},
        Case{"AriaGnOnTheArm", small_arm, make_aria_gn}, Case{"AriaGnWithFailures", failing_quadratic, make_aria_gn},
        Case{"AriaFromAnArchiveOnTheArm", small_arm, make_aria},
        Case{"AriaFromAnArchiveWithFailures", failing_quadratic, make_aria},
        Case{"PgaMapElitesOnTheWalker", walker, make_pga},
        Case{"AriaFromPgaMapElitesOnTheWalker", walker, make_aria_pga},
        Case{"AriaGoalOnTheWalker", walker, make_aria_goal}),
    [](const ::testing::TestParamInfo<Case>& tested) { return tested.param.name; });

}  // namespace
}  // namespace aria
