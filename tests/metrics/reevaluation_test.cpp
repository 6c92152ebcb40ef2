#include "aria/metrics/reevaluation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <stdexcept>
#include <vector>

#include "aria/core/interval.hpp"
#include "aria/task/arm.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/quadratic_task.hpp"
#include "tests/support/threads.hpp"

namespace aria {
namespace {

using aria::testing::bits_of;
using aria::testing::for_each_thread_count;
using aria::testing::message_of;
using aria::testing::noisy_task;
using aria::testing::QuadraticConfig;
using aria::testing::QuadraticTask;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsNan;

Matrix random_solutions(const Task& task, std::size_t count) {
  Matrix solutions(count, task.info().parameters);
  for (std::size_t i = 0; i < count; ++i)
    task.initial_genotype(Key(1), static_cast<std::uint32_t>(i), solutions.row(i));
  return solutions;
}

ReevaluationConfig config_of(std::size_t reevaluations, std::size_t kept_samples = 0) {
  ReevaluationConfig config;
  config.reevaluations = reevaluations;
  config.kept_samples = kept_samples;
  return config;
}

// Each solution on its own, and its statistics in the plainest way.
void expect_like_brute_force(const Reevaluation& result, const std::shared_ptr<const Task>& task, const Grid& grid,
                             const Matrix& solutions, std::size_t samples, Key key) {
  ASSERT_EQ(result.size(), solutions.rows());
  EXPECT_EQ(result.samples, samples);
  LocalEvaluator evaluator(task);
  std::size_t failures = 0;
  for (std::size_t row = 0; row < solutions.rows(); ++row) {
    SampleRequest request;
    request.centres.append_row(solutions.row(row));
    request.ids = {static_cast<std::uint32_t>(row)};
    request.samples = samples;
    request.key = key;
    Evaluations evaluations;
    evaluator.evaluate(request, evaluations);
    const std::size_t m = grid.dimensions();
    double n = 0;
    std::vector<double> mean(m + 1);
    std::vector<double> square(m + 1);
    const auto value = [&](std::size_t i, std::size_t k) {
      return static_cast<double>(k == 0 ? evaluations.fitness[i] : evaluations.descriptors(i, k - 1));
    };
    for (std::size_t i = 0; i < samples; ++i) {
      if (std::isnan(evaluations.fitness[i])) continue;
      n += 1;
      for (std::size_t k = 0; k <= m; ++k) mean[k] += value(i, k);
    }
    ASSERT_GE(n, 2);
    for (double& x : mean) x /= n;
    std::vector<float> place(mean.begin() + 1, mean.end());
    const std::size_t cell = grid.cell_of(place);
    std::size_t hits = 0;
    for (std::size_t i = 0; i < samples; ++i) {
      if (std::isnan(evaluations.fitness[i])) continue;
      for (std::size_t k = 0; k <= m; ++k) square[k] += std::pow(value(i, k) - mean[k], 2);
      hits += grid.cell_of(evaluations.descriptors.row(i)) == cell ? 1 : 0;
    }
    double trace = 0;
    EXPECT_NEAR(result.objective_mean[row], mean[0], 1e-6);
    EXPECT_NEAR(result.objective_std[row], std::sqrt(square[0] / (n - 1)), 1e-6);
    for (std::size_t k = 0; k < m; ++k) {
      EXPECT_NEAR(result.measures_mean(row, k), mean[k + 1], 1e-6);
      EXPECT_NEAR(result.measures_std(row, k), std::sqrt(square[k + 1] / (n - 1)), 1e-6);
      trace += square[k + 1] / (n - 1);
    }
    EXPECT_NEAR(result.descriptor_variance[row], trace, 1e-8);
    EXPECT_EQ(result.index[row], static_cast<std::int32_t>(cell));
    EXPECT_EQ(result.non_finite[row], static_cast<std::int64_t>(samples) - static_cast<std::int64_t>(n));
    failures += samples - static_cast<std::size_t>(n);
    // a failure is out of the cell
    EXPECT_FLOAT_EQ(result.cell_probability[row], static_cast<float>(hits) / static_cast<float>(samples));
    EXPECT_FLOAT_EQ(result.cell_probability_lower[row], static_cast<float>(wilson_interval(hits, samples).lower));
    EXPECT_FLOAT_EQ(result.cell_probability_upper[row], static_cast<float>(wilson_interval(hits, samples).upper));
  }
  EXPECT_EQ(result.failures(), failures);
}

void expect_same_bytes(const Reevaluation& a, const Reevaluation& b) {
  EXPECT_EQ(bits_of(a.objective_mean), bits_of(b.objective_mean));
  EXPECT_EQ(bits_of(a.objective_std), bits_of(b.objective_std));
  EXPECT_EQ(bits_of(a.measures_mean.values()), bits_of(b.measures_mean.values()));
  EXPECT_EQ(bits_of(a.measures_std.values()), bits_of(b.measures_std.values()));
  EXPECT_EQ(bits_of(a.cell_probability), bits_of(b.cell_probability));
  EXPECT_EQ(a.index, b.index);
  EXPECT_EQ(a.non_finite, b.non_finite);
  EXPECT_EQ(bits_of(a.objective_samples), bits_of(b.objective_samples));
}

TEST(Reevaluate, AgreesWithBruteForceOnTheArm) {
  const auto task = std::make_shared<Arm>();
  const Grid grid(task->info().grid);
  const Matrix solutions = random_solutions(*task, 20);
  LocalEvaluator evaluator(task);
  const Reevaluation result = reevaluate(evaluator, grid, solutions, config_of(1024), Key(5));
  expect_like_brute_force(result, task, grid, solutions, 1024, Key(5));
  EXPECT_THAT(result.objective_samples, IsEmpty());
  EXPECT_TRUE(result.measures_samples.empty());
}

TEST(Reevaluate, AgreesWithBruteForceWhereSomeEvaluationsFail) {
  const auto task = noisy_task(0.1f, 0.2f, 0.25);
  const Grid grid(task->info().grid);
  const Matrix solutions = random_solutions(*task, 30);
  LocalEvaluator evaluator(task);
  const Reevaluation result = reevaluate(evaluator, grid, solutions, config_of(101), Key(5));
  expect_like_brute_force(result, task, grid, solutions, 101, Key(5));
  EXPECT_GT(result.failures(), 500u);
}

TEST(Reevaluate, AgreesWithBruteForceInOneAndInThreeDimensions) {
  for (const GridShape& shape : {GridShape{{6}, {-1}, {1}}, GridShape{{2, 3, 4}, {-1, -1, -1}, {1, 1, 1}}}) {
    QuadraticConfig config;
    config.grid = shape;
    config.descriptor_noise = 0.2f;
    const auto task = std::make_shared<QuadraticTask>(config);
    const Matrix solutions = random_solutions(*task, 10);
    LocalEvaluator evaluator(task);
    expect_like_brute_force(reevaluate(evaluator, Grid(shape), solutions, config_of(64), Key(6)), task, Grid(shape),
                            solutions, 64, Key(6));
  }
}

// So many evaluations per solution that several requests are made.
TEST(Reevaluate, DoesNotDependOnHowSolutionsAreSplitOverRequests) {
  constexpr std::size_t kSamples = 1 << 15;
  const auto task = std::make_shared<Arm>();
  const Grid grid(task->info().grid);
  const Matrix solutions = random_solutions(*task, 19);
  LocalEvaluator evaluator(task);
  std::vector<std::size_t> told;
  const Reevaluation result =
      reevaluate(evaluator, grid, solutions, config_of(kSamples), Key(5), [&](std::size_t evaluations) {
        told.push_back(evaluations);
        return true;
      });
  EXPECT_THAT(told, ElementsAre(0, 8 * kSamples, 16 * kSamples));
  expect_like_brute_force(result, task, grid, solutions, kSamples, Key(5));
}

TEST(Reevaluate, EndsEarlyWithTheSolutionsThatAreFinished) {
  constexpr std::size_t kSamples = 1 << 15;
  const auto task = std::make_shared<Arm>();
  const Grid grid(task->info().grid);
  const Matrix solutions = random_solutions(*task, 19);
  LocalEvaluator evaluator(task);
  const Reevaluation result = reevaluate(evaluator, grid, solutions, config_of(kSamples, kSamples), Key(5),
                                         [](std::size_t evaluations) { return evaluations < 8 * kSamples; });
  EXPECT_EQ(result.size(), 8u);
  EXPECT_EQ(result.measures_mean.rows(), 8u);
  EXPECT_EQ(result.index.size(), 8u);
  EXPECT_EQ(result.objective_samples.size(), 8 * kSamples);
  expect_like_brute_force(result, task, grid, Matrix(8, 8, {solutions.data(), solutions.data() + 64}), kSamples,
                          Key(5));
}

TEST(Reevaluate, TakesAnArchiveOfNothing) {
  LocalEvaluator evaluator(std::make_shared<Arm>());
  const Reevaluation result =
      reevaluate(evaluator, Grid({{4, 4}, {0, 0}, {1, 1}}), Matrix(0, 8), config_of(10), Key(1));
  EXPECT_EQ(result.size(), 0u);
  EXPECT_EQ(result.failures(), 0u);
}

TEST(Reevaluate, TakesASingleEvaluationForItsMean) {
  const auto task = std::make_shared<Arm>();
  const Grid grid(task->info().grid);
  const Matrix solutions = random_solutions(*task, 5);
  LocalEvaluator evaluator(task);
  const Reevaluation result = reevaluate(evaluator, grid, solutions, config_of(1, 1), Key(5));
  EXPECT_EQ(result.objective_mean, result.objective_samples);
  EXPECT_EQ(result.measures_mean, result.measures_samples);
  EXPECT_THAT(result.objective_std, Each(0.0f));
  EXPECT_THAT(result.cell_probability, Each(1.0f));
}

TEST(Reevaluate, KeepsEverySampleWhereItIsAskedTo) {
  const auto task = noisy_task(0.1f, 0.2f, 0.25);
  const Grid grid(task->info().grid);
  const Matrix solutions = random_solutions(*task, 6);
  LocalEvaluator evaluator(task);
  const Reevaluation result = reevaluate(evaluator, grid, solutions, config_of(50, SIZE_MAX), Key(5));
  SampleRequest request;
  request.centres = solutions;
  request.ids = {0, 1, 2, 3, 4, 5};
  request.samples = 50;
  request.key = Key(5);
  Evaluations evaluations;
  evaluator.evaluate(request, evaluations);
  EXPECT_EQ(bits_of(result.objective_samples), bits_of(evaluations.fitness));
  EXPECT_EQ(bits_of(result.measures_samples.values()), bits_of(evaluations.descriptors.values()));
  EXPECT_EQ(result.measures_samples.rows(), 300u);
}

TEST(Reevaluate, KeepsTheFirstSamplesOfEachSolution) {
  const auto task = std::make_shared<Arm>();
  const Grid grid(task->info().grid);
  const Matrix solutions = random_solutions(*task, 3);
  LocalEvaluator evaluator(task);
  const Reevaluation all = reevaluate(evaluator, grid, solutions, config_of(20, 20), Key(5));
  const Reevaluation some = reevaluate(evaluator, grid, solutions, config_of(20, 7), Key(5));
  EXPECT_EQ(all.kept_samples(), 20u);
  EXPECT_EQ(some.kept_samples(), 7u);
  EXPECT_EQ(some.objective_mean, all.objective_mean);
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t sample = 0; sample < 7; ++sample) {
      EXPECT_EQ(some.objective_samples[row * 7 + sample], all.objective_samples[row * 20 + sample]);
      EXPECT_EQ(some.measures_samples(row * 7 + sample, 1), all.measures_samples(row * 20 + sample, 1));
    }
  }
}

TEST(Reevaluate, LeavesASolutionThatAlwaysFailsWithoutACell) {
  QuadraticConfig config;
  config.before = [](std::uint32_t id, std::size_t) {
    if (id == 1) throw std::runtime_error("broken");
  };
  const auto task = std::make_shared<QuadraticTask>(config);
  const Grid grid(task->info().grid);
  LocalEvaluator evaluator(task);
  const Reevaluation result = reevaluate(evaluator, grid, random_solutions(*task, 3), config_of(20), Key(5));
  EXPECT_EQ(result.index[1], -1);
  EXPECT_EQ(result.non_finite[1], 20);
  EXPECT_EQ(result.failures(), 20u);
  EXPECT_THAT(result.objective_mean[1], IsNan());
  EXPECT_THAT(result.objective_std[1], IsNan());
  EXPECT_TRUE(std::isnan(result.descriptor_variance[1]));
  EXPECT_THAT(result.measures_mean.row(1), Each(IsNan()));
  EXPECT_THAT(result.measures_std.row(1), Each(IsNan()));
  EXPECT_EQ(result.cell_probability[1], 0.0f);
  EXPECT_EQ(result.cell_probability_lower[1], 0.0f);
  EXPECT_FLOAT_EQ(result.cell_probability_upper[1], static_cast<float>(wilson_interval(0, 20).upper));
  EXPECT_GE(result.index[0], 0);
  EXPECT_GE(result.index[2], 0);
}

TEST(Reevaluate, GivesTheSameBytesForEveryNumberOfThreadsAndOthersForAnotherSeed) {
  const auto task = std::make_shared<Arm>();
  const Grid grid(task->info().grid);
  const Matrix solutions = random_solutions(*task, 25);
  std::vector<Reevaluation> first;
  for_each_thread_count([&](std::size_t) {
    LocalEvaluator evaluator(task);
    const Reevaluation result = reevaluate(evaluator, grid, solutions, config_of(130), Key(5));
    if (first.empty()) first.push_back(result);
    expect_same_bytes(result, first.front());
  });
  LocalEvaluator evaluator(task);
  EXPECT_NE(reevaluate(evaluator, grid, solutions, config_of(130), Key(6)).objective_mean,
            first.front().objective_mean);
}

TEST(ReevaluationConfig, RefusesNumbersOutsideItsRange) {
  EXPECT_NO_THROW(ReevaluationConfig().validate());
  EXPECT_THAT(message_of([] { config_of(0).validate(); }),
              AllOf(HasSubstr("reevaluations"), HasSubstr("from 1 to 2^24"), HasSubstr("got 0")));
  LocalEvaluator evaluator(std::make_shared<Arm>());
  EXPECT_THAT(message_of([&] {
                reevaluate(evaluator, Grid({{4, 4}, {0, 0}, {1, 1}}), Matrix(1, 8), config_of((1u << 24) + 1), Key(1));
              }),
              AllOf(HasSubstr("reevaluations"), HasSubstr("16777217")));
}

TEST(Reevaluate, RefusesSolutionsOfAnotherLength) {
  LocalEvaluator evaluator(std::make_shared<Arm>());
  EXPECT_THAT(message_of([&] {
                reevaluate(evaluator, Grid({{4, 4}, {0, 0}, {1, 1}}), Matrix(2, 7), config_of(10), Key(1));
              }),
              AllOf(HasSubstr("genotype"), HasSubstr("8 parameters"), HasSubstr("got 7")));
}

}  // namespace
}  // namespace aria
