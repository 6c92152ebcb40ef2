#include "aria/algorithm/pga_learner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "tests/support/network_reference.hpp"

namespace aria {
namespace {

using aria::testing::network_reference;
using aria::testing::to_doubles;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::FloatNear;
using ::testing::Gt;
using ::testing::Lt;

// The smallest policies and critics there are: tanh(w s + b), and a sum of what they are given.
const MlpShape kPolicy{{2, 1}};

PgaLearnerConfig small() {
  PgaLearnerConfig config;
  config.critic_steps = 7;
  config.td3.critic_hidden = {};
  config.td3.batch = 16;
  config.td3.replay_size = 100;
  config.gradient.steps = 1;
  config.gradient.learning_rate = 0.01;
  config.gradient.batch = 16;
  return config;
}

PgaLearner learner_of(const PgaLearnerConfig& config, std::uint64_t seed = 1) {
  return {config, kPolicy, std::vector<float>{0.1f, 0.2f, 0.3f}, Key(seed)};
}

EpisodeSteps fallen() {
  EpisodeSteps steps;
  steps.observations = Matrix(4, 2, {1, 2, 3, 4, 5, 6, 7, 8});
  steps.actions = Matrix(3, 1, {0.1f, 0.2f, 0.3f});
  steps.rewards = {10, 20, 30};
  steps.terminated = true;
  return steps;
}

EpisodeSteps cut() {
  EpisodeSteps steps;
  steps.observations = Matrix(3, 2, {11, 12, 13, 14, 15, 16});
  steps.actions = Matrix(2, 1, {-0.1f, -0.2f});
  steps.rewards = {-10, -20};
  return steps;
}

// --- What it remembers ---------------------------------------------------------------------------------------------

// The replay buffer of a learner, a column per transition.
struct Memory {
  std::vector<std::vector<float>> observation, next, action;
  std::vector<float> reward;
  std::vector<bool> done, truncated;

  explicit Memory(const PgaLearner& learner) {
    const ReplayConfig config = learner.td3().config().replay(kPolicy);
    ReplayBuffer replay(config);
    replay.load(learner.save().part("replay/"));
    for (std::uint32_t i = 0; i < replay.size(); ++i) {
      LaneMatrix row(config.observations, 1);
      replay.observations(std::vector{i}, 0, row);
      observation.push_back({row(0, 0), row(1, 0)});
      replay.next_observations(std::vector{i}, 0, row);
      next.push_back({row(0, 0), row(1, 0)});
      replay.actions(std::vector{i}, 0, 0, row);
      action.push_back({row(0, 0)});
      reward.push_back(replay.reward(i));
      done.push_back(replay.done(i));
      truncated.push_back(replay.truncated(i));
    }
  }
};

TEST(PgaLearner, RemembersEveryStepOfEveryEpisodeAndWhatItLedTo) {
  PgaLearner learner = learner_of(small());
  learner.learn(std::vector{fallen(), EpisodeSteps{}, cut()});
  const Memory memory(learner);
  EXPECT_THAT(memory.observation, ElementsAre(ElementsAre(1, 2), ElementsAre(3, 4), ElementsAre(5, 6),
                                              ElementsAre(11, 12), ElementsAre(13, 14)));
  EXPECT_THAT(memory.next, ElementsAre(ElementsAre(3, 4), ElementsAre(5, 6), ElementsAre(7, 8), ElementsAre(13, 14),
                                       ElementsAre(15, 16)));
  EXPECT_THAT(memory.action, ElementsAre(ElementsAre(0.1f), ElementsAre(0.2f), ElementsAre(0.3f), ElementsAre(-0.1f),
                                         ElementsAre(-0.2f)));
  EXPECT_THAT(memory.reward, ElementsAre(10, 20, 30, -10, -20));
}

TEST(PgaLearner, TellsAFallFromTheTimeLimit) {
  PgaLearner learner = learner_of(small());
  learner.learn(std::vector{fallen(), cut()});
  const Memory memory(learner);
  EXPECT_THAT(memory.done, ElementsAre(false, false, true, false, false));
  EXPECT_THAT(memory.truncated, ElementsAre(false, false, false, false, true));
}

TEST(PgaLearner, AddsToWhatItRemembersFromBefore) {
  PgaLearner learner = learner_of(small());
  learner.learn(std::vector{cut()});
  learner.learn(std::vector{fallen(), cut()});
  EXPECT_THAT(Memory(learner).reward, ElementsAre(-10, -20, 10, 20, 30, -10, -20));
}

// --- Training ------------------------------------------------------------------------------------------------------

TEST(PgaLearner, TrainsAsManyStepsAsAGenerationHas) {
  PgaLearner learner = learner_of(small());
  learner.learn(std::vector{fallen()});
  EXPECT_EQ(learner.td3().steps(), 7u);
  learner.learn(std::vector{cut()});
  EXPECT_EQ(learner.td3().steps(), 14u);
  learner.learn({});  // on what it remembers
  EXPECT_EQ(learner.td3().steps(), 21u);
}

TEST(PgaLearner, WaitsForAFirstStepToLearnFrom) {
  PgaLearner learner = learner_of(small());
  const State before = learner.save();
  learner.learn({});
  learner.learn(std::vector{EpisodeSteps{}});
  EXPECT_FALSE(learner.ready());
  EXPECT_EQ(learner.save(), before);
  learner.learn(std::vector{cut()});
  EXPECT_TRUE(learner.ready());
  EXPECT_GT(learner.critic_loss(), 0);
}

TEST(PgaLearner, GivesTheSameBytesForTheSameKeyAndOthersForAnother) {
  const auto trained = [](std::uint64_t seed) {
    PgaLearner learner = learner_of(small(), seed);
    learner.learn(std::vector{fallen(), cut()});
    return learner.save();
  };
  EXPECT_EQ(trained(1), trained(1));
  EXPECT_NE(trained(1), trained(2));
}

// --- Breeding ------------------------------------------------------------------------------------------------------

constexpr std::size_t kElites = 5;

// Elite e has the weights (e, e, e) / 10 and sits in cell e.
Archive some_elites() {
  Archive result(Grid({.cells = {kElites}, .lower = {0}, .upper = {kElites}}), kPolicy.parameters());
  for (std::size_t e = 0; e < kElites; ++e) {
    const auto number = static_cast<float>(e);
    const Matrix genotype(1, 3, std::vector(3, number / 10)), descriptor(1, 1, {number + 0.5f});
    result.insert(genotype, std::vector{1.0f}, descriptor);
  }
  return result;
}

// Now its first critic likes large actions; the target of that critic and the second one like small actions.
void make_opinionated(PgaLearner& learner) {
  learner.learn(std::vector{fallen(), cut()});
  State state = learner.save();
  state.put("td3/critic0/parameters", std::vector<float>{0, 0, 1, 0});
  for (const char* name : {"td3/critic0/target", "td3/critic1/parameters", "td3/critic1/target"}) {
    state.put(name, std::vector<float>{0, 0, -1, 0});
  }
  learner.load(state);
}

// Observations are above 0, so weights and bias all go up with the action; Adam's first step is as long as its learning
// rate.
TEST(PgaLearner, BreedsUpTheFirstCritic) {
  PgaLearner learner = learner_of(small());
  make_opinionated(learner);
  Archive one(Grid({.cells = {1}, .lower = {0}, .upper = {1}}), kPolicy.parameters());
  one.insert(Matrix(1, 3, {0.1f, -0.2f, 0.3f}), std::vector{1.0f}, Matrix(1, 1, {0.5f}));
  Matrix offspring(4, 3);
  learner.breed(one, Key(5), offspring.view());
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_THAT(offspring.row(i),
                ElementsAre(FloatNear(0.11f, 1e-5f), FloatNear(-0.19f, 1e-5f), FloatNear(0.31f, 1e-5f)))
        << i;
  }
}

TEST(PgaLearner, BreedsFromAllElitesAlike) {
  PgaLearner learner = learner_of(small());
  make_opinionated(learner);
  Matrix offspring(501, 3);
  learner.breed(some_elites(), Key(5), offspring.view());
  std::vector<int> children(kElites);
  for (std::size_t i = 0; i < 500; ++i) {
    const float parent = std::round(10 * offspring(i, 2));  // a step is a tenth of what lies between elites
    ASSERT_TRUE(parent >= 0 && parent < static_cast<float>(kElites)) << i;
    ++children[static_cast<std::size_t>(parent)];
  }
  // 100 of 500 each, with a standard deviation of 9
  EXPECT_THAT(children, Each(AllOf(Gt(64), Lt(136))));

  Matrix again(501, 3);
  learner.breed(some_elites(), Key(5), again.view());
  EXPECT_EQ(again, offspring);
  learner.breed(some_elites(), Key(6), again.view());
  EXPECT_NE(again, offspring);
}

TEST(PgaLearner, PutsTheGreedyPolicyItselfLast) {
  PgaLearner learner = learner_of(small());
  make_opinionated(learner);
  for (const std::size_t rows : {1u, 3u}) {
    Matrix offspring(rows, 3);
    learner.breed(some_elites(), Key(5), offspring.view());
    EXPECT_THAT(offspring.row(rows - 1), ElementsAreArray(learner.td3().actor().parameters()));
  }
  Matrix none(0, 3);
  learner.breed(some_elites(), Key(5), none.view());
}

// --- All of it -----------------------------------------------------------------------------------------------------

TEST(PgaLearner, GoesOnAfterItWasSavedAsIfItHadNotBeen) {
  PgaLearner first = learner_of(small());
  first.learn(std::vector{fallen()});
  PgaLearner second(small(), kPolicy, std::vector<float>(3), Key(1));
  second.load(first.save());
  EXPECT_EQ(second.critic_loss(), first.critic_loss());
  Matrix one(4, 3), other(4, 3);
  for (PgaLearner* learner : {&first, &second}) {
    learner->learn(std::vector{cut()});
    learner->breed(some_elites(), Key(5), (learner == &first ? one : other).view());
  }
  EXPECT_EQ(first.save(), second.save());
  EXPECT_EQ(one, other);
}

// A problem whose best policy is known, in two moves. The first is made at (0, 0), is paid nothing and leads to
// (1, first); the second is paid 1 - 2 (first - 0.4)^2 - (second + first / 2)^2 and ends the episode. So it takes what
// comes later to see that the best first move is 0.4, and the best second one is -0.2 then.
struct TwoMoves {
  static double pay(double first, double second) {
    return 1 - 2 * (first - 0.4) * (first - 0.4) - (second + first / 2) * (second + first / 2);
  }

  // With moves drawn uniformly; every fourth is cut after the first.
  static std::vector<EpisodeSteps> episodes(std::size_t count) {
    std::mt19937 random(5);
    const auto uniform = [&] { return static_cast<float>(random() % 2001) / 1000.0f - 1.0f; };
    std::vector<EpisodeSteps> result(count);
    for (std::size_t i = 0; i < count; ++i) {
      const float first = uniform();
      const float second = uniform();
      result[i].observations = Matrix(2, 2, {0, 0, 1, first});
      result[i].actions = Matrix(1, 1, {first});
      result[i].rewards = {0};
      if (i % 4 == 0) continue;
      result[i].observations.append_row(std::vector{0.0f, 0.0f});
      result[i].actions.append_row(std::vector{second});
      result[i].rewards.push_back(static_cast<float>(pay(first, second)));
      result[i].terminated = true;
    }
    return result;
  }

  double first, second;  // of a policy

  explicit TwoMoves(std::span<const float> genotype) {
    const auto act = [&](const std::vector<double>& seen) {
      return network_reference(kPolicy, OutputKind::kTanh, to_doubles(genotype), seen).front();
    };
    first = act({0, 0});
    second = act({1, first});
  }
  double paid() const { return pay(first, second); }
};

TEST(PgaLearner, FindsTheBestPolicyOfAProblemOfTwoMoves) {
  PgaLearnerConfig config = small();
  config.critic_steps = 3000;  // enough with each of forty keys that were tried; half of it was not
  config.td3.critic_hidden = {32, 32};
  config.td3.critic_learning_rate = 3e-3;
  config.td3.actor_learning_rate = 3e-3;
  config.td3.soft_update = 0.02;
  config.td3.discount = 0.9;
  config.td3.batch = 64;
  config.td3.replay_size = 10'000;
  config.gradient.steps = 150;
  config.gradient.learning_rate = 0.02;
  config.gradient.batch = 64;
  PgaLearner learner(config, kPolicy, std::vector<float>{0.5f, 0.5f, -0.5f}, Key(1));
  const std::vector<EpisodeSteps> episodes = TwoMoves::episodes(1000);
  learner.learn(std::span(episodes).first(500));
  learner.learn(std::span(episodes).last(500));
  const TwoMoves greedy(learner.td3().actor().parameters());
  EXPECT_NEAR(greedy.first, 0.4, 0.1);
  EXPECT_NEAR(greedy.second, -0.2, 0.1);

  // Elites, far from the best as they are, get there too
  const Archive elites = some_elites();
  Matrix offspring(8, 3);
  learner.breed(elites, Key(5), offspring.view());
  for (std::size_t e = 0; e < elites.size(); ++e) EXPECT_LT(TwoMoves(elites.genotype(e)).paid(), 0.8) << e;
  for (std::size_t i = 0; i < 8; ++i) EXPECT_GT(TwoMoves(offspring.row(i)).paid(), 0.97) << i;
}

}  // namespace
}  // namespace aria
