#include "aria/optim/adam.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/bits.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/simd_targets.hpp"

namespace aria {
namespace {

using aria::testing::bits_of;
using aria::testing::for_each_simd_target;
using aria::testing::message_of;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Worked out by hand from the paper: learning rate 0.1, gradients 1, -2, 0.5 (and their opposites).
TEST(Adam, TakesTheStepsOfAHandWorkedExample) {
  AdamConfig config;
  config.learning_rate = 0.1;
  AdamState state(2);
  std::vector<float> parameters = {0, 10};
  struct Step {
    float gradient;
    double mean, square, parameter;
  };
  constexpr Step kSteps[] = {
      {1.0f, 0.1, 0.001, 0.099999999}, {-2.0f, -0.11, 0.004999, 0.06338965}, {0.5f, -0.049, 0.005244001, 0.04972058}};
  for (const Step& step : kSteps) {
    adam_ascend(config, state, std::vector{step.gradient, -step.gradient}, parameters);
    EXPECT_NEAR(state.mean[0], step.mean, 1e-7);
    EXPECT_NEAR(state.square[0], step.square, 1e-8);
    EXPECT_NEAR(parameters[0], step.parameter, 1e-6);
    EXPECT_NEAR(parameters[1], 10 - step.parameter, 2e-6);
  }
  EXPECT_EQ(state.steps, 3);
}

TEST(Adam, MovesByTheLearningRateAtFirstWhateverTheScale) {
  for (const float scale : {1e-4f, 1.0f, 1e4f}) {
    AdamState state(1);
    std::vector<float> parameters = {0};
    adam_ascend(AdamConfig(), state, std::vector{scale}, parameters);
    EXPECT_NEAR(parameters[0], 0.01, 2e-6) << scale;
  }
}

TEST(Adam, StaysWhereThereIsNoGradient) {
  AdamState state(3);
  std::vector<float> parameters = {1, -2, 3};
  for (int i = 0; i < 5; ++i) adam_ascend(AdamConfig(), state, std::vector<float>(3), parameters);
  EXPECT_THAT(parameters, ElementsAre(1, -2, 3));
  EXPECT_EQ(state.steps, 5);
}

TEST(Adam, ClimbsToTheTopOfAQuadratic) {
  const float top[] = {0.7f, -0.3f, 0.0f};
  const float steepness[] = {1.0f, 100.0f, 0.01f};
  AdamConfig config;
  config.learning_rate = 0.02;
  AdamState state(3);
  std::vector<float> parameters = {0, 0, 0.5f};
  for (int i = 0; i < 2000; ++i) {
    std::vector<float> gradient(3);
    for (std::size_t j = 0; j < 3; ++j) gradient[j] = -2 * steepness[j] * (parameters[j] - top[j]);
    adam_ascend(config, state, gradient, parameters);
  }
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(parameters[j], top[j], 1e-3);
}

TEST(Adam, RemembersOnlyWhatItsStateHolds) {
  AdamState first(1);
  std::vector<float> a = {0};
  adam_ascend(AdamConfig(), first, std::vector{1.0f}, a);
  AdamState copy = first;
  std::vector<float> b = a;
  adam_ascend(AdamConfig(), first, std::vector{-0.3f}, a);
  adam_ascend(AdamConfig(), copy, std::vector{-0.3f}, b);
  EXPECT_EQ(a, b);
  EXPECT_EQ(first, copy);
  AdamState fresh(1);
  std::vector<float> c = {0};
  adam_ascend(AdamConfig(), fresh, std::vector{-0.3f}, c);
  EXPECT_NE(fresh, first);
}

// Written plainly, one parameter at a time.
TEST(Adam, GivesTheBitsOfItsDefinitionOnEveryTarget) {
  const AdamConfig config;
  for (const std::size_t count : {1u, 3u, 16u, 37u}) {
    for_each_simd_target([&](bool) {
      AdamState state(count);
      std::vector<float> parameters(count, 0.5f);
      std::vector<float> gradient(count);
      std::vector<float> mean(count);
      std::vector<float> square(count);
      std::vector<float> expected = parameters;
      for (int step = 1; step <= 3; ++step) {
        const auto rate = static_cast<float>(0.01 / (1 - std::pow(0.9, step)));
        const auto correction = static_cast<float>(1 / std::sqrt(1 - std::pow(0.999, step)));
        for (std::size_t i = 0; i < count; ++i) {
          const float g = std::sin(static_cast<float>(i) + static_cast<float>(7 * step));
          gradient[i] = g;
          mean[i] = 0.9f * mean[i] + static_cast<float>(1 - 0.9) * g;
          square[i] = 0.999f * square[i] + static_cast<float>(1 - 0.999) * (g * g);
          expected[i] += rate * mean[i] / (std::sqrt(square[i]) * correction + 1e-8f);
        }
        adam_ascend(config, state, gradient, parameters);
      }
      EXPECT_EQ(bits_of(parameters), bits_of(expected));
      EXPECT_EQ(bits_of(state.mean), bits_of(mean));
      EXPECT_EQ(bits_of(state.square), bits_of(square));
    });
  }
}

TEST(AdamState, StartsAtZero) {
  const AdamState state(4);
  EXPECT_THAT(state.mean, ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(state.square, ElementsAre(0, 0, 0, 0));
  EXPECT_EQ(state.steps, 0);
}

TEST(AdamConfig, TakesItsDefaults) { EXPECT_NO_THROW(AdamConfig().validate()); }

TEST(AdamConfig, RefusesValuesOutsideTheirRange) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto said = [](double AdamConfig::*field, double value) {
    AdamConfig config;
    config.*field = value;
    return message_of([&] { config.validate(); });
  };
  EXPECT_THAT(said(&AdamConfig::learning_rate, 0),
              AllOf(HasSubstr("learning_rate"), HasSubstr("above 0"), HasSubstr("got 0")));
  EXPECT_THAT(said(&AdamConfig::learning_rate, 11), AllOf(HasSubstr("learning_rate"), HasSubstr("got 11")));
  EXPECT_THAT(said(&AdamConfig::learning_rate, nan), HasSubstr("learning_rate"));
  EXPECT_THAT(said(&AdamConfig::beta1, 1), AllOf(HasSubstr("beta1"), HasSubstr("below 1"), HasSubstr("got 1")));
  EXPECT_THAT(said(&AdamConfig::beta1, -0.1), AllOf(HasSubstr("beta1"), HasSubstr("-0.1")));
  EXPECT_THAT(said(&AdamConfig::beta2, 1.5), AllOf(HasSubstr("beta2"), HasSubstr("1.5")));
  EXPECT_THAT(said(&AdamConfig::beta2, nan), HasSubstr("beta2"));
  EXPECT_THAT(said(&AdamConfig::epsilon, 0), AllOf(HasSubstr("epsilon"), HasSubstr("above 0")));
}

}  // namespace
}  // namespace aria
