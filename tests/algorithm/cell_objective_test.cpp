#include "aria/algorithm/cell_objective.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
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

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kLargest = std::numeric_limits<float>::max();

TieredScores score(const CellObjective& objective, std::span<const float> fitness, MatrixView descriptors) {
  TieredScores scores;
  objective.score(fitness, descriptors, scores);
  return scores;
}

// Whether the first of two evaluations ranks above the second.
bool above(const TieredScores& scores, std::size_t a, std::size_t b) {
  return std::pair(scores.tier[a], scores.score[a]) > std::pair(scores.tier[b], scores.score[b]);
}

const Grid kPlane({{4, 4}, {0, 0}, {1, 1}});
constexpr std::size_t kCell = 5;  // 0.25 .. 0.5 in both coordinates, centroid (0.375, 0.375)

TEST(CellObjective, RanksInsideAboveOutsideAboveFailed) {
  // a failure; outside, very fit; inside, very unfit
  const std::vector<float> fitness = {kNaN, 1e30f, -1e30f};
  const Matrix descriptors(3, 2, {0.375f, 0.375f, 0.51f, 0.375f, 0.26f, 0.49f});
  for_each_simd_target([&](bool) {
    const TieredScores scores = score(CellObjective(kPlane, kCell, 0), fitness, descriptors);
    EXPECT_THAT(scores.tier, ElementsAre(kFailedTier, kOutsideTier, kInsideTier));
    EXPECT_TRUE(above(scores, 2, 1));
    EXPECT_TRUE(above(scores, 1, 0));
  });
}

TEST(CellObjective, RanksByFitnessInsideWhateverTheDistance) {
  const std::vector<float> fitness = {-3, -1, -2};
  const Matrix descriptors(3, 2, {0.375f, 0.375f, 0.26f, 0.26f, 0.4f, 0.4f});
  const TieredScores scores = score(CellObjective(kPlane, kCell, 0), fitness, descriptors);
  EXPECT_THAT(scores.score, ElementsAre(-3, -1, -2));
  EXPECT_THAT(scores.tier, Each(kInsideTier));
}

TEST(CellObjective, RanksByDistanceOutsideWhateverTheFitness) {
  const std::vector<float> fitness = {100, -100, 0, 5};
  const Matrix descriptors(4, 2, {1, 1, 0.375f, 0.55f, 0.1f, 0.375f, 1e25f, 0});
  const TieredScores scores = score(CellObjective(kPlane, kCell, 0), fitness, descriptors);
  EXPECT_THAT(scores.tier, Each(kOutsideTier));
  EXPECT_TRUE(above(scores, 1, 2));
  EXPECT_TRUE(above(scores, 2, 0));
  EXPECT_TRUE(above(scores, 0, 3));
  EXPECT_EQ(scores.score[3], -kLargest);
}

TEST(CellObjective, TakesABorderForOutside) {
  const std::vector<float> fitness(6);
  const Matrix descriptors(6, 2,
                           {0.25f, 0.375f, 0.5f, 0.375f, 0.375f, 0.25f, 0.375f, 0.5f,  // on each border
                            std::nextafter(0.25f, 1.0f), 0.375f, 0.375f, std::nextafter(0.5f, 0.0f)});
  for_each_simd_target([&](bool) {
    const TieredScores scores = score(CellObjective(kPlane, kCell, 0), fitness, descriptors);
    EXPECT_THAT(scores.tier,
                ElementsAre(kOutsideTier, kOutsideTier, kOutsideTier, kOutsideTier, kInsideTier, kInsideTier));
  });
}

// --- Against a plain reference -------------------------------------------------------------------------------------

// Sizes around the length of a vector, dimensions that take the fast way and others.
TEST(CellObjective, AgreesWithAPlainReferenceOnEveryTarget) {
  const std::vector<Grid> grids = {Grid({{5}, {-1}, {1}}), Grid({{4, 6}, {-1, -1}, {1, 1}}),
                                   Grid({{3, 2, 3}, {-1, -1, -1}, {1, 1, 1}})};
  for (const Grid& grid : grids) {
    const std::size_t m = grid.dimensions();
    for (const std::size_t n : {1u, 3u, 15u, 16u, 17u, 31u, 63u, 64u, 65u, 130u}) {
      SCOPED_TRACE(::testing::Message() << m << " dimensions, " << n << " evaluations");
      std::mt19937 random(static_cast<std::uint32_t>(n));
      std::uniform_real_distribution<float> uniform(-1.2f, 1.2f);
      const std::size_t cell = random() % grid.cells();
      const std::vector<float> centroid = grid.centroid(cell);
      std::vector<float> fitness(n);
      Matrix descriptors(n, m);
      for (std::size_t i = 0; i < n; ++i) {
        fitness[i] = random() % 5 == 0 ? kNaN : uniform(random);
        // half of them near the cell
        const bool near = random() % 2 == 0;
        for (std::size_t k = 0; k < m; ++k) {
          descriptors(i, k) = near ? centroid[k] + 0.3f * uniform(random) : uniform(random);
        }
      }
      std::vector<std::uint32_t> fused_bits;
      for_each_simd_target([&](bool fused) {
        const TieredScores scores = score(CellObjective(grid, cell, 0), fitness, descriptors);
        ASSERT_EQ(scores.size(), n);
        for (std::size_t i = 0; i < n; ++i) {
          if (std::isnan(fitness[i])) {
            EXPECT_EQ(scores.tier[i], kFailedTier);
          } else if (grid.strictly_inside(cell, descriptors.row(i))) {
            EXPECT_EQ(scores.tier[i], kInsideTier);
            EXPECT_EQ(scores.score[i], fitness[i]);
          } else {
            EXPECT_EQ(scores.tier[i], kOutsideTier);
            double squared = 0;
            for (std::size_t k = 0; k < m; ++k) {
              squared += std::pow(static_cast<double>(descriptors(i, k)) - static_cast<double>(centroid[k]), 2);
            }
            EXPECT_NEAR(scores.score[i], -squared, 1e-6);
          }
          EXPECT_TRUE(std::isfinite(scores.score[i]));
        }
        if (!fused) return;
        if (fused_bits.empty()) fused_bits = bits_of(scores.score);
        EXPECT_EQ(bits_of(scores.score), fused_bits);
      });
    }
  }
}

// --- Resolution ----------------------------------------------------------------------------------------------------

TEST(CellObjective, ComparesFitnessInMultiplesOfTheResolution) {
  const std::vector<float> fitness = {0.01f, 0.03f, 0.04f, -0.03f, -0.04f, 0.0625f, 1.0f};
  Matrix descriptors(7, 2);
  for (float& d : descriptors.view().values()) d = 0.375f;
  for_each_simd_target([&](bool) {
    const TieredScores scores = score(CellObjective(kPlane, kCell, 0.0625), fitness, descriptors);
    EXPECT_THAT(scores.score, ElementsAre(0, 0, 1, 0, -1, 1, 16));
    EXPECT_THAT(scores.tier, Each(kInsideTier));
  });
}

TEST(CellObjective, DoesNotRoundDistances) {
  const std::vector<float> fitness(2);
  const Matrix descriptors(2, 2, {0.6f, 0.375f, 0.601f, 0.375f});
  const TieredScores scores = score(CellObjective(kPlane, kCell, 10), fitness, descriptors);
  EXPECT_TRUE(above(scores, 0, 1));
}

TEST(CellObjective, HasFiniteScoresWhateverTheResolution) {
  const std::vector<float> fitness = {0, -0.0f, kLargest, -kLargest, 1e-40f, 1, kNaN};
  Matrix descriptors(7, 2);
  for (float& d : descriptors.view().values()) d = 0.375f;
  for (const double resolution : {1e-6, 1e-30, 1e-38, 1e30}) {
    for (const float s : score(CellObjective(kPlane, kCell, resolution), fitness, descriptors).score) {
      EXPECT_TRUE(std::isfinite(s)) << "resolution " << resolution;
    }
  }
}

// --- The Linear RIM ------------------------------------------------------------------------------------------------

TieredScores score(const LinearObjective& objective, std::span<const float> fitness, MatrixView descriptors) {
  TieredScores scores;
  objective.score(fitness, descriptors, scores);
  return scores;
}

TEST(LinearObjective, WeighsFitnessAgainstDistanceWhetherInsideOrNot) {
  // a fitness range of 10 and a distance range of 1: at equal weights, 5 of fitness are worth 0.5 of distance
  const LinearObjective objective(kPlane, kCell, {0.5, {-10, 0}, {0, 1}});
  const std::vector<float> fitness = {-5, 0, -0.1f};
  const Matrix descriptors(3, 2, {0.375f, 0.375f, 0.375f, 0.875f, 0.375f, 0.875f});
  const TieredScores scores = score(objective, fitness, descriptors);
  EXPECT_THAT(scores.tier, Each(kInsideTier));
  EXPECT_NEAR(scores.score[0], scores.score[1], 1e-7);
  EXPECT_TRUE(above(scores, 0, 2));
}

TEST(LinearObjective, IsFitnessOrDistanceAloneAtTheEnds) {
  const std::vector<float> fitness = {-1, -2, -3};
  const Matrix descriptors(3, 2, {0, 0, 0.3f, 0.3f, 0.375f, 0.375f});
  const TieredScores fit = score(LinearObjective(kPlane, kCell, {1, {-4, 0}, {0, 1}}), fitness, descriptors);
  EXPECT_THAT(fit.score, ElementsAre(-0.25f, -0.5f, -0.75f));
  const TieredScores near = score(LinearObjective(kPlane, kCell, {0, {-4, 0}, {0, 2}}), fitness, descriptors);
  EXPECT_TRUE(above(near, 2, 1));
  EXPECT_TRUE(above(near, 1, 0));
  EXPECT_FLOAT_EQ(near.score[0], -std::sqrt(2.0f) * 0.375f / 2);
}

TEST(LinearObjective, AgreesWithAPlainReferenceOnEveryTarget) {
  const std::vector<Grid> grids = {Grid({{5}, {-1}, {1}}), Grid({{4, 6}, {-1, -1}, {1, 1}}),
                                   Grid({{3, 2, 3}, {-1, -1, -1}, {1, 1, 1}})};
  const LinearConfig config{0.3, {-150, 100}, {0, 30}};
  for (const Grid& grid : grids) {
    const std::size_t m = grid.dimensions();
    for (const std::size_t n : {1u, 3u, 15u, 16u, 17u, 31u, 63u, 64u, 65u, 130u}) {
      SCOPED_TRACE(::testing::Message() << m << " dimensions, " << n << " evaluations");
      std::mt19937 random(static_cast<std::uint32_t>(n));
      std::uniform_real_distribution<float> uniform(-20, 20);
      const std::size_t cell = random() % grid.cells();
      const std::vector<float> centroid = grid.centroid(cell);
      std::vector<float> fitness(n);
      Matrix descriptors(n, m);
      for (float& f : fitness) f = random() % 5 == 0 ? kNaN : 5 * uniform(random);
      for (float& d : descriptors.view().values()) d = uniform(random);
      std::vector<std::uint32_t> fused_bits;
      for_each_simd_target([&](bool fused) {
        const TieredScores scores = score(LinearObjective(grid, cell, config), fitness, descriptors);
        ASSERT_EQ(scores.size(), n);
        for (std::size_t i = 0; i < n; ++i) {
          if (std::isnan(fitness[i])) {
            EXPECT_EQ(scores.tier[i], kFailedTier);
            EXPECT_EQ(scores.score[i], 0);
            continue;
          }
          EXPECT_EQ(scores.tier[i], kInsideTier);
          double squared = 0;
          for (std::size_t k = 0; k < m; ++k) {
            squared += std::pow(static_cast<double>(descriptors(i, k)) - static_cast<double>(centroid[k]), 2);
          }
          // the published sum, less what is the same for all
          const double fitness_part = 0.3 * (static_cast<double>(fitness[i]) + 150) / 250;
          const double distance_part = 0.7 * (30 - std::sqrt(squared)) / 30;
          EXPECT_NEAR(scores.score[i], fitness_part + distance_part - (0.3 * 150 / 250 + 0.7), 1e-6);
        }
        if (!fused) return;
        if (fused_bits.empty()) fused_bits = bits_of(scores.score);
        EXPECT_EQ(bits_of(scores.score), fused_bits);
      });
    }
  }
}

TEST(LinearObjective, StaysFiniteWithExtremeFitnessAndDistance) {
  const std::vector<float> fitness = {kLargest, -kLargest, 0, kNaN, kLargest};
  const Matrix descriptors(5, 2, {0, 0, kLargest, kLargest, -kLargest, 0, kNaN, kNaN, kLargest, -kLargest});
  for_each_simd_target([&](bool) {
    for (const double weight : {0.0, 0.5, 1.0}) {
      const TieredScores scores =
          score(LinearObjective(kPlane, kCell, {weight, {0, 1e-3}, {0, 1e-3}}), fitness, descriptors);
      for (const float s : scores.score) EXPECT_TRUE(std::isfinite(s)) << weight;
      EXPECT_EQ(scores.tier[3], kFailedTier);
    }
  });
}

TEST(LinearConfig, RefusesAWeightOrARangeThatIsNone) {
  const auto said = [](const LinearConfig& config) { return message_of([&] { config.validate(); }); };
  EXPECT_THAT(said({1.5, {0, 1}, {0, 1}}), AllOf(HasSubstr("fitness_weight"), HasSubstr("got 1.5")));
  EXPECT_THAT(said({0.5, {1, 1}, {0, 1}}), HasSubstr("fitness range"));
  EXPECT_THAT(said({0.5, {0, 1}, {2, 1}}), AllOf(HasSubstr("distance range"), HasSubstr("got -1")));
  EXPECT_NO_THROW((LinearConfig{0, {-1, 0}, {0, 1}}.validate()));
}

// --- Fitness alone -------------------------------------------------------------------------------------------------

TEST(ScoreByFitness, RanksByFitnessAndPutsFailuresLast) {
  TieredScores scores;
  score_by_fitness(std::vector{3.0f, kNaN, -1e30f}, scores);
  EXPECT_EQ(scores.score[0], 3.0f);
  EXPECT_TRUE(above(scores, 0, 2));
  EXPECT_TRUE(above(scores, 2, 1));
  EXPECT_TRUE(std::isfinite(scores.score[1]));
}

TEST(ScoreByFitness, FitsItsMemoryToTheEvaluations) {
  TieredScores scores;
  score_by_fitness(std::vector<float>(100), scores);
  score_by_fitness(std::vector<float>(3), scores);
  EXPECT_EQ(scores.size(), 3u);
  EXPECT_EQ(scores.tier.size(), 3u);
}

}  // namespace
}  // namespace aria
