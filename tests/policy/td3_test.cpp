#include "aria/policy/td3.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "aria/core/draws.hpp"
#include "aria/policy/initial_policy.hpp"
#include "tests/support/bandit_replay.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/network_reference.hpp"
#include "tests/support/simd_targets.hpp"
#include "tests/support/threads.hpp"

namespace aria {
namespace {

using aria::testing::Bandit;
using aria::testing::difference_gradient;
using aria::testing::for_each_simd_target;
using aria::testing::message_of;
using aria::testing::network_reference;
using aria::testing::ScopedThreads;
using aria::testing::to_doubles;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::vector<float> initial_genotype(const MlpShape& shape, std::uint64_t seed = 11) {
  std::vector<float> result(shape.parameters());
  initial_policy(shape, Key(seed), 0, result);
  return result;
}

const MlpShape kActor{{2, 8, 1}};

Td3Config small_config() {
  Td3Config config;
  config.critic_hidden = {16, 12};
  config.batch = 70;  // a chunk and a bit
  return config;
}

Td3 small_learner(const Td3Config& config = small_config()) {
  return {config, kActor, initial_genotype(kActor), Key(1)};
}

// Transitions of which some end, some are cut, and some go on.
Bandit mixed(std::size_t count) {
  Bandit result(count);
  for (std::size_t i = 0; i < count; ++i) {
    result.done[i] = i % 3 == 0;
    result.truncated[i] = i % 5 == 0;
  }
  return result;
}

// --- One step, worked out again -----------------------------------------------------------------------------------

// The loss of a critic and the value of the policy, in double precision, from the definitions of the papers and QDax.
struct Reference {
  const Td3& learner;
  const ReplayBuffer& replay;
  Key key;                            // of the step
  std::vector<std::uint32_t> places;  // the minibatch

  Reference(const Td3& of, const ReplayBuffer& buffer, Key step_key)
      : learner(of), replay(buffer), key(step_key), places(of.config().batch) {
    replay.draw(key, 0, 0, places);
  }

  std::vector<double> row(void (ReplayBuffer::*rows)(std::span<const std::uint32_t>, std::size_t, LaneMatrix&) const,
                          std::size_t sample) const {
    LaneMatrix to(kActor.inputs(), 1);
    (replay.*rows)(std::span(places).subspan(sample, 1), 0, to);
    return {to(0, 0), to(1, 0)};
  }

  double target(std::size_t sample) const {
    const Td3Config& config = learner.config();
    std::vector<double> next = row(&ReplayBuffer::next_observations, sample);
    const double action =
        network_reference(kActor, OutputKind::kTanh, to_doubles(learner.actor().target()), next).front();
    const double noise = normal(key, Purpose::kPerturbation, 0, static_cast<std::uint32_t>(sample), 0);
    const double shift = std::clamp(noise * config.smoothing_noise, -config.noise_clip, config.noise_clip);
    next.push_back(std::clamp(action + shift, -1.0, 1.0));
    double least = 1e9;
    for (const std::size_t i : {0u, 1u}) {
      const auto parameters = to_doubles(learner.critic(i).target());
      least = std::min(least, network_reference(learner.critic_shape(), OutputKind::kLinear, parameters, next).front());
    }
    const std::size_t place = places[sample];
    return replay.reward(place) + (replay.done(place) ? 0 : config.discount * least);
  }

  double loss(const std::vector<double>& critic, const std::vector<double>& targets) const {
    double sum = 0;
    for (std::size_t s = 0; s < places.size(); ++s) {
      std::vector<double> input = row(&ReplayBuffer::observations, s);
      LaneMatrix action(1, 1);
      replay.actions(std::span(places).subspan(s, 1), 0, 0, action);
      input.push_back(action(0, 0));
      const double value = network_reference(learner.critic_shape(), OutputKind::kLinear, critic, input).front();
      const double error = replay.truncated(places[s]) ? 0 : value - targets[s];
      sum += error * error;
    }
    return sum / static_cast<double>(places.size());
  }

  double policy_value(const std::vector<double>& actor) const {
    double sum = 0;
    for (std::size_t s = 0; s < places.size(); ++s) {
      std::vector<double> input = row(&ReplayBuffer::observations, s);
      input.push_back(network_reference(kActor, OutputKind::kTanh, actor, input).front());
      sum += network_reference(learner.critic_shape(), OutputKind::kLinear, to_doubles(learner.critic(0).parameters()),
                               input)
                 .front();
    }
    return sum / static_cast<double>(places.size());
  }
};

// Adam's first mean is a tenth of the gradient.
void expect_gradient(const State& state, const std::string& name, const std::vector<double>& expected, double sign) {
  const auto& mean = state.get<float>(name + "/adam_mean", expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(mean[i], 0.1 * sign * expected[i], 2e-6) << name << i;
}

TEST(Td3, TakesTheStepThatDifferencesGive) {
  const ReplayBuffer replay = mixed(200).replay();
  Td3Config config = small_config();
  config.smoothing_noise = 0.4;  // so that both clips are met
  Td3 learner = small_learner(config);
  const Reference reference(learner, replay, Key(9).child(0));
  std::vector<double> targets;
  for (std::size_t s = 0; s < config.batch; ++s) targets.push_back(reference.target(s));
  std::vector<std::vector<double>> gradients;
  double loss = 0;
  for (const std::size_t i : {0u, 1u}) {
    const auto of = [&](const std::vector<double>& critic) { return reference.loss(critic, targets); };
    gradients.push_back(difference_gradient(of, to_doubles(learner.critic(i).parameters())));
    loss += of(to_doubles(learner.critic(i).parameters()));
  }
  const auto policy_gradient =
      difference_gradient([&](const std::vector<double>& actor) { return reference.policy_value(actor); },
                          to_doubles(learner.actor().parameters()));

  EXPECT_NEAR(learner.train(replay, Key(9), 1), loss, 1e-6);
  const State state = learner.save();
  expect_gradient(state, "critic0", gradients[0], -1);
  expect_gradient(state, "critic1", gradients[1], -1);
  expect_gradient(state, "actor", policy_gradient, 1);
}

TEST(Td3, MovesTargetsTowardsWhatTheyFollow) {
  const ReplayBuffer replay = mixed(200).replay();
  Td3Config config = small_config();
  config.soft_update = 0.25;
  Td3 learner = small_learner(config);
  const std::vector<float> before = learner.critic(1).parameters();
  EXPECT_EQ(learner.critic(1).target(), before);
  learner.train(replay, Key(9), 1);
  const std::vector<float>& now = learner.critic(1).parameters();
  for (std::size_t i = 0; i < before.size(); ++i) {
    ASSERT_NEAR(learner.critic(1).target()[i], 0.75 * before[i] + 0.25 * now[i], 1e-7);
  }
}

TEST(Td3, MovesThePolicyEverySecondStep) {
  const ReplayBuffer replay = mixed(200).replay();
  Td3 learner = small_learner();
  std::vector<bool> moved;
  for (int i = 0; i < 5; ++i) {
    const std::vector<float> actor = learner.actor().parameters();
    const std::vector<float> target = learner.actor().target();
    learner.train(replay, Key(9), 1);
    moved.push_back(learner.actor().parameters() != actor);
    EXPECT_EQ(learner.actor().target() != target, moved.back());
  }
  EXPECT_THAT(moved, ::testing::ElementsAre(true, false, true, false, true));
}

TEST(Td3, LearnsNothingFromTransitionsThatHitTheTimeLimit) {
  Bandit one = mixed(200);
  Bandit other = mixed(200);
  for (std::size_t i = 0; i < 200; ++i) {
    if (other.truncated[i] != 0) other.reward[i] = 1000;
  }
  Td3 first = small_learner();
  Td3 second = small_learner();
  EXPECT_EQ(first.train(one.replay(), Key(9), 4), second.train(other.replay(), Key(9), 4));
  EXPECT_EQ(first.save(), second.save());
  other.truncated.assign(200, 0);
  second.train(other.replay(), Key(9), 1);
  first.train(one.replay(), Key(9), 1);
  EXPECT_NE(first.save(), second.save());
}

// --- Learning ------------------------------------------------------------------------------------------------------

TEST(Td3, FindsTheBestPolicyOfABandit) {
  const ReplayBuffer replay = Bandit(4000).replay();
  Td3Config config;
  config.critic_hidden = {32, 32};
  config.batch = 64;
  config.critic_learning_rate = 3e-3;
  config.actor_learning_rate = 3e-3;
  const MlpShape actor{{2, 16, 16, 1}};
  Td3 learner(config, actor, initial_genotype(actor), Key(1));
  const double early = learner.train(replay, Key(2), 50);
  // The critic is made of flat pieces and its top is round: actions are found to the root of its error, so it takes
  // long. With 10,000 steps ten of ten runs with other seeds and learning rates stayed below 0.1; with 2,600 only half
  // did.
  learner.train(replay, Key(2), 9900);
  EXPECT_LT(learner.train(replay, Key(2), 50), 0.05 * early);
  double worst = 0;
  for (const float x : {-0.8f, -0.3f, 0.2f, 0.7f}) {
    for (const float y : {-0.9f, 0.0f, 0.6f}) {
      const double action =
          network_reference(actor, OutputKind::kTanh, to_doubles(learner.actor().parameters()), {x, y}).front();
      worst = std::max(worst, std::abs(action - Bandit::best_action(x, y)));
    }
  }
  EXPECT_LT(worst, 0.1);
}

// Two steps: the first is paid nothing, the second one minus the squared distance of the action from 0.4. So the value
// of the first is the discount times one, whatever its action.
TEST(Td3, ValuesWhatComesLater) {
  Bandit chain(1000);
  for (std::size_t i = 0; i < 1000; ++i) {
    const bool second = i % 2 == 1;
    std::ranges::copy(std::vector{second ? 1.0f : -1.0f, 0.0f}, chain.observation.row(i).begin());
    std::ranges::copy(std::vector{1.0f, 0.0f}, chain.next.row(i).begin());
    const float miss = chain.action(i, 0) - 0.4f;
    chain.reward[i] = second ? 1 - miss * miss : 0;
    chain.done[i] = second;
  }
  Td3Config config;
  config.critic_hidden = {32, 32};
  config.batch = 64;
  config.critic_learning_rate = 3e-3;
  config.actor_learning_rate = 3e-3;
  config.soft_update = 0.02;
  config.smoothing_noise = 0.05;
  config.discount = 0.8;
  Td3 learner(config, kActor, initial_genotype(kActor), Key(1));
  learner.train(chain.replay(), Key(2), 2500);
  const auto value = [&](double at, double action) {
    return network_reference(learner.critic_shape(), OutputKind::kLinear, to_doubles(learner.critic(0).parameters()),
                             {at, 0, action})
        .front();
  };
  EXPECT_NEAR(value(1, 0.4), 1, 0.05);
  EXPECT_NEAR(value(1, -0.4), 1 - 0.64, 0.05);
  EXPECT_NEAR(value(-1, 0.5), 0.8, 0.05);
  EXPECT_NEAR(value(-1, -0.5), 0.8, 0.05);
}

// --- The same bits -------------------------------------------------------------------------------------------------

TEST(Td3, GivesTheSameBytesForAnyNumberOfThreads) {
  const ReplayBuffer replay = mixed(500).replay();
  const auto trained = [&](std::size_t threads, std::uint64_t seed) {
    const ScopedThreads scope(threads);
    Td3Config config = small_config();
    config.batch = 200;
    Td3 learner = small_learner(config);
    learner.train(replay, Key(seed), 5);
    return learner.save();
  };
  const State one = trained(1, 3);
  EXPECT_EQ(trained(3, 3), one);
  EXPECT_NE(trained(3, 4), one);
}

TEST(Td3, GivesTheSameBytesOnEveryTargetThatFusesMultiplyAndAdd) {
  const ReplayBuffer replay = mixed(500).replay();
  const auto trained = [&] {
    Td3 learner = small_learner();
    learner.train(replay, Key(3), 5);
    return learner.save();
  };
  const State best = trained();
  for_each_simd_target([&](bool fused) {
    const State state = trained();
    EXPECT_TRUE(!fused || state == best);
  });
}

TEST(Td3, GoesOnAfterItWasSavedAsIfItHadNotBeen) {
  const ReplayBuffer replay = mixed(300).replay();
  Td3 first = small_learner();
  first.train(replay, Key(3), 3);
  Td3 second(small_config(), kActor, initial_genotype(kActor, 99), Key(77));
  second.load(first.save());
  EXPECT_EQ(second.steps(), 3u);
  EXPECT_EQ(first.train(replay, Key(3), 4), second.train(replay, Key(3), 4));
  EXPECT_EQ(first.save(), second.save());
}

TEST(Td3, DrawsAnewInEveryStepOfItsLife) {
  const ReplayBuffer replay = mixed(300).replay();
  Td3 whole = small_learner();
  whole.train(replay, Key(3), 5);
  Td3 twice = small_learner();
  twice.train(replay, Key(3), 2);
  twice.train(replay, Key(3), 3);
  EXPECT_EQ(whole.save(), twice.save());
}

// --- What it refuses -----------------------------------------------------------------------------------------------

TEST(Td3, RefusesWhatDoesNotFit) {
  EXPECT_THAT(message_of([] { Td3(small_config(), kActor, std::vector<float>(3), Key(1)); }),
              AllOf(HasSubstr("genotype"), HasSubstr("33"), HasSubstr("got 3")));
  Td3 learner = small_learner();
  const ReplayBuffer empty(learner.config().replay(kActor));
  EXPECT_THAT(message_of([&] { learner.train(empty, Key(1), 1); }), HasSubstr("replay"));
  ReplayBuffer wide({.observations = 3, .actions = 1, .capacity = 1, .precision = ReplayPrecision::kSingle});
  const Matrix row(1, 3);
  wide.insert(
      {row, row, Matrix(1, 1), std::vector<float>(1), std::vector<std::uint8_t>(1), std::vector<std::uint8_t>(1)});
  EXPECT_THAT(message_of([&] { learner.train(wide, Key(1), 1); }),
              AllOf(HasSubstr("2 observations"), HasSubstr("got [3, 1]")));
  State state = learner.save();
  state.arrays().erase("critic1/target");
  EXPECT_THAT(message_of([&] { learner.load(state); }), HasSubstr("target"));
}

TEST(Td3Config, TakesItsDefaults) { EXPECT_NO_THROW(Td3Config().validate()); }

TEST(Td3Config, RefusesValuesOutsideTheirRange) {
  const auto said = [](auto field, auto value) {
    Td3Config config;
    config.*field = value;
    return message_of([&] { config.validate(); });
  };
  EXPECT_THAT(said(&Td3Config::critic_learning_rate, 0), AllOf(HasSubstr("critic_learning_rate"), HasSubstr("got 0")));
  EXPECT_THAT(said(&Td3Config::actor_learning_rate, std::nan("")), HasSubstr("actor_learning_rate"));
  EXPECT_THAT(said(&Td3Config::policy_delay, 0), HasSubstr("policy_delay"));
  EXPECT_THAT(said(&Td3Config::smoothing_noise, -1), HasSubstr("smoothing_noise"));
  EXPECT_THAT(said(&Td3Config::noise_clip, -1), HasSubstr("noise_clip"));
  EXPECT_THAT(said(&Td3Config::discount, 1.1), AllOf(HasSubstr("discount"), HasSubstr("got 1.1")));
  EXPECT_THAT(said(&Td3Config::soft_update, 0), HasSubstr("soft_update"));
  EXPECT_THAT(said(&Td3Config::batch, 0), HasSubstr("critic_batch"));
  EXPECT_THAT(said(&Td3Config::replay_size, 0), HasSubstr("replay_size"));
  EXPECT_THAT(said(&Td3Config::replay_precision, "double"), AllOf(HasSubstr("replay_precision"), HasSubstr("double")));
  EXPECT_THAT(said(&Td3Config::critic_hidden, std::vector<std::size_t>{8, 0}), HasSubstr("critic_hidden"));
}

TEST(Td3Config, IsBoundToSettings) {
  Td3Config config;
  SettingTable table;
  bind_settings(table, config);
  table.set("critic_hidden", "64,32");
  table.set("replay_precision", "half");
  table.set("replay_size", "2e5");
  EXPECT_THAT(config.critic_hidden, ::testing::ElementsAre(64, 32));
  const ReplayConfig replay = config.replay(kActor);
  EXPECT_EQ(replay.capacity, 200'000u);
  EXPECT_EQ(replay.precision, ReplayPrecision::kHalf);
  EXPECT_EQ(replay.observations, 2u);
  EXPECT_EQ(replay.actions, 1u);
}

}  // namespace
}  // namespace aria
