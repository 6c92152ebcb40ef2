// Slopes learnt from mirrored samples, and the step that is made of them.
#include "aria/optim/slopes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "aria/core/draws.hpp"
#include "aria/optim/cholesky.hpp"
#include "aria/optim/gauss_newton.hpp"

namespace aria {
namespace {

constexpr double kSigma = 0.1;
constexpr std::uint32_t kId = 7;

// What pairs around a solution show of a linear function.
Matrix differences_of(const Matrix& truth, std::size_t pairs, Key key) {
  Matrix differences(pairs, truth.rows());
  for (std::size_t p = 0; p < pairs; ++p) {
    for (std::size_t o = 0; o < truth.rows(); ++o) {
      double sum = 0;
      for (std::size_t j = 0; j < truth.columns(); ++j) {
        sum += double{truth(o, j)} * double{normal(key, Purpose::kPerturbation, kId, static_cast<std::uint32_t>(p),
                                                   static_cast<std::uint32_t>(j))};
      }
      differences(p, o) = static_cast<float>(kSigma * sum);
    }
  }
  return differences;
}

Matrix some_slopes(std::size_t parameters) {
  Matrix slopes(2, parameters);
  for (std::size_t j = 0; j < parameters; ++j) {
    slopes(0, j) = static_cast<float>(j) - 2;
    slopes(1, j) = 1.0f / static_cast<float>(j + 1);
  }
  return slopes;
}

double squared_error(const Matrix& a, const Matrix& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.values().size(); ++i) sum += std::pow(double{a.values()[i]} - double{b.values()[i]}, 2);
  return sum;
}

TEST(Slopes, AreThoseOfALinearFunctionFromMorePairsThanParameters) {
  for (const std::size_t parameters : {1, 5, 8, 13}) {
    const Matrix truth = some_slopes(parameters);
    const Matrix differences = differences_of(truth, 32, Key(3));
    const std::vector<std::uint8_t> usable(32, 1);
    Matrix slopes(2, parameters);
    update_slopes({Key(3), kId, kSigma, differences, usable}, 1e-9, slopes.view());
    EXPECT_LT(squared_error(slopes, truth), 1e-6) << parameters;
  }
}

TEST(Slopes, LeavePairsOutThatAreNotUsable) {
  const Matrix truth = some_slopes(4);
  Matrix differences = differences_of(truth, 16, Key(3));
  std::vector<std::uint8_t> usable(16, 1);
  differences(5, 0) = 1e6f;
  usable[5] = 0;
  Matrix slopes(2, 4);
  update_slopes({Key(3), kId, kSigma, differences, usable}, 1e-9, slopes.view());
  EXPECT_LT(squared_error(slopes, truth), 1e-6);
  Matrix untouched = truth;
  update_slopes({Key(3), kId, kSigma, differences, std::vector<std::uint8_t>(16, 0)}, 1, untouched.view());
  EXPECT_EQ(untouched, truth);
}

TEST(Slopes, MoveTheLessTheMoreWhatWasKnownCountsFor) {
  const Matrix truth = some_slopes(6);
  const Matrix differences = differences_of(truth, 12, Key(3));
  const std::vector<std::uint8_t> usable(12, 1);
  double before = squared_error(Matrix(2, 6), truth);
  for (const double memory : {1000.0, 30.0, 1.0}) {
    Matrix slopes(2, 6);
    update_slopes({Key(3), kId, kSigma, differences, usable}, memory, slopes.view());
    EXPECT_LT(squared_error(slopes, truth), before);
    before = squared_error(slopes, truth);
  }
}

// Where the closed form stands in for the matrix: from few pairs at a time, remembered, slopes come out right too.
TEST(Slopes, AreLearntLittleByLittleWithManyParameters) {
  constexpr std::size_t kParameters = 400;
  Matrix truth(1, kParameters);
  for (std::size_t j = 0; j < kParameters; ++j) truth(0, j) = j % 3 == 0 ? 1.0f : -0.5f;
  Matrix slopes(1, kParameters);
  const std::vector<std::uint8_t> usable(16, 1);
  const double first = squared_error(slopes, truth);
  for (std::uint64_t step = 0; step < 200; ++step) {
    const Matrix differences = differences_of(truth, 16, Key(step));
    update_slopes({Key(step), kId, kSigma, differences, usable}, 1, slopes.view());
  }
  EXPECT_LT(squared_error(slopes, truth), 1e-3 * first);
}

TEST(Cholesky, SolvesASystem) {
  std::vector<double> matrix = {4, 0, 0, 2, 5, 0, 1, 3, 6};  // the lower triangle counts
  cholesky(matrix, 3);
  std::vector<double> values = {4 * 1 + 2 * 2 + 1 * 3, 2 * 1 + 5 * 2 + 3 * 3, 1 * 1 + 3 * 2 + 6 * 3};
  cholesky_solve(matrix, values);
  EXPECT_NEAR(values[0], 1, 1e-12);
  EXPECT_NEAR(values[1], 2, 1e-12);
  EXPECT_NEAR(values[2], 3, 1e-12);
}

TEST(GaussNewtonStep, ReachesWhatIsMissingAndClimbsWhereThatChangesNothing) {
  // fitness rises along all three parameters, the descriptor along the first two
  const Matrix slopes(3, 3, {1, 1, 1, 2, 0, 0, 0, 4, 0});
  const std::vector<double> missing = {0.2, -0.4};
  const std::vector<double> scale = {0.5, 0.1};
  std::vector<float> step(3);
  const double slope = gauss_newton_step(slopes, missing, scale, {.damping = 0, .radius = 10, .climb = 0.3}, step);
  EXPECT_NEAR(step[0], 0.1, 1e-4);
  EXPECT_NEAR(step[1], -0.1, 1e-4);
  EXPECT_NEAR(step[2], 0.3, 1e-4);
  EXPECT_NEAR(slope, 1, 1e-4);
}

TEST(GaussNewtonStep, IsNoLongerThanAllowedAndShorterWithDamping) {
  const Matrix slopes(2, 2, {0, 1, 2, 0});
  const std::vector<double> missing = {8};
  const std::vector<double> scale = {1};
  std::vector<float> step(2);
  gauss_newton_step(slopes, missing, scale, {.damping = 0, .radius = 0.5, .climb = 0}, step);
  EXPECT_NEAR(step[0], 0.5, 1e-6);
  gauss_newton_step(slopes, missing, scale, {.damping = 1, .radius = 100, .climb = 0}, step);
  EXPECT_NEAR(step[0], 2, 1e-4);  // half of 4
}

TEST(GaussNewtonStep, IsFiniteWhereThereAreNoSlopes) {
  const Matrix slopes(2, 2);
  std::vector<float> step(2);
  const std::vector<double> one = {1};
  EXPECT_EQ(gauss_newton_step(slopes, one, one, {.damping = 0.01, .radius = 1, .climb = 1}, step), 0);
  EXPECT_EQ(step, (std::vector<float>{0, 0}));
}

}  // namespace
}  // namespace aria
