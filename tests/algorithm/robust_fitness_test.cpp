#include "aria/algorithm/robust_fitness.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "aria/task/arm.hpp"
#include "tests/support/messages.hpp"

namespace aria {
namespace {

using aria::testing::message_of;
using ::testing::AllOf;
using ::testing::HasSubstr;

TaskInfo wide_task() {
  TaskInfo info;
  info.fitness_range = {-150, 100};
  info.distance_range = {0, 30};
  return info;
}

TEST(RobustFitness, WeighsTheNormalisedFitnessAgainstTheNormalisedVariance) {
  const RobustFitness fitness(0.25, wide_task());
  EXPECT_DOUBLE_EQ(fitness(-150, 0), 0);
  EXPECT_DOUBLE_EQ(fitness(100, 0), 0.25);
  EXPECT_DOUBLE_EQ(fitness(-150, 900), -0.75);
  EXPECT_DOUBLE_EQ(fitness(-25, 90), 0.25 * 0.5 - 0.75 * 0.1);
}

TEST(RobustFitness, IsFitnessOrSteadinessAloneAtTheEnds) {
  EXPECT_DOUBLE_EQ(RobustFitness(1, Arm().info())(-0.25, 7), 0.75);
  EXPECT_DOUBLE_EQ(RobustFitness(0, Arm().info())(-0.25, 7), -7);
}

TEST(RobustFitness, RefusesAWeightOrARangeThatIsNone) {
  EXPECT_THAT(message_of([] { RobustFitness(-0.1, wide_task()); }),
              AllOf(HasSubstr("fitness_weight"), HasSubstr("from 0 to 1"), HasSubstr("got -0.1")));
  EXPECT_THAT(message_of([] { RobustFitness(1.1, wide_task()); }), HasSubstr("got 1.1"));
  EXPECT_THAT(message_of([] { RobustFitness(std::numeric_limits<double>::quiet_NaN(), wide_task()); }),
              HasSubstr("fitness_weight"));
  TaskInfo flat = wide_task();
  flat.fitness_range = {1, 1};
  EXPECT_THAT(message_of([&] { RobustFitness(0.5, flat); }), HasSubstr("fitness range"));
  flat = wide_task();
  flat.distance_range = {1, 0};
  EXPECT_THAT(message_of([&] { RobustFitness(0.5, flat); }), AllOf(HasSubstr("distance range"), HasSubstr("got -1")));
}

}  // namespace
}  // namespace aria
