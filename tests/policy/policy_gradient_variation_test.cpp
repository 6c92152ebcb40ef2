#include "aria/policy/policy_gradient_variation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "aria/policy/initial_policy.hpp"
#include "aria/policy/policy_gradient.hpp"
#include "tests/support/bandit_replay.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/network_reference.hpp"
#include "tests/support/threads.hpp"

namespace aria {
namespace {

using aria::testing::Bandit;
using aria::testing::difference_gradient;
using aria::testing::message_of;
using aria::testing::network_reference;
using aria::testing::ScopedThreads;
using aria::testing::to_doubles;
using ::testing::AllOf;
using ::testing::HasSubstr;

const MlpShape kActor{{2, 9, 1}};
const MlpShape kCritic{{3, 20, 1}};

std::vector<float> parameters_of(const MlpShape& shape, std::uint32_t id) {
  std::vector<float> result(shape.parameters());
  initial_policy(shape, Key(4), id, result);
  return result;
}

Matrix some_parents(std::size_t count) {
  Matrix result;
  for (std::size_t i = 0; i < count; ++i) result.append_row(parameters_of(kActor, static_cast<std::uint32_t>(i)));
  return result;
}

Matrix varied(const PolicyGradientConfig& config, const Matrix& parents, Key key) {
  const ReplayBuffer replay = Bandit(300).replay();
  const std::vector<float> critic = parameters_of(kCritic, 50);
  PolicyGradientVariation variation(config, kActor, kCritic);
  Matrix result(parents.rows(), parents.columns());
  variation.vary(parents, critic, replay, key, result.view());
  return result;
}

// The mean over the bandit's observations of what the critic makes of a policy.
double value_of(std::span<const float> actor) {
  const Bandit bandit(300);
  double sum = 0;
  for (std::size_t i = 0; i < 300; ++i) {
    std::vector<double> input = to_doubles(bandit.observation.row(i));
    input.push_back(network_reference(kActor, OutputKind::kTanh, to_doubles(actor), input).front());
    sum += network_reference(kCritic, OutputKind::kLinear, to_doubles(parameters_of(kCritic, 50)), input).front();
  }
  return sum / 300;
}

TEST(PolicyGradientVariation, ClimbsTheCritic) {
  const Matrix parents = some_parents(4);
  PolicyGradientConfig config;
  config.batch = 64;
  const Matrix offspring = varied(config, parents, Key(1));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_GT(value_of(offspring.row(i)), value_of(parents.row(i)) + 0.02) << i;
}

// Adam's first step has the length of its learning rate in every direction that has a slope.
TEST(PolicyGradientVariation, TakesAFirstStepAlongTheGradient) {
  const Matrix parents = some_parents(1);
  PolicyGradientConfig config;
  config.steps = 1;
  config.batch = 40;
  const Matrix offspring = varied(config, parents, Key(1));
  const ReplayBuffer replay = Bandit(300).replay();
  std::vector<std::uint32_t> places(config.batch);
  replay.draw(Key(1), 0, 0, places);
  const auto gradient = difference_gradient(
      [&](const std::vector<double>& actor) {
        double sum = 0;
        for (const std::uint32_t place : places) {
          const Bandit bandit(300);
          std::vector<double> input = to_doubles(bandit.observation.row(place));
          input.push_back(network_reference(kActor, OutputKind::kTanh, actor, input).front());
          sum += network_reference(kCritic, OutputKind::kLinear, to_doubles(parameters_of(kCritic, 50)), input).front();
        }
        return sum / static_cast<double>(places.size());
      },
      to_doubles(parents.row(0)));
  std::size_t checked = 0;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    if (std::abs(gradient[i]) < 1e-5) continue;
    EXPECT_NEAR(offspring(0, i) - parents(0, i), std::copysign(1e-3, gradient[i]), 2e-6) << i;
    ++checked;
  }
  EXPECT_GT(checked, gradient.size() / 2);
}

TEST(PolicyGradientVariation, GivesTheSameBytesForAnyNumberOfThreads) {
  const Matrix parents = some_parents(7);
  PolicyGradientConfig config;
  config.steps = 5;
  config.batch = 33;
  const auto with = [&](std::size_t threads, std::uint64_t seed) {
    const ScopedThreads scope(threads);
    return varied(config, parents, Key(seed));
  };
  const Matrix one = with(1, 1);
  EXPECT_EQ(with(3, 1), one);
  EXPECT_NE(with(3, 2), one);
}

TEST(PolicyGradientVariation, StartsAnewForEveryParent) {
  const ReplayBuffer replay = Bandit(300).replay();
  const std::vector<float> critic = parameters_of(kCritic, 50);
  PolicyGradientConfig config;
  config.steps = 5;
  PolicyGradientVariation variation(config, kActor, kCritic);
  const Matrix parents = some_parents(3);
  Matrix first(3, kActor.parameters());
  Matrix second(3, kActor.parameters());
  variation.vary(parents, critic, replay, Key(1), first.view());
  variation.vary(parents, critic, replay, Key(1), second.view());
  EXPECT_EQ(first, second);
}

TEST(PolicyGradientVariation, DrawsOtherObservationsForEveryParent) {
  Matrix parents;
  parents.append_row(parameters_of(kActor, 0));
  parents.append_row(parameters_of(kActor, 0));
  PolicyGradientConfig config;
  config.steps = 3;
  const Matrix offspring = varied(config, parents, Key(1));
  EXPECT_FALSE(std::ranges::equal(offspring.row(0), offspring.row(1)));
}

TEST(PolicyGradientVariation, RefusesWhatDoesNotFit) {
  const auto said = [](auto field, auto value) {
    PolicyGradientConfig config;
    config.*field = value;
    return message_of([&] { PolicyGradientVariation(config, kActor, kCritic); });
  };
  EXPECT_THAT(said(&PolicyGradientConfig::steps, 0), AllOf(HasSubstr("gradient_steps"), HasSubstr("got 0")));
  EXPECT_THAT(said(&PolicyGradientConfig::learning_rate, -1), HasSubstr("gradient_learning_rate"));
  EXPECT_THAT(said(&PolicyGradientConfig::batch, 0), HasSubstr("gradient_batch"));
  PolicyGradientVariation variation({}, kActor, kCritic);
  const ReplayBuffer empty({.observations = 2, .actions = 1, .capacity = 1, .precision = ReplayPrecision::kSingle});
  Matrix parents = some_parents(1);
  EXPECT_THAT(message_of([&] { variation.vary(parents, parameters_of(kCritic, 50), empty, Key(1), parents.view()); }),
              HasSubstr("replay"));
}

}  // namespace
}  // namespace aria
