#include "aria/algorithm/variation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "aria/core/draws.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/simd_targets.hpp"
#include "tests/support/threads.hpp"

namespace aria {
namespace {

using aria::testing::bits_of;
using aria::testing::for_each_simd_target;
using aria::testing::for_each_thread_count;

// Elites in cells 0 .. count - 1, elite i with the genotype (i, i^2, 1, i, i^2, 1, ...).
Archive archive_of(std::size_t count, std::size_t parameters) {
  Archive archive(Grid({{count}, {0}, {static_cast<double>(count)}}), parameters);
  Matrix genotypes(count, parameters);
  Matrix descriptors(count, 1);
  const std::vector<float> fitness(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = static_cast<float>(i);
    descriptors(i, 0) = number + 0.5f;
    for (std::size_t j = 0; j < parameters; ++j) {
      genotypes(i, j) = j % 3 == 0 ? number : j % 3 == 1 ? number * number : 1;
    }
  }
  archive.insert(genotypes, fitness, descriptors);
  return archive;
}

Matrix offspring_of(const Archive& archive, double iso, double line, Key key, std::size_t count) {
  Matrix offspring(count, archive.parameters());
  iso_line_variation(archive, iso, line, key, offspring.view());
  return offspring;
}

TEST(IsoLineVariation, CopiesElitesUniformlyWhereBothNoisesAreZero) {
  const Archive archive = archive_of(5, 4);
  const Matrix offspring = offspring_of(archive, 0, 0, Key(1), 10'000);
  std::map<float, int> counts;
  for (std::size_t i = 0; i < offspring.rows(); ++i) {
    const float parent = offspring(i, 0);
    ASSERT_EQ(offspring(i, 1), parent * parent);
    ASSERT_EQ(offspring(i, 3), parent);
    ++counts[parent];
  }
  EXPECT_EQ(counts.size(), 5u);
  // a standard deviation is 40
  for (const auto& [parent, count] : counts) EXPECT_NEAR(count, 2000, 200) << parent;
}

TEST(IsoLineVariation, AddsIndependentNoiseToEveryParameter) {
  const Archive archive = archive_of(1, 2);
  constexpr std::size_t kCount = 20'000;
  const Matrix offspring = offspring_of(archive, 0.01, 0.1, Key(1), kCount);
  // with one elite both parents are the same, and the line has no length
  double sums[2] = {};
  double squares[2] = {};
  double product = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      const double x = static_cast<double>(offspring(i, j)) / 0.01;
      sums[j] += x;
      squares[j] += x * x;
    }
    product += static_cast<double>(offspring(i, 0)) * static_cast<double>(offspring(i, 1)) / 1e-4;
  }
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_NEAR(sums[j] / kCount, 0, 0.036);
    EXPECT_NEAR(squares[j] / kCount, 1, 0.05);
  }
  EXPECT_NEAR(product / kCount, 0, 0.036);
}

TEST(IsoLineVariation, StepsAlongTheLineThroughBothParents) {
  Archive archive(Grid({{2}, {0}, {2}}), 3);
  archive.insert(Matrix(2, 3, {0, 0, 0, 1, 2, -4}), std::vector<float>{0, 0}, Matrix(2, 1, {0.5f, 1.5f}));
  const Matrix offspring = offspring_of(archive, 0, 0.1, Key(1), 4000);
  double squares = 0;
  int moved = 0;
  for (std::size_t i = 0; i < offspring.rows(); ++i) {
    // one scalar for all parameters
    EXPECT_NEAR(offspring(i, 1), 2 * offspring(i, 0), 1e-6);
    EXPECT_NEAR(offspring(i, 2), -4 * offspring(i, 0), 2e-6);
    const double from_parent = std::abs(offspring(i, 0)) < 0.5f ? offspring(i, 0) : offspring(i, 0) - 1;
    if (from_parent == 0) continue;  // the same parent twice
    squares += from_parent * from_parent;
    ++moved;
  }
  EXPECT_NEAR(moved, 2000, 160);
  EXPECT_NEAR(std::sqrt(squares / moved), 0.1, 0.01);
}

TEST(IsoLineVariation, AddsNoiseThatIsNamedByTheOffspringOnEveryTarget) {
  for (const std::size_t parameters : {1u, 3u, 64u, 65u, 130u}) {
    const Archive archive = archive_of(7, parameters);
    for (const std::size_t count : {1u, 17u, 63u, 64u, 65u, 130u}) {
      SCOPED_TRACE(::testing::Message() << parameters << " parameters, " << count << " offspring");
      std::vector<std::uint32_t> fused_bits;
      for_each_simd_target([&](bool fused) {
        const Matrix moved = offspring_of(archive, 0, 0.3, Key(9), count);
        const Matrix offspring = offspring_of(archive, 0.02, 0.3, Key(9), count);
        for (std::uint32_t i = 0; i < count; ++i) {
          for (std::uint32_t j = 0; j < parameters; ++j) {
            const double noise = 0.02 * static_cast<double>(normal(Key(9), Purpose::kVariation, i, 0, j));
            const auto expected = static_cast<double>(moved(i, j)) + noise;
            ASSERT_NEAR(offspring(i, j), expected, 2e-7 * (1 + std::abs(expected)))
                << "offspring " << i << ", parameter " << j;
          }
        }
        if (!fused) return;
        if (fused_bits.empty()) fused_bits = bits_of(offspring.values());
        EXPECT_EQ(bits_of(offspring.values()), fused_bits);
      });
    }
  }
}

TEST(IsoLineVariation, GivesTheSameBytesForEveryNumberOfThreadsAndOthersForAnotherSeed) {
  const Archive archive = archive_of(7, 9);
  const Matrix expected = offspring_of(archive, 0.02, 0.3, Key(9), 1000);
  for_each_thread_count([&](std::size_t) {
    EXPECT_EQ(bits_of(offspring_of(archive, 0.02, 0.3, Key(9), 1000).values()), bits_of(expected.values()));
  });
  EXPECT_NE(offspring_of(archive, 0.02, 0.3, Key(10), 1000), expected);
}

// Cell 0 has a front of one, cell 1 of four; the genotype is {cell, member, 1}.
ParetoArchive fronts_of_one_and_four() {
  ParetoArchive archive(Grid({{2}, {0}, {2}}), 3, 10);
  Matrix genotypes;
  Matrix descriptors;
  std::vector<float> fitness;
  std::vector<float> reproducibility;
  for (const auto& [cell, member] : {std::pair(0, 0), {1, 0}, {1, 1}, {1, 2}, {1, 3}}) {
    genotypes.append_row(std::vector{static_cast<float>(cell), static_cast<float>(member), 1.0f});
    descriptors.append_row(std::vector{static_cast<float>(cell) + 0.5f});
    fitness.push_back(static_cast<float>(-member));
    reproducibility.push_back(static_cast<float>(member));
  }
  archive.insert(genotypes, fitness, reproducibility, descriptors);
  return archive;
}

TEST(IsoLineVariation, DrawsACellThenAMemberOfItsFront) {
  const ParetoArchive archive = fronts_of_one_and_four();
  Matrix offspring(16'000, 3);
  iso_line_variation(archive, 0, 0, Key(1), offspring.view());
  std::map<std::pair<float, float>, int> counts;
  for (std::size_t i = 0; i < offspring.rows(); ++i) ++counts[{offspring(i, 0), offspring(i, 1)}];
  EXPECT_EQ(counts.size(), 5u);
  // standard deviations are 63 and 42
  EXPECT_NEAR((counts[{0, 0}]), 8000, 320);
  for (int member = 0; member < 4; ++member) EXPECT_NEAR((counts[{1, member}]), 2000, 210) << member;
}

TEST(IsoLineVariation, DrawsBothParentsOfAFrontIndependently) {
  const ParetoArchive archive = fronts_of_one_and_four();
  Matrix offspring(16'000, 3);
  Matrix first(16'000, 3);
  iso_line_variation(archive, 0, 1, Key(1), offspring.view());
  iso_line_variation(archive, 0, 0, Key(1), first.view());
  // the step along the line tells whether the parents differ in cell or member
  int same = 0;
  for (std::size_t i = 0; i < offspring.rows(); ++i) {
    EXPECT_EQ(offspring(i, 2), 1);
    if (offspring(i, 0) == first(i, 0) && offspring(i, 1) == first(i, 1)) ++same;
  }
  // 1/4 both of cell 0, 1/4 both of cell 1, there 1/4 the same member; a standard deviation is 59
  EXPECT_NEAR(same, 16'000 * (0.25 + 0.0625), 300);
}

TEST(IsoLineVariation, GivesTheSameOffspringOfFrontsOnEveryTargetAndForEveryNumberOfThreads) {
  const ParetoArchive archive = fronts_of_one_and_four();
  for (const std::size_t count : {1u, 63u, 65u, 1500u}) {
    Matrix expected(count, 3);
    iso_line_variation(archive, 0.02, 0.3, Key(9), expected.view());
    const auto expect_same = [&] {
      Matrix offspring(count, 3);
      iso_line_variation(archive, 0.02, 0.3, Key(9), offspring.view());
      EXPECT_EQ(bits_of(offspring.values()), bits_of(expected.values()));
    };
    for_each_simd_target([&](bool fused) {
      if (fused) expect_same();
    });
    for_each_thread_count([&](std::size_t) { expect_same(); });
    Matrix other(count, 3);
    iso_line_variation(archive, 0.02, 0.3, Key(10), other.view());
    EXPECT_NE(other, expected);
  }
}

// A front of one in every cell is an archive of elites.
TEST(IsoLineVariation, TakesFrontsOfOneForElites) {
  const Archive elites = archive_of(7, 9);
  ParetoArchive fronts(elites.grid(), 9, 1);
  Matrix descriptors(7, 1);
  for (std::size_t i = 0; i < 7; ++i) descriptors(i, 0) = static_cast<float>(i) + 0.5f;
  fronts.insert(elites.genotypes(), std::vector<float>(7), std::vector<float>(7), descriptors);
  Matrix offspring(200, 9);
  iso_line_variation(fronts, 0.02, 0.3, Key(9), offspring.view());
  EXPECT_EQ(bits_of(offspring.values()), bits_of(offspring_of(elites, 0.02, 0.3, Key(9), 200).values()));
}

TEST(IsoLineVariation, DoesNotDependOnHowManyOffspringThereAre) {
  const Archive archive = archive_of(7, 9);
  const Matrix many = offspring_of(archive, 0.02, 0.3, Key(9), 200);
  const Matrix few = offspring_of(archive, 0.02, 0.3, Key(9), 70);
  EXPECT_EQ(bits_of(few.values()), bits_of(many.view().rows(0, 70).values()));
}

}  // namespace
}  // namespace aria
