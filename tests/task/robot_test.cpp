// Ant and Walker as tasks: what evaluations give, whatever the way they are run, and how they compare with recordings
// of the original simulators.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "aria/metrics/holm.hpp"
#include "aria/persistence/npz.hpp"
#include "aria/task/ant.hpp"
#include "aria/task/registry.hpp"
#include "aria/task/samples.hpp"
#include "aria/task/trajectory.hpp"
#include "aria/task/walker.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/kolmogorov_smirnov.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/simd_targets.hpp"

namespace aria {
namespace {

using aria::testing::bits_of;
using aria::testing::for_each_simd_target;
using aria::testing::kolmogorov_smirnov_p;
using aria::testing::message_of;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::Ge;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::Le;

std::shared_ptr<const RobotTask> make_robot(const std::string& name, std::size_t episode_length) {
  if (name == "ant") {
    AntConfig config;
    config.episode_length = episode_length;
    return make_ant(config);
  }
  WalkerConfig config;
  config.episode_length = episode_length;
  return make_walker(config);
}

SampleRequest request_of(const Task& task, std::size_t centres, std::size_t samples, float sigma, bool mirrored) {
  SampleRequest request;
  request.centres.resize(centres, task.info().parameters);
  for (std::size_t i = 0; i < centres; ++i) {
    request.ids.push_back(static_cast<std::uint32_t>(5 + 100 * i));
    task.initial_genotype(Key(9), request.ids[i], request.centres.row(i));
  }
  request.samples = samples;
  request.sigma = sigma;
  request.mirrored = mirrored;
  request.key = Key(31);
  return request;
}

struct Results {
  std::vector<float> fitness;
  Matrix descriptors;
};

Results evaluate(const Task& task, const SampleRequest& request, std::size_t first, std::size_t count) {
  Results results{std::vector<float>(count), Matrix(count, 2)};
  task.evaluate(request, first, {results.fitness, results.descriptors.view(), nullptr});
  return results;
}

Results evaluate(const Task& task, const SampleRequest& request) {
  return evaluate(task, request, 0, request.evaluations());
}

class RobotTaskTest : public ::testing::TestWithParam<const char*> {
 protected:
  std::shared_ptr<const RobotTask> task(std::size_t episode_length = 12) const {
    return make_robot(GetParam(), episode_length);
  }
  NpyArray recorded(const std::string& file, const std::string& array) const {
    return NpzReader(std::string(ARIA_TEST_DATA) + "/physics/" + GetParam() + file).read_array(array);
  }
};

INSTANTIATE_TEST_SUITE_P(Robots, RobotTaskTest, ::testing::Values("ant", "walker"),
                         [](const auto& test) { return std::string(test.param); });

// What an evaluation must give: its solution, written out, recorded step by step.
void expect_as_recorded(const RobotTask& task, const SampleRequest& request) {
  const Results results = evaluate(task, request);
  Matrix solutions(request.evaluations(), task.info().parameters);
  draw_solutions(request, 0, solutions.view());
  for (std::size_t e = 0; e < request.evaluations(); ++e) {
    const auto noise = reset_noise(task, request.key, request.ids[e / request.samples],
                                   static_cast<std::uint32_t>(e % request.samples));
    const Trajectory trajectory = record_rollout(task, solutions.row(e), noise);
    EXPECT_EQ(bits_of(std::span(&results.fitness[e], 1)), bits_of(std::span(&trajectory.fitness, 1))) << e;
    EXPECT_EQ(bits_of(results.descriptors.row(e)), bits_of(trajectory.descriptor)) << e;
  }
}

TEST_P(RobotTaskTest, GivesWhatARecordedRolloutGives) {
  const auto robot = task();
  expect_as_recorded(*robot, request_of(*robot, 19, 1, 0, false));
  expect_as_recorded(*robot, request_of(*robot, 2, 11, 0, false));
  expect_as_recorded(*robot, request_of(*robot, 2, 10, 0.05f, true));
  expect_as_recorded(*robot, request_of(*robot, 2, 5, 0.05f, false));
}

// Long enough for some Walkers to fall and some to reach the time limit; no Ant falls of its own accord.
TEST_P(RobotTaskTest, HandsBackTheStepsOfARecordedRollout) {
  const auto robot = task(45);
  const SampleRequest request = request_of(*robot, 40, 1, 0, false);
  Results results{std::vector<float>(40), Matrix(40, 2)};
  std::vector<EpisodeSteps> episodes(40);
  robot->evaluate(request, 0, {results.fitness, results.descriptors.view(), nullptr, episodes});
  EXPECT_EQ(bits_of(results.fitness), bits_of(evaluate(*robot, request).fitness));
  std::size_t fallen = 0;
  for (std::size_t e = 0; e < 40; ++e) {
    const auto noise = reset_noise(*robot, request.key, request.ids[e], 0);
    const Trajectory recorded = record_rollout(*robot, request.centres.row(e), noise);
    const EpisodeSteps& steps = episodes[e];
    ASSERT_EQ(steps.size(), recorded.length) << e;
    EXPECT_EQ(steps.observations.rows(), steps.size() + 1);
    EXPECT_EQ(steps.actions.rows(), steps.size());
    EXPECT_EQ(bits_of(steps.observations.values()), bits_of(recorded.observation)) << e;
    EXPECT_EQ(bits_of(steps.actions.values()), bits_of(recorded.action)) << e;
    EXPECT_EQ(bits_of(steps.rewards), bits_of(recorded.reward)) << e;
    EXPECT_EQ(steps.terminated, recorded.terminated.back() != 0) << e;
    fallen += steps.terminated ? 1 : 0;
  }
  EXPECT_EQ(fallen > 0, std::string(GetParam()) == "walker");
  EXPECT_LT(fallen, 40u);
}

TEST_P(RobotTaskTest, DoesNotDependOnHowARequestIsCut) {
  const auto robot = task(60);
  const SampleRequest request = request_of(*robot, 3, 14, 0.1f, true);
  const Results whole = evaluate(*robot, request);
  for (const std::size_t part : {2u, 6u, 30u}) {
    for (std::size_t first = 0; first < request.evaluations(); first += part) {
      const std::size_t count = std::min(part, request.evaluations() - first);
      const Results results = evaluate(*robot, request, first, count);
      EXPECT_EQ(bits_of(results.fitness), bits_of(std::span(whole.fitness).subspan(first, count)));
      EXPECT_EQ(bits_of(results.descriptors.values()), bits_of(whole.descriptors.view().rows(first, count).values()));
    }
  }
}

TEST_P(RobotTaskTest, GivesTheSameBitsOnEveryTargetWithFusedMultiplyAdd) {
  const auto robot = task(30);
  const SampleRequest request = request_of(*robot, 3, 6, 0.05f, true);
  const Results best = evaluate(*robot, request);
  for_each_simd_target([&](bool fused) {
    const Results results = evaluate(*robot, request);
    if (fused) {
      EXPECT_EQ(bits_of(results.fitness), bits_of(best.fitness));
      EXPECT_EQ(bits_of(results.descriptors.values()), bits_of(best.descriptors.values()));
    }
    EXPECT_TRUE(std::ranges::all_of(results.fitness, [](float f) { return std::isfinite(f); }));
  });
}

TEST_P(RobotTaskTest, DrawsAnotherStartForEverySampleAndKey) {
  const auto robot = task();
  SampleRequest request = request_of(*robot, 1, 4, 0, false);
  const Results first = evaluate(*robot, request);
  EXPECT_NE(first.fitness[0], first.fitness[1]);
  EXPECT_NE(first.fitness[2], first.fitness[3]);
  request.key = Key(32);
  EXPECT_NE(evaluate(*robot, request).fitness, first.fitness);
}

TEST_P(RobotTaskTest, StartsWithinTheResetNoise) {
  const auto robot = task();
  std::vector<float> noise = reset_noise(*robot, Key(1), 2, 3);
  EXPECT_EQ(noise.size(), 2 * robot->policy().outputs());
  EXPECT_NE(noise, reset_noise(*robot, Key(1), 2, 4));
  const float amplitude = robot->reset_noise();
  EXPECT_THAT(noise, Each(AllOf(Ge(-amplitude), Le(amplitude))));
  EXPECT_THAT(*std::ranges::max_element(noise), Gt(amplitude / 2));
}

TEST_P(RobotTaskTest, FailsWhereWeightsAreNotFinite) {
  const auto robot = task();
  SampleRequest request = request_of(*robot, 4, 2, 0, false);
  request.centres(1, 7) = std::numeric_limits<float>::quiet_NaN();
  request.centres(2, 0) = std::numeric_limits<float>::infinity();
  const Results results = evaluate(*robot, request);
  for (std::size_t e = 0; e < 8; ++e) EXPECT_EQ(std::isnan(results.fitness[e]), e / 2 == 1 || e / 2 == 2) << e;
  request.sigma = 0.1f;
  request.mirrored = true;
  const Results perturbed = evaluate(*robot, request);
  for (std::size_t e = 0; e < 8; ++e) EXPECT_EQ(std::isnan(perturbed.fitness[e]), e / 2 == 1 || e / 2 == 2) << e;
}

TEST_P(RobotTaskTest, EndsWhateverTheWeights) {
  const auto robot = task(40);
  SampleRequest request = request_of(*robot, 1, 3, 0, false);
  std::ranges::fill(request.centres.row(0), 1e30f);
  const Results results = evaluate(*robot, request);
  EXPECT_EQ(results.fitness.size(), 3);
}

// Recorded by the original simulators in double precision: observations, rewards, ends and contacts of the first steps.
TEST_P(RobotTaskTest, SeesAndPaysWhatTheOriginalDid) {
  const auto robot = task(1000);
  const std::size_t joints = robot->policy().outputs();
  const std::size_t inputs = robot->policy().inputs();
  const auto noise = to_floats(recorded("_steps.npz", "noise"));
  const auto actions = to_floats(recorded("_steps.npz", "actions"));
  const auto observation = to_floats(recorded("_steps.npz", "obs"));
  const auto reward = to_floats(recorded("_steps.npz", "reward"));
  const auto contact = to_floats(recorded("_steps.npz", "contact"));
  constexpr std::size_t kCompared = 4;
  // the Ant starts with its lowest foot just on the ground, where rounding decides whether it touches
  constexpr std::size_t kAntContacts = 27;
  const std::size_t bodies = robot->simulator().model().bodies.size();
  for (std::size_t t = 0; t < 4; ++t) {
    const Trajectory trajectory = record_actions(*robot, MatrixView(&actions[t * 100 * joints], 100, joints),
                                                 std::span(noise).subspan(t * 2 * joints, 2 * joints));
    ASSERT_EQ(trajectory.steps, 100);
    for (std::size_t i = 0; i < (kCompared + 1) * inputs; ++i) {
      if (i >= kAntContacts && i < inputs) continue;
      EXPECT_NEAR(trajectory.observation[i], observation[t * 101 * inputs + i], 2e-3) << "trajectory " << t << " " << i;
    }
    for (std::size_t s = 0; s < kCompared; ++s) EXPECT_NEAR(trajectory.reward[s], reward[t * 100 + s], 2e-3);
    for (std::size_t i = std::string(GetParam()) == "ant" ? bodies : 0; i < (kCompared + 1) * bodies; ++i) {
      EXPECT_EQ(trajectory.contact[i] != 0, contact[t * 101 * bodies + i] != 0) << "trajectory " << t << " " << i;
    }
  }
}

// Sixteen policies of the original, in closed loop: chaotic, so only distributions can agree.
TEST_P(RobotTaskTest, HasTheDistributionsOfTheOriginal) {
  const auto robot = task(std::string(GetParam()) == "ant" ? 100 : 1000);
  const NpyArray policies = recorded("_rollouts.npz", "policy");
  const std::size_t count = policies.shape[0];
  ASSERT_EQ(policies.shape[1], robot->info().parameters);
  SampleRequest request;
  request.centres = Matrix(count, policies.shape[1], to_floats(policies));
  for (std::uint32_t i = 0; i < count; ++i) request.ids.push_back(i);
  request.samples = 256;
  request.key = Key(4);
  const auto fitness = to_floats(recorded("_rollouts.npz", "fitness"));
  const auto descriptor = to_floats(recorded("_rollouts.npz", "descriptor"));
  const auto length = to_floats(recorded("_rollouts.npz", "length"));
  const std::size_t resets = fitness.size() / count;

  const auto rounded = [](float x) { return std::round(static_cast<double>(x) * 1e5) / 1e5; };
  std::vector<double> p;
  for (std::size_t i = 0; i < count; ++i) {
    const Results results = evaluate(*robot, request, i * request.samples, request.samples);
    std::vector<std::vector<double>> ours(4);
    std::vector<std::vector<double>> theirs(4);
    for (std::size_t s = 0; s < request.samples; ++s) {
      ours[0].push_back(results.fitness[s]);
      ours[1].push_back(rounded(results.descriptors(s, 0)));
      ours[2].push_back(rounded(results.descriptors(s, 1)));
      // lengths are not part of an evaluation: some are recorded
      if (s >= 128) continue;
      const Trajectory trajectory =
          record_rollout(*robot, request.centres.row(i),
                         reset_noise(*robot, request.key, request.ids[i], static_cast<std::uint32_t>(s)));
      ours[3].push_back(static_cast<double>(trajectory.length));
    }
    for (std::size_t r = i * resets; r < (i + 1) * resets; ++r) {
      theirs[0].push_back(fitness[r]);
      theirs[1].push_back(rounded(descriptor[2 * r]));
      theirs[2].push_back(rounded(descriptor[2 * r + 1]));
      theirs[3].push_back(length[r]);
    }
    for (std::size_t k = 0; k < 4; ++k) p.push_back(kolmogorov_smirnov_p(ours[k], theirs[k]));
  }
  EXPECT_THAT(holm_correction(p), Each(Gt(0.01)));
}

TEST(KolmogorovSmirnov, TellsDistributionsApart) {
  std::vector<double> a;
  std::vector<double> b;
  for (int i = 0; i < 200; ++i) {
    a.push_back(i);
    b.push_back(i + 60);
  }
  EXPECT_GT(kolmogorov_smirnov_p(a, a), 0.99);
  EXPECT_LT(kolmogorov_smirnov_p(a, b), 1e-6);
}

TEST(Ant, HasThePublishedShape) {
  const auto ant = make_ant();
  EXPECT_EQ(ant->info().parameters, 10312);
  EXPECT_EQ(ant->policy().sizes, (std::vector<std::size_t>{87, 64, 64, 8}));
  EXPECT_EQ(ant->info().grid.lower, (std::vector<double>{-15, -15}));
  EXPECT_EQ(ant->info().defaults.baseline_budget, 428'228'608);
}

TEST(Walker, HasThePublishedShape) {
  const auto walker = make_walker();
  EXPECT_EQ(walker->info().parameters, 5702);
  EXPECT_EQ(walker->policy().sizes, (std::vector<std::size_t>{17, 64, 64, 6}));
  EXPECT_EQ(walker->info().defaults.pairs, 1440);
}

TEST(RobotSettings, AreChecked) {
  const auto message = [](const char* task, const char* name, const char* value) {
    TaskPlan plan = plan_task(task);
    plan.settings.set(name, value);
    return message_of([&] { plan.build(); });
  };
  EXPECT_THAT(message("ant", "episode_length", "0"), HasSubstr("episode_length must be from 1"));
  EXPECT_THAT(message("ant", "hidden", "64,0"), HasSubstr("hidden must be layers of 1 to"));
  EXPECT_THAT(message("ant", "range", "31"), HasSubstr("range must be above 0, up to 30, got 31"));
  EXPECT_THAT(message("ant", "max_height", "0.1"), HasSubstr("max_height must be above min_height"));
  EXPECT_THAT(message("ant", "grid", "8"), HasSubstr("grid must be two numbers"));
  EXPECT_THAT(message("walker", "reset_noise", "2"), HasSubstr("reset_noise must be from 0 to 1, got 2"));
  EXPECT_THAT(message("walker", "max_tilt", "0"), HasSubstr("max_tilt must be above 0"));
  EXPECT_THAT(message("walker", "hidden", "100000"), HasSubstr("hidden must be layers of 1 to"));
}

TEST(RobotSettings, ShapeThePolicy) {
  TaskPlan plan = plan_task("walker");
  plan.settings.set("hidden", "8");
  EXPECT_EQ(plan.build()->info().parameters, 17 * 8 + 8 + 8 * 6 + 6);
}

// With the limits moved out of reach no episode ends early; with no room at all every one ends at once.
TEST(RobotSettings, DecideWhenAnEpisodeEnds) {
  AntConfig config;
  config.min_height = -100;
  config.max_height = 100;
  config.episode_length = 30;
  const auto free = make_ant(config);
  std::vector<float> policy(free->info().parameters);
  free->initial_genotype(Key(1), 0, policy);
  const auto noise = reset_noise(*free, Key(1), 0, 0);
  EXPECT_EQ(record_rollout(*free, policy, noise).length, 30);
  config.max_height = -99;
  const Trajectory caught = record_rollout(*make_ant(config), policy, noise);
  EXPECT_EQ(caught.length, 1);
  // one step: described by where it started
  EXPECT_EQ(caught.descriptor, (std::vector<float>{0, 0}));
}

}  // namespace
}  // namespace aria
