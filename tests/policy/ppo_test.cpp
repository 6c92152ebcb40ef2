#include "aria/policy/ppo.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "aria/core/draws.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/mlp_reference.hpp"
#include "tests/support/threads.hpp"

namespace aria {
namespace {

using aria::testing::for_each_thread_count;
using aria::testing::message_of;
using aria::testing::mlp_reference;
using ::testing::AllOf;
using ::testing::HasSubstr;

PpoConfig small() {
  PpoConfig config;
  config.minibatch = 100;  // not a multiple of sixteen
  return config;
}

// The policy's output before the tanh.
std::vector<double> output_of(const MlpShape& shape, const std::vector<float>& weights, std::vector<double> values) {
  std::vector<double> outputs = mlp_reference(shape, weights, std::move(values));
  for (double& output : outputs) output = std::atanh(output);
  return outputs;
}

// Episodes of one step, paid by how near the action before its tanh is to a linear function of what is seen.
double best_action(float x, float y) { return 0.5 * double{x} - 0.3 * double{y} + 0.1; }

PpoSteps play(const Ppo& ppo, double deviation, std::size_t count, Key key) {
  PpoSteps steps;
  for (std::size_t i = 0; i < count; ++i) {
    const auto id = static_cast<std::uint32_t>(i);
    const std::vector<float> seen = {2 * uniform_from(key.bits(Purpose::kInitial, id, 0, 0)[0]) - 1,
                                     2 * uniform_from(key.bits(Purpose::kInitial, id, 0, 0)[1]) - 1};
    const float noise = normal(key, Purpose::kPerturbation, id, 0, 0);
    const double action =
        output_of(ppo.policy_shape(), ppo.policy(), {seen.begin(), seen.end()})[0] + deviation * double{noise};
    steps.inputs.append_row(seen);
    steps.noise.append_row(std::vector{noise});
    steps.rewards.push_back(static_cast<float>(-std::pow(action - best_action(seen[0], seen[1]), 2)));
    steps.ends.push_back(StepEnd::kOver);
  }
  return steps;
}

double mean_miss(const Ppo& ppo) {
  double sum = 0;
  for (int i = 0; i < 100; ++i) {
    const float x = static_cast<float>(i % 10) / 5 - 1, y = static_cast<float>(i / 10) / 5 - 1;
    sum += std::abs(output_of(ppo.policy_shape(), ppo.policy(), {double{x}, double{y}})[0] - best_action(x, y));
  }
  return sum / 100;
}

// A step behind a cut is there for the critic's word on it only.
TEST(Ppo, LearnsNothingFromACutStepButWhatIsLeftToCome) {
  const auto learnt = [](StepEnd last, bool with_cut) {
    Ppo ppo(small(), {{2, 8, 1}}, {{2, 8, 1}}, 0.1, Key(4));
    PpoSteps steps = play(ppo, 0.3, 150, Key(7));
    steps.ends.back() = last;
    if (with_cut) {
      steps.inputs.append_row(std::vector{0.9f, -0.9f});
      steps.noise.append_row(std::vector{3.0f});
      steps.rewards.push_back(1000);
      steps.ends.push_back(StepEnd::kCut);
    }
    ppo.learn(steps, {.deviation = 0.3, .learning_rate = 5e-3}, Key(8));
    return ppo.policy();
  };
  EXPECT_EQ(learnt(StepEnd::kOver, true), learnt(StepEnd::kOver, false));
  EXPECT_NE(learnt(StepEnd::kGoesOn, true), learnt(StepEnd::kOver, true));
}

TEST(Ppo, FindsTheBestPolicyOfAProblemWhoseBestIsKnown) {
  Ppo ppo(small(), {{2, 16, 1}}, {{2, 16, 1}}, 0.1, Key(4));
  const double before = mean_miss(ppo);
  EXPECT_GT(before, 0.15);
  for (std::uint64_t i = 0; i < 60; ++i) {
    const double deviation = 0.4 - 0.005 * static_cast<double>(i);
    ppo.learn(play(ppo, deviation, 550, Key(7).child(i)), {.deviation = deviation, .learning_rate = 5e-3},
              Key(8).child(i));
  }
  EXPECT_LT(mean_miss(ppo), 0.04);
}

// A reward that comes later is worth what is left of it: the state before is as good as the action that leads there.
TEST(Ppo, LearnsFromWhatComesLater) {
  Ppo ppo(small(), {{1, 8, 1}}, {{1, 8, 1}}, 0.1, Key(4));
  const auto action_at_first = [&] { return output_of(ppo.policy_shape(), ppo.policy(), {0.0})[0]; };
  for (std::uint64_t round = 0; round < 40; ++round) {
    PpoSteps steps;
    for (std::uint32_t e = 0; e < 200; ++e) {
      const float noise = normal(Key(9).child(round), Purpose::kPerturbation, e, 0, 0);
      const double taken = action_at_first() + 0.3 * double{noise};
      for (const float at : {0.0f, 1.0f}) {
        steps.inputs.append_row(std::vector{at});
        steps.noise.append_row(std::vector{at == 0 ? noise : 0.0f});
        // paid at the second step for what was done at the first
        steps.rewards.push_back(at == 0 ? 0.0f : static_cast<float>(-std::pow(taken - 0.7, 2)));
        steps.ends.push_back(at == 0 ? StepEnd::kGoesOn : StepEnd::kOver);
      }
    }
    ppo.learn(steps, {.deviation = 0.3, .learning_rate = 5e-3}, Key(10).child(round));
  }
  EXPECT_NEAR(action_at_first(), 0.7, 0.1);
}

TEST(Ppo, GivesTheSameBytesForEveryNumberOfThreads) {
  const auto train = [] {
    Ppo ppo(small(), {{2, 16, 1}}, {{2, 16, 1}}, 0.1, Key(4));
    for (std::uint64_t i = 0; i < 3; ++i) {
      ppo.learn(play(ppo, 0.3, 730, Key(7).child(i)), {.deviation = 0.3}, Key(8).child(i));
    }
    return ppo.save();
  };
  const State expected = train();
  for_each_thread_count([&](std::size_t) { EXPECT_TRUE(train() == expected); });
}

TEST(Ppo, GoesOnFromItsState) {
  Ppo ppo(small(), {{2, 16, 1}}, {{2, 16, 1}}, 0.1, Key(4));
  ppo.learn(play(ppo, 0.3, 300, Key(7)), {.deviation = 0.3}, Key(8));
  Ppo other(small(), {{2, 16, 1}}, {{2, 16, 1}}, 0.1, Key(5));
  EXPECT_FALSE(other.save() == ppo.save());
  other.load(ppo.save());
  for (Ppo* each : {&ppo, &other}) each->learn(play(*each, 0.3, 300, Key(9)), {.deviation = 0.3}, Key(10));
  EXPECT_TRUE(other.save() == ppo.save());
}

TEST(Ppo, IsTheSameFunctionInOtherUnits) {
  Ppo ppo(small(), {{3, 5, 2}}, {{4, 5, 1}}, 1, Key(4));
  const std::vector<float> before = ppo.policy();
  const std::vector<float> mean = {0.5f, -2}, scale = {2, 0.25f};
  ppo.rescale_inputs(mean, scale);
  const auto expected = output_of(ppo.policy_shape(), before, {0.3, 0.4, 0.7});
  const auto got = output_of(ppo.policy_shape(), ppo.policy(), {(0.3 - 0.5) / 2, (0.4 + 2) / 0.25, 0.7});
  for (std::size_t a = 0; a < 2; ++a) EXPECT_NEAR(got[a], expected[a], 1e-5);
}

TEST(Ppo, ChecksItsSettings) {
  PpoConfig config;
  config.clip = 1;
  EXPECT_THAT(message_of([&] { config.validate(); }), AllOf(HasSubstr("clip"), HasSubstr("got 1")));
  config = {};
  config.minibatch = 0;
  EXPECT_THAT(message_of([&] { config.validate(); }), AllOf(HasSubstr("minibatch"), HasSubstr("got 0")));
}

TEST(Shuffled, IsAnOrderNamedByItsKey) {
  std::vector<std::uint32_t> order = shuffled(100, Key(1));
  EXPECT_EQ(order, shuffled(100, Key(1)));
  EXPECT_NE(order, shuffled(100, Key(2)));
  std::ranges::sort(order);
  for (std::uint32_t i = 0; i < 100; ++i) EXPECT_EQ(order[i], i);
}

}  // namespace
}  // namespace aria
