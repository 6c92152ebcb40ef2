#include "aria/algorithm/aria_goal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "aria/algorithm/registry.hpp"
#include "aria/evaluation/evaluator.hpp"
#include "aria/policy/mlp.hpp"
#include "aria/task/ant.hpp"
#include "aria/task/arm.hpp"
#include "aria/task/walker.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/network_reference.hpp"
#include "tests/support/run_algorithm.hpp"

namespace aria {
namespace {

using aria::testing::message_of;
using aria::testing::network_reference;
using aria::testing::run_round;
using aria::testing::run_to_the_end;
using aria::testing::to_doubles;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::shared_ptr<const RobotTask> small_ant() {
  AntConfig config;
  config.grid = {4, 4};
  config.range = 4;
  config.hidden = {8};
  config.episode_length = 20;
  return make_ant(config);
}

GoalConfig small() {
  GoalConfig config;
  config.training_share = 0.0035;
  config.search.retarget_samples = 3;
  config.search.retarget_rounds = 2;
  config.search.search_rounds = 3;
  config.search.search_samples = 2;
  return config;
}

std::vector<float> actions_of(const MlpShape& shape, const std::vector<float>& policy, const std::vector<float>& seen) {
  std::vector<float> inputs(shape.inputs() * 16), outputs(shape.outputs() * 16);
  for (std::size_t i = 0; i < seen.size(); ++i) inputs[i * 16] = seen[i];
  Mlp(shape).run_shared(policy.data(), inputs.data(), outputs.data(), 1, 16);
  std::vector<float> actions;
  for (std::size_t a = 0; a < shape.outputs(); ++a) actions.push_back(outputs[a * 16]);
  return actions;
}

// Of the policy that is told its target.
std::vector<double> told_actions(const TaskInfo& info, const std::vector<float>& policy,
                                 const std::vector<float>& told) {
  return network_reference(goal_policy_shape(info), OutputKind::kTanh, to_doubles(policy), to_doubles(told));
}

// A genotype does for its target what the policy does when it is told the target.
TEST(GoalPolicy, IsReadOffForEveryTarget) {
  for (const std::shared_ptr<const RobotTask>& task : {small_ant(), make_walker()}) {
    const TaskInfo& info = task->info();
    const MlpShape shape = goal_policy_shape(info);
    EXPECT_EQ(shape.inputs(), info.policy->inputs() + goal_feature_count(info));
    std::vector<float> policy(shape.parameters());
    for (std::size_t i = 0; i < policy.size(); ++i) policy[i] = 0.3f * std::sin(static_cast<float>(i));
    InputUnits units(info.policy->inputs());
    std::vector<float> observation(info.policy->inputs()), told(shape.inputs());
    for (std::size_t i = 0; i < observation.size(); ++i) {
      units.mean[i] = 0.1f * static_cast<float>(i % 5);
      units.scale[i] = 0.5f + 0.25f * static_cast<float>(i % 3);
      observation[i] = std::cos(static_cast<float>(i));
      told[i] = units.seen(i, observation[i]);
    }
    const std::vector<float> target = {0.4f, 0.9f};
    goal_features(info, target, std::span(told).subspan(observation.size()));
    std::vector<float> genotype(info.parameters);
    fold_told(info, {policy, units}, told_of(info, target), genotype);
    const auto expected = told_actions(info, policy, told);
    const auto got = actions_of(*info.policy, genotype, observation);
    for (std::size_t a = 0; a < got.size(); ++a) EXPECT_NEAR(got[a], expected[a], 1e-4) << info.name;
  }
}

TEST(GoalSchedule, IsScaledByTheShare) {
  const auto task = small_ant();
  const TaskInfo& info = task->info();
  EXPECT_EQ(rollouts_of(goal_schedule(info, true, 1)), 674u * 512 + 300 * 256);
  EXPECT_EQ(rollouts_of(goal_schedule(info, true, 0.25)), 168u * 512 + 75 * 256);
  EXPECT_EQ(rollouts_of(goal_schedule(info, true, 1e-9)), 512u + 256) << "an iteration of each stage";
  EXPECT_EQ(rollouts_of(goal_schedule(info, false, 1)), 1757u * 512) << "all cells";
}

TEST(GoalSchedule, DrawsMissedTargetsMoreOftenOrHopelessOnesLess) {
  EXPECT_EQ(target_chance(GoalTargets::kAll, 0), target_chance(GoalTargets::kAll, 100));
  EXPECT_EQ(target_chance(GoalTargets::kMissed, 1), 2 * target_chance(GoalTargets::kMissed, 0.5));
  EXPECT_GT(target_chance(GoalTargets::kMissed, 0), 0) << "what is reached is not forgotten";
  EXPECT_LE(target_chance(GoalTargets::kMissed, 100), 5 * target_chance(GoalTargets::kMissed, 0));
  EXPECT_EQ(target_chance(GoalTargets::kHopeful, 6), 0.5 * target_chance(GoalTargets::kHopeful, 0));
  EXPECT_EQ(target_chance(GoalTargets::kHopeful, 1000), 0.3) << "it may yet be reached";
}

// Noise that explores is on the actions before their tanh, the same for every cut, and handed back.
TEST(Rollouts, ExploreByNoiseOnTheActions) {
  const auto task = small_ant();
  SampleRequest request;
  request.centres.resize(6, task->info().parameters);
  for (std::uint32_t i = 0; i < 6; ++i) {
    request.ids.push_back(i);
    task->initial_genotype(Key(2), i, request.centres.row(i));
  }
  request.transitions = true;
  request.exploration = 0.3f;
  request.key = Key(5);
  LocalEvaluator evaluator(task);
  Evaluations evaluations;
  evaluator.evaluate(request, evaluations);
  double squares = 0, count = 0;
  for (std::size_t e = 0; e < 6; ++e) {
    const EpisodeSteps& steps = evaluations.episodes[e];
    ASSERT_EQ(steps.exploration.rows(), steps.size());
    const auto genotype = request.centres.row(e);
    for (std::size_t t = 0; t < steps.size(); ++t) {
      const auto seen = steps.observations.row(t);
      const auto quiet =
          actions_of(*task->info().policy, {genotype.begin(), genotype.end()}, {seen.begin(), seen.end()});
      for (std::size_t a = 0; a < quiet.size(); ++a) {
        const float noise = steps.exploration(t, a);
        EXPECT_NEAR(steps.actions(t, a), std::tanh(std::atanh(quiet[a]) + 0.3f * noise), 2e-3) << e << " " << t;
        squares += double{noise} * double{noise};
        ++count;
      }
    }
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(steps.progress(steps.size() - 1, k), evaluations.descriptors(e, k)) << "where it ended up";
    }
  }
  EXPECT_NEAR(squares / count, 1.0, 0.2);
}

TEST(AriaGoal, AsksForExplorationWhileItLearnsAndForManySamplesWhenItRetargets) {
  const auto task = small_ant();
  AriaGoal algorithm(small(), task, Key(1));
  LocalEvaluator evaluator(task);
  EXPECT_EQ(algorithm.status().phase, "learning");
  EXPECT_TRUE(algorithm.ask().transitions);
  EXPECT_GT(algorithm.ask().exploration, 0.0f);
  while (algorithm.status().phase == "learning") run_round(algorithm, evaluator);
  EXPECT_EQ(algorithm.status().phase, "retargeting");
  EXPECT_FALSE(algorithm.ask().transitions);
  EXPECT_EQ(algorithm.ask().samples, 3u);
  EXPECT_EQ(algorithm.ask().centres.rows(), 16u);
  run_to_the_end(algorithm, evaluator);
  EXPECT_EQ(algorithm.archive().size(), 16u);
}

TEST(AriaGoal, SpendsWhatItPlans) {
  const auto task = small_ant();
  AriaGoal algorithm(small(), task, Key(1));
  LocalEvaluator evaluator(task);
  const std::size_t spent = run_to_the_end(algorithm, evaluator);
  EXPECT_EQ(spent, algorithm.status().planned_evaluations);
  GoalConfig without = small();
  without.search.search_rounds = 0;
  AriaGoal plain(without, task, Key(1));
  const std::size_t planned = plain.status().planned_evaluations;
  EXPECT_EQ(run_to_the_end(plain, evaluator), planned);
  EXPECT_LT(planned, spent);
}

TEST(AriaGoal, ImprovesPoorCellsByAriasSearchIfItMay) {
  const auto task = small_ant();
  GoalConfig config = small();
  config.polish.budget = 3000;
  config.polish.steps = 2;
  config.polish.samples = 4;
  config.polish.search.pairs = 8;
  AriaGoal algorithm(config, task, Key(1));
  LocalEvaluator evaluator(task);
  std::vector<std::string> phases;
  std::size_t spent = 0;
  while (!algorithm.done()) {
    if (phases.empty() || phases.back() != algorithm.status().phase) phases.push_back(algorithm.status().phase);
    spent += run_round(algorithm, evaluator);
  }
  EXPECT_THAT(phases, ElementsAre("learning", "retargeting", "searching", "improving"));
  EXPECT_EQ(spent, algorithm.status().planned_evaluations);
  AriaGoal without(small(), task, Key(1));
  const std::size_t less = run_to_the_end(without, evaluator);
  EXPECT_GT(spent, less);
  EXPECT_LE(spent, less + 3000);
  EXPECT_EQ(algorithm.archive().size(), 16u);
}

TEST(AriaGoal, NeedsATaskWithPolicies) {
  const auto arm = std::make_shared<Arm>();
  const AlgorithmPlan plan = plan_algorithm("aria-goal", arm->info(), Preset::kPaper);
  EXPECT_THAT(message_of([&] { plan.build(arm, Key(1), nullptr); }),
              AllOf(HasSubstr("genotypes are policies"), HasSubstr("'arm'")));
}

TEST(AriaGoal, ChecksItsSettings) {
  GoalConfig config = small();
  config.search.retarget_samples = 0;
  EXPECT_THAT(message_of([&] { AriaGoal(config, small_ant(), Key(1)); }),
              AllOf(HasSubstr("retarget_samples"), HasSubstr("got 0")));
}

}  // namespace
}  // namespace aria
