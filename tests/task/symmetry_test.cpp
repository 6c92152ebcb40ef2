// Symmetries of tasks: maps are what they say, form groups, and what a mapped solution does is what the solution does,
// mapped, as far as distributions go.
#include "aria/task/symmetry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "aria/evaluation/evaluator.hpp"
#include "aria/policy/initial_policy.hpp"
#include "aria/task/ant.hpp"
#include "aria/task/arm.hpp"
#include "aria/task/walker.hpp"
#include "tests/support/kolmogorov_smirnov.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/quadratic_task.hpp"
#include "tests/support/sanitised.hpp"

namespace aria {
namespace {

using aria::testing::by_build;
using aria::testing::kolmogorov_smirnov_p;
using aria::testing::message_of;
using ::testing::HasSubstr;

std::vector<float> image_of(const SignedMap& map, const std::vector<float>& in) {
  std::vector<float> out(in.size());
  map.apply(in, out);
  return out;
}

bool same_map(const SignedMap& a, const SignedMap& b) {
  std::vector<float> values(a.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.25f * static_cast<float>(i + 1);
  const std::vector<float> left = image_of(a, values);
  const std::vector<float> right = image_of(b, values);
  return std::ranges::equal(left, right, [](float x, float y) { return std::abs(x - y) < 1e-4f; });
}

TEST(SignedMap, MovesTurnsAndShifts) {
  const SignedMap map{{2, 0, 1}, {1, -1, 1}, {0, 10, 0}};
  EXPECT_EQ(image_of(map, {1, 2, 3}), (std::vector<float>{3, 9, 2}));
  EXPECT_EQ(image_of(unchanged(3), {1, 2, 3}), (std::vector<float>{1, 2, 3}));
  const SignedMap other{{1, 2, 0}, {-1, 1, 1}, {}};
  EXPECT_EQ(image_of(composed(map, other), {1, 2, 3}), image_of(other, image_of(map, {1, 2, 3})));
  EXPECT_EQ(image_of(composed(other, map), {1, 2, 3}), image_of(map, image_of(other, {1, 2, 3})));
}

TEST(SignedMap, IsCheckedWhereAUserGivesIt) {
  const auto fault = [](const SignedMap& map) { return message_of([&] { map.check(2, "the map"); }); };
  unchanged(2).check(2, "the map");
  EXPECT_THAT(fault(unchanged(3)), HasSubstr("the map must be 2 numbers long, got 3"));
  EXPECT_THAT(fault({{0, 0}, {1, 1}, {}}), HasSubstr("a permutation"));
  EXPECT_THAT(fault({{0, 2}, {1, 1}, {}}), HasSubstr("a permutation"));
  EXPECT_THAT(fault({{0, 1}, {1, 2}, {}}), HasSubstr("1 or -1, got 2"));
  EXPECT_THAT(fault({{0, 1}, {1}, {}}), HasSubstr("one sign for each number"));
  EXPECT_THAT(fault({{0, 1}, {1, 1}, {0}}), HasSubstr("offsets"));
}

// By hand: a policy without hidden layers, and one with a hidden layer.
TEST(PolicyMap, MovesRowsOfTheFirstLayerAndColumnsOfTheLast) {
  const SignedMap observations{{1, 0}, {1, -1}, {}};
  const SignedMap actions{{1, 0}, {-1, 1}, {}};
  // W = (a b; c d), then the biases e f
  EXPECT_EQ(image_of(policy_map({{2, 2}}, observations, actions), {1, 2, 3, 4, 5, 6}),
            (std::vector<float>{-4, 3, 2, -1, -6, 5}));
  // one unit between them: W1 = (1; 2), b1 = 3, W2 = (4 5), b2 = (6 7)
  EXPECT_EQ(image_of(policy_map({{2, 1, 2}}, observations, actions), {1, 2, 3, 4, 5, 6, 7}),
            (std::vector<float>{2, -1, 3, -5, 4, -7, 6}));
}

struct Case {
  const char* name;
  std::shared_ptr<const Task> task;
  std::size_t symmetries;
};

std::vector<Case> cases() {
  return {{"arm", std::make_shared<Arm>(), 1}, {"ant", make_ant({}), 7}, {"walker", make_walker({}), 1}};
}

TEST(Symmetries, AreAsManyAsTheTaskHasAndFormAGroup) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    std::vector<TaskSymmetry> all = c.task->symmetries();
    ASSERT_EQ(all.size(), c.symmetries);
    for (const TaskSymmetry& symmetry : all) {
      symmetry.genotype.check(c.task->info().parameters, "the genotype's map");
      symmetry.descriptor.check(c.task->info().descriptor_size(), "the descriptor's map");
    }
    all.push_back({"nothing", unchanged(c.task->info().parameters), unchanged(c.task->info().descriptor_size())});
    for (const TaskSymmetry& first : all) {
      for (const TaskSymmetry& second : all) {
        const SignedMap genotype = composed(first.genotype, second.genotype);
        const SignedMap descriptor = composed(first.descriptor, second.descriptor);
        // both maps lead to one and the same element
        const auto found = std::ranges::count_if(all, [&](const TaskSymmetry& third) {
          return same_map(third.genotype, genotype) && same_map(third.descriptor, descriptor);
        });
        EXPECT_EQ(found, 1) << first.name << " then " << second.name;
      }
    }
  }
  EXPECT_TRUE(testing::QuadraticTask().symmetries().empty());
}

TEST(Symmetries, ThatFollowFromAFewAreFound) {
  const SignedMap turn{{1, 0}, {-1, 1}, {}};
  const SignedMap mirror{{0, 1}, {1, -1}, {0, 1}};  // about 1/2
  EXPECT_TRUE(generated_by({}).empty());
  EXPECT_EQ(generated_by({{"turn", turn, turn}}).size(), 3u);
  EXPECT_EQ(generated_by({{"mirror", unchanged(2), mirror}}).size(), 1u);
  EXPECT_EQ(generated_by({{"nothing", unchanged(2), unchanged(2)}}).size(), 0u);
  // an ant has eight with doing nothing: they follow from a quarter turn and a mirror, and nothing more follows from
  // all
  const std::vector<TaskSymmetry> all = make_ant({})->symmetries();
  EXPECT_EQ(generated_by(all).size(), 7u);
  std::size_t most = 0;
  for (const TaskSymmetry& a : all) {
    for (const TaskSymmetry& b : all) most = std::max(most, generated_by({a, b}).size());
  }
  EXPECT_EQ(most, 7u);
  // a turn about one place and a mirror about another go on for ever
  EXPECT_THAT(message_of([&] {
                generated_by({{"turn", turn, turn}, {"mirror", mirror, mirror}});
              }),
              HasSubstr("the symmetries of a task must be 1024 at the most"));
}

// Results of a solution, and of its image with another seed; descriptors of the former mapped.
void expect_alike(const Task& task, const std::shared_ptr<const Task>& shared, const TaskSymmetry& symmetry,
                  std::uint32_t policy, std::size_t samples) {
  SampleRequest request;
  request.centres = Matrix(1, task.info().parameters);
  request.ids = {policy};
  request.samples = samples;
  request.key = Key(11);
  task.initial_genotype(Key(policy), policy, request.centres.row(0));
  SampleRequest image = request;
  image.key = Key(12);
  symmetry.genotype.apply(request.centres.row(0), image.centres.row(0));
  LocalEvaluator evaluator(shared);
  Evaluations own;
  Evaluations mirrored;
  evaluator.evaluate(request, own);
  evaluator.evaluate(image, mirrored);
  const auto doubles = [](const std::vector<float>& values) {
    return std::vector<double>(values.begin(), values.end());
  };
  EXPECT_GT(kolmogorov_smirnov_p(doubles(own.fitness), doubles(mirrored.fitness)), 1e-4) << symmetry.name << " fitness";
  std::vector<float> mapped(task.info().descriptor_size());
  for (std::size_t k = 0; k < mapped.size(); ++k) {
    std::vector<double> expected;
    std::vector<double> found;
    for (std::size_t i = 0; i < samples; ++i) {
      symmetry.descriptor.apply(own.descriptors.row(i), mapped);
      expected.push_back(double{mapped[k]});
      found.push_back(double{mirrored.descriptors(i, k)});
    }
    EXPECT_GT(kolmogorov_smirnov_p(expected, found), 1e-4) << symmetry.name << " coordinate " << k;
  }
}

TEST(Symmetries, MapResultsAsTheySay) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    for (const TaskSymmetry& symmetry : c.task->symmetries()) {
      for (std::uint32_t policy = 1; policy <= 2; ++policy)
        expect_alike(*c.task, c.task, symmetry, policy, by_build(1024, 256));
    }
  }
}

// The test above can fail: it does where a map is not one.
TEST(Symmetries, OfOneRobotAreNotMetByAnyMap) {
  const auto ant = make_ant({});
  const std::vector<TaskSymmetry> all = ant->symmetries();
  TaskSymmetry wrong = all[0];
  wrong.descriptor = all[1].descriptor;
  ::testing::TestPartResultArray failures;
  {
    const ::testing::ScopedFakeTestPartResultReporter reporter(
        ::testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &failures);
    expect_alike(*ant, ant, wrong, 1, 256);
  }
  EXPECT_GT(failures.size(), 0);
}

}  // namespace
}  // namespace aria
