#include "aria/core/draws.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "tests/support/bits.hpp"
#include "tests/support/simd_targets.hpp"

namespace aria {
namespace {

using aria::testing::bits_of;
using aria::testing::for_each_simd_target;

// --- Words to numbers ----------------------------------------------------------------------------------------------

TEST(UniformFrom, CoversZeroToJustBelowOne) {
  EXPECT_EQ(uniform_from(0), 0.0f);
  EXPECT_EQ(uniform_from(0xff), 0.0f);
  EXPECT_EQ(uniform_from(0x100), 0x1p-24f);
  EXPECT_EQ(uniform_from(0x80000000u), 0.5f);
  EXPECT_EQ(uniform_from(0xffffffffu), 1.0f - 0x1p-24f);
}

TEST(UniformFrom, FillsEveryHundredthAlike) {
  std::array<int, 100> counts{};
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    ++counts[static_cast<std::size_t>(100 * uniform_from(Key(3).bits(Purpose::kInitial, 0, i, 0)[1]))];
  }
  double chi_square = 0;
  for (const int count : counts) chi_square += (count - 1000.0) * (count - 1000.0) / 1000.0;
  // 99 degrees of freedom: between these with probability 0.9999
  EXPECT_GT(chi_square, 50);
  EXPECT_LT(chi_square, 165);
}

TEST(IndexFrom, ReachesTheFirstAndTheLastAndNeverLeavesTheRange) {
  for (const std::size_t n :
       {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{1000}, std::size_t{1} << 26}) {
    EXPECT_EQ(index_from(0, n), 0u) << n;
    EXPECT_EQ(index_from(0xffffffffu, n), n - 1) << n;
  }
}

TEST(IndexFrom, IsUniform) {
  std::array<int, 7> counts{};
  for (std::uint32_t i = 0; i < 70'000; ++i) ++counts[index_from(Key(4).bits(Purpose::kSelection, 0, i, 0)[0], 7)];
  // a standard deviation is 93
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 450);
}

TEST(DrawBlocks, AreAsManyAsTheVariatesNeed) {
  EXPECT_EQ(draw_blocks(0), 0u);
  EXPECT_EQ(draw_blocks(1), 1u);
  EXPECT_EQ(draw_blocks(4), 1u);
  EXPECT_EQ(draw_blocks(5), 2u);
  EXPECT_EQ(normal_blocks(0), 0u);
  EXPECT_EQ(normal_blocks(8), 1u);
  EXPECT_EQ(normal_blocks(9), 2u);
}

// --- One normal variate --------------------------------------------------------------------------------------------

// Box-Muller in double precision, from the word as `normal` reads it.
std::array<double, 2> normal_pair_reference(std::uint32_t word) {
  const double u = static_cast<double>(static_cast<float>((word | 1u) & 0x7fffffffu)) * 0x1p-31;
  const double radius = std::sqrt(-2 * std::log(u));
  const double angle = std::numbers::pi / 2 * (static_cast<double>(word * kLatticeMultiplier >> 9) * 0x1p-23 - 0.5);
  const double a = radius * std::cos(angle) * ((word >> 31) != 0 ? -1 : 1);
  const double b = radius * std::sin(angle);
  return (word & 1u) != 0 ? std::array{b, a} : std::array{a, b};
}

// Of a pair from that word: polynomials and rounding, in parts of its length.
double tolerance(std::uint32_t word) {
  return 2.5e-6 * std::hypot(normal_pair_reference(word)[0], normal_pair_reference(word)[1]) + 1e-7;
}

std::vector<float> many_normals(Key key, std::uint32_t samples) {
  std::vector<float> result;
  for (std::uint32_t sample = 0; sample < samples; ++sample) {
    for (std::uint32_t variate = 0; variate < 4; ++variate) {
      result.push_back(normal(key, Purpose::kPerturbation, 5, sample, variate));
    }
  }
  return result;
}

TEST(Normal, IsBoxMullerOfTheWords) {
  for (std::uint32_t sample = 0; sample < 20'000; ++sample) {
    const PhiloxCounter bits = Key(1).bits(Purpose::kTaskNoise, 9, sample, 2);
    for (std::uint32_t pair = 0; pair < 4; ++pair) {
      const auto expected = normal_pair_reference(bits[pair]);
      for (std::uint32_t half = 0; half < 2; ++half) {
        EXPECT_NEAR(normal(Key(1), Purpose::kTaskNoise, 9, sample, 16 + 2 * pair + half), expected[half],
                    tolerance(bits[pair]));
      }
    }
  }
}

TEST(Normal, IsTheSameForTheSameNameAndAnotherForAnother) {
  const float value = normal(Key(1), Purpose::kTaskNoise, 2, 3, 4);
  EXPECT_EQ(value, normal(Key(1), Purpose::kTaskNoise, 2, 3, 4));
  EXPECT_NE(value, normal(Key(2), Purpose::kTaskNoise, 2, 3, 4));
  EXPECT_NE(value, normal(Key(1), Purpose::kPerturbation, 2, 3, 4));
  EXPECT_NE(value, normal(Key(1), Purpose::kTaskNoise, 3, 3, 4));
  EXPECT_NE(value, normal(Key(1), Purpose::kTaskNoise, 2, 4, 4));
  EXPECT_NE(value, normal(Key(1), Purpose::kTaskNoise, 2, 3, 5));
}

TEST(Normal, HasTheMomentsOfAStandardNormalVariate) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const std::vector<float> values = many_normals(Key(seed), 65'536);
    const auto n = static_cast<double>(values.size());
    double moments[5] = {};
    for (const double x : values) {
      for (int k = 1; k <= 4; ++k) moments[k] += std::pow(x, k) / n;
    }
    // five standard deviations each
    EXPECT_NEAR(moments[1], 0, 5 * std::sqrt(1 / n));
    EXPECT_NEAR(moments[2], 1, 5 * std::sqrt(2 / n));
    EXPECT_NEAR(moments[3], 0, 5 * std::sqrt(15 / n));
    EXPECT_NEAR(moments[4], 3, 5 * std::sqrt(96 / n));
  }
}

TEST(Normal, FollowsTheNormalDistribution) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    std::vector<float> values = many_normals(Key(seed), 50'000);
    std::ranges::sort(values);
    const auto n = static_cast<double>(values.size());
    double largest = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double cumulative = 0.5 * std::erfc(-static_cast<double>(values[i]) / std::numbers::sqrt2);
      largest = std::max({largest, std::abs(cumulative - static_cast<double>(i) / n),
                          std::abs(cumulative - static_cast<double>(i + 1) / n)});
    }
    // Kolmogorov-Smirnov: exceeded with probability 0.001
    EXPECT_LT(largest * std::sqrt(n), 1.95) << "seed " << seed;
  }
}

TEST(Normal, HasTailsOfTheRightWeight) {
  const std::vector<float> values = many_normals(Key(8), 250'000);
  const auto beyond = [&](float limit) {
    return static_cast<double>(std::ranges::count_if(values, [&](float x) { return std::abs(x) > limit; }));
  };
  EXPECT_NEAR(beyond(3), 2699.8, 260);  // of a million, five standard deviations
  EXPECT_NEAR(beyond(4), 63.3, 40);
  EXPECT_LE(std::abs(*std::ranges::max_element(values)), 6.7f);
  EXPECT_GE(*std::ranges::min_element(values), -6.7f);
}

TEST(Normal, IsIndependentOfTheOtherVariatesOfItsBlock) {
  constexpr std::uint32_t kSamples = 60'000;
  const std::vector<float> values = many_normals(Key(6), kSamples);
  const auto at = [&](std::uint32_t sample, std::uint32_t variate) {
    return static_cast<double>(values[4 * sample + variate]);
  };
  for (std::uint32_t a = 0; a < 4; ++a) {
    for (std::uint32_t b = a + 1; b < 4; ++b) {
      double products = 0;
      double squares = 0;
      double mixed = 0;
      for (std::uint32_t s = 0; s < kSamples; ++s) {
        products += at(s, a) * at(s, b);
        squares += (at(s, a) * at(s, a) - 1) * (at(s, b) * at(s, b) - 1);
        mixed += at(s, a) * (at(s, b) * at(s, b) - 1);
      }
      // their variances are 1, 4 and 2: five standard deviations
      EXPECT_NEAR(products / kSamples, 0, 5 * std::sqrt(1.0 / kSamples)) << a << b;
      EXPECT_NEAR(squares / kSamples, 0, 5 * std::sqrt(4.0 / kSamples)) << a << b;
      EXPECT_NEAR(mixed / kSamples, 0, 5 * std::sqrt(2.0 / kSamples)) << a << b;
    }
  }
  // all sixteen patterns of signs come up alike
  std::array<double, 16> patterns{};
  for (std::uint32_t s = 0; s < kSamples; ++s) {
    std::size_t pattern = 0;
    for (std::uint32_t variate = 0; variate < 4; ++variate) pattern = 2 * pattern + (at(s, variate) < 0 ? 1 : 0);
    patterns[pattern] += 1;
  }
  double chi_square = 0;
  for (const double count : patterns)
    chi_square += (count - kSamples / 16.0) * (count - kSamples / 16.0) * 16 / kSamples;
  EXPECT_LT(chi_square, 45);  // 15 degrees of freedom, exceeded with probability 1e-4
}

TEST(Normal, IsIndependentOfNeighbouringSamplesAndIds) {
  constexpr std::uint32_t kSamples = 60'000;
  double along_samples = 0;
  double along_ids = 0;
  for (std::uint32_t s = 0; s < kSamples; ++s) {
    const auto here = static_cast<double>(normal(Key(6), Purpose::kTaskNoise, 0, s, 0));
    along_samples += here * normal(Key(6), Purpose::kTaskNoise, 0, s + 1, 0);
    along_ids += here * normal(Key(6), Purpose::kTaskNoise, 1, s, 0);
  }
  EXPECT_NEAR(along_samples / kSamples, 0, 5 * std::sqrt(1.0 / kSamples));
  EXPECT_NEAR(along_ids / kSamples, 0, 5 * std::sqrt(1.0 / kSamples));
}

// The shortest vector of the lattice that two vectors span (Gauss's reduction), against that of the best lattice with
// cells of the same size.
double evenness(std::array<double, 2> a, std::array<double, 2> b) {
  const double cell = std::abs(a[0] * b[1] - a[1] * b[0]);
  const auto dot = [](const std::array<double, 2>& v, const std::array<double, 2>& w) {
    return v[0] * w[0] + v[1] * w[1];
  };
  while (true) {
    if (dot(a, a) > dot(b, b)) std::swap(a, b);
    const double times = std::round(dot(a, b) / dot(a, a));
    if (times == 0) break;
    for (int k = 0; k < 2; ++k) b[k] -= times * a[k];
  }
  return std::sqrt(dot(a, a) / (cell * 2 / std::sqrt(3.0)));
}

TEST(Lattice, FillsTheSquareOfRadiusAndAngleEvenly) {
  constexpr double kAll = 0x1p32;
  EXPECT_GT(evenness({1, double{kLatticeMultiplier}}, {0, kAll}), 0.95);
  // also that part whose words agree in their highest and their lowest bit, which choose the quadrant: steps of two
  // words, of radii that run through their range twice as fast
  EXPECT_GT(evenness({4, std::fmod(2.0 * kLatticeMultiplier, kAll)}, {0, kAll}), 0.9);
}

TEST(Lattice, LeavesRadiusAndAngleUncorrelated) {
  constexpr std::uint32_t kWords = 1u << 20;
  double sums[3] = {};
  for (std::uint32_t i = 0; i < kWords; ++i) {
    // an even share of all words
    const auto pair = normal_pair_reference(i * 0x1000u + 0x801u * (i & 1u));
    sums[0] += pair[0] * pair[1];
    sums[1] += (pair[0] * pair[0] - 1) * (pair[1] * pair[1] - 1);
    sums[2] += pair[0] * std::abs(pair[1]);
  }
  for (const double sum : sums) EXPECT_NEAR(sum / kWords, 0, 5e-3);
}

// --- Tiles ---------------------------------------------------------------------------------------------------------

constexpr std::size_t kCounts[] = {1, 3, 16, 17, 63, 64};

// Names that differ from lane to lane in both parts, and reach the ends of their range.
struct Names {
  std::vector<std::uint32_t> ids, samples;

  explicit Names(std::size_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      ids.push_back(i % 5 == 4 ? 0xffffffffu - i : 17 * i);
      samples.push_back(i % 7 == 6 ? 0xffffffffu - i : 1000 + i / 3);
    }
  }
};

TEST(DrawBits, AreTheBitsOfTheKeyOnEveryTarget) {
  for_each_simd_target([](bool) {
    for (const std::size_t count : kCounts) {
      const Names names(count);
      for (std::size_t blocks = 1; blocks <= 5; ++blocks) {
        for (const std::size_t first_block : {std::size_t{0}, std::size_t{1}, std::size_t{1001}}) {
          std::vector<std::uint32_t> out(4 * blocks * kDrawTile);
          draw_bits(Key(99), Purpose::kVariation, names.ids, names.samples, first_block, blocks, out.data());
          for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t j = 0; j < 4 * blocks; ++j) {
              const auto block = static_cast<std::uint32_t>(first_block + j / 4);
              ASSERT_EQ(out[j * kDrawTile + i],
                        Key(99).bits(Purpose::kVariation, names.ids[i], names.samples[i], block)[j % 4])
                  << "lane " << i << " of " << count << ", word " << j << ", first block " << first_block;
            }
          }
        }
      }
    }
  });
}

TEST(DrawNormals, AreTheScalarOnesOnEveryTarget) {
  for_each_simd_target([](bool fused) {
    for (const std::size_t count : kCounts) {
      const Names names(count);
      for (std::size_t blocks = 1; blocks <= 5; ++blocks) {
        for (const std::size_t first_block : {std::size_t{0}, std::size_t{1}, std::size_t{1001}}) {
          std::vector<float> out(kNormalsPerBlock * blocks * kDrawTile);
          draw_normals(Key(99), Purpose::kTaskNoise, names.ids, names.samples, first_block, blocks, out.data());
          for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t j = 0; j < kNormalsPerBlock * blocks; ++j) {
              const float expected = normal(Key(99), Purpose::kTaskNoise, names.ids[i], names.samples[i],
                                            static_cast<std::uint32_t>(kNormalsPerBlock * first_block + j));
              const float got = out[j * kDrawTile + i];
              if (fused) {
                ASSERT_EQ(std::bit_cast<std::uint32_t>(got), std::bit_cast<std::uint32_t>(expected))
                    << "lane " << i << " of " << count << ", variate " << j << ", first block " << first_block;
              } else {
                ASSERT_NEAR(got, expected, 2e-6);
              }
            }
          }
        }
      }
    }
  });
}

TEST(DrawNormalRows, AreTheScalarOnesOnEveryTarget) {
  for_each_simd_target([](bool fused) {
    for (const std::size_t count : {1u, 3u, 16u, 17u, 63u, 64u, 65u, 130u}) {
      const Names names(count);
      for (const std::size_t variates : {1u, 3u, 4u, 5u, 8u, 9u, 20u, 65u}) {
        const std::size_t stride = kNormalsPerBlock * normal_blocks(variates);
        constexpr std::size_t kGuard = 64;
        std::vector<float> out(count * stride + kGuard, -100.0f);
        draw_normal_rows(Key(99), Purpose::kTaskNoise, names.ids, names.samples, variates, out.data());
        for (std::size_t i = 0; i < count; ++i) {
          for (std::size_t j = 0; j < variates; ++j) {
            const float expected =
                normal(Key(99), Purpose::kTaskNoise, names.ids[i], names.samples[i], static_cast<std::uint32_t>(j));
            const float got = out[i * stride + j];
            if (fused) {
              ASSERT_EQ(std::bit_cast<std::uint32_t>(got), std::bit_cast<std::uint32_t>(expected))
                  << "row " << i << " of " << count << ", variate " << j << " of " << variates;
            } else {
              ASSERT_NEAR(got, expected, 2e-6);
            }
          }
        }
        EXPECT_THAT(std::vector<float>(out.end() - kGuard, out.end()), ::testing::Each(-100.0f));
      }
    }
  });
}

TEST(DrawNormalRows, AreNoneForNoSamples) {
  float untouched = 7;
  draw_normal_rows(Key(1), Purpose::kTaskNoise, {}, {}, 9, &untouched);
  EXPECT_EQ(untouched, 7.0f);
}

TEST(DrawNormals, DoNotDependOnTheirNeighbours) {
  for_each_simd_target([](bool) {
    const Names names(kDrawTile);
    std::vector<float> all(2 * kNormalsPerBlock * kDrawTile);
    draw_normals(Key(1), Purpose::kTaskNoise, names.ids, names.samples, 3, 2, all.data());
    for (std::size_t i = 0; i < kDrawTile; ++i) {
      std::vector<float> alone(2 * kNormalsPerBlock * kDrawTile);
      draw_normals(Key(1), Purpose::kTaskNoise, std::span(names.ids).subspan(i, 1),
                   std::span(names.samples).subspan(i, 1), 3, 2, alone.data());
      for (std::size_t j = 0; j < 2 * kNormalsPerBlock; ++j) ASSERT_EQ(alone[j * kDrawTile], all[j * kDrawTile + i]);
    }
  });
}

TEST(DrawNormals, DifferForAnotherSeedAndAnotherPurpose) {
  const Names names(kDrawTile);
  const auto drawn = [&](Key key, Purpose purpose) {
    std::vector<float> out(kNormalsPerBlock * kDrawTile);
    draw_normals(key, purpose, names.ids, names.samples, 0, 1, out.data());
    return bits_of(out);
  };
  EXPECT_EQ(drawn(Key(1), Purpose::kTaskNoise), drawn(Key(1), Purpose::kTaskNoise));
  EXPECT_NE(drawn(Key(1), Purpose::kTaskNoise), drawn(Key(2), Purpose::kTaskNoise));
  EXPECT_NE(drawn(Key(1), Purpose::kTaskNoise), drawn(Key(1), Purpose::kPerturbation));
}

// --- Rare words ----------------------------------------------------------------------------------------------------

// Modulo 2^32.
std::uint32_t inverse(std::uint32_t odd) {
  std::uint32_t x = odd;
  for (int i = 0; i < 5; ++i) x *= 2 - odd * x;  // Newton, each step doubles the bits that are right
  return x;
}

// The counter for which the generator gives these words: each round can be undone.
PhiloxCounter counter_that_gives(PhiloxCounter words, Key key) {
  const auto high = [](std::uint32_t a, std::uint32_t b) {
    return static_cast<std::uint32_t>(std::uint64_t{a} * b >> 32);
  };
  for (std::uint32_t round = kPhiloxRounds; round-- > 0;) {
    const std::uint32_t key0 = key.words()[0] + round * kPhiloxWeyl0;
    const std::uint32_t key1 = key.words()[1] + round * kPhiloxWeyl1;
    const std::uint32_t c0 = words[3] * inverse(kPhiloxMultiplier0);
    const std::uint32_t c2 = words[1] * inverse(kPhiloxMultiplier1);
    words = {c0, words[0] ^ key0 ^ high(kPhiloxMultiplier1, c2), c2, words[2] ^ key1 ^ high(kPhiloxMultiplier0, c0)};
  }
  return words;
}

// Words at the ends of their ranges would take billions of draws to come up.
TEST(DrawNormals, AreFiniteAndRightForRareWordsOnEveryTarget) {
  std::vector<std::uint32_t> rare = {0,           1,           2,           3,           0x7ffffffcu, 0x7ffffffeu,
                                     0x7fffffffu, 0x80000000u, 0x80000001u, 0xfffffeffu, 0xfffffffeu, 0xffffffffu};
  // and those whose angle is at the ends of its range, or nought: the multiplication can be undone
  for (const std::uint32_t angle : {0u, 1u, 0x1ffu, 0x7fffffffu, 0x80000000u, 0xfffffe00u, 0xffffffffu}) {
    rare.push_back(angle * inverse(kLatticeMultiplier));
  }
  const Key key(2023);
  for_each_simd_target([&](bool fused) {
    for (const std::uint32_t word : rare) {
      const PhiloxCounter words = {word, word ^ 1u, word ^ 0x80000000u, ~word};
      const PhiloxCounter name = counter_that_gives(words, key);
      ASSERT_EQ(philox(name, key.words()), words);
      std::vector<float> out(kNormalsPerBlock * kDrawTile);
      draw_normals(key, static_cast<Purpose>(name[3]), std::span(&name[2], 1), std::span(&name[1], 1), name[0], 1,
                   out.data());
      for (std::uint32_t k = 0; k < kNormalsPerBlock; ++k) {
        const float got = out[k * kDrawTile];
        EXPECT_NEAR(got, normal_pair_reference(words[k / 2])[k % 2], tolerance(words[k / 2])) << words[k / 2];
        EXPECT_LE(std::abs(got), kLongestNormal);
        // the scalar function counts variates, so it reaches an eighth of all blocks
        if (fused && name[0] < (1u << 29)) {
          EXPECT_EQ(got, normal(key, static_cast<Purpose>(name[3]), name[2], name[1],
                                static_cast<std::uint32_t>(kNormalsPerBlock) * name[0] + k));
        }
      }
    }
  });
}

}  // namespace
}  // namespace aria
