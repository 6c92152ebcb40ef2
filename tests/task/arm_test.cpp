#include "aria/task/arm.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "tests/support/arm_reference.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/simd_targets.hpp"

namespace aria {
namespace {

using aria::testing::ArmReference;
using aria::testing::bits_of;
using aria::testing::for_each_simd_target;
using aria::testing::message_of;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Le;
using ::testing::Lt;

ArmConfig config_of(std::size_t joints, double noise, const std::string& spread = "deviation") {
  ArmConfig config;
  config.joints = joints;
  config.fitness_noise = noise;
  config.descriptor_noise = 2 * noise;
  config.spread = spread;
  return config;
}

ArmReference reference_of(const ArmConfig& config) {
  return {config.fitness_noise, config.descriptor_noise, config.spread == "variance"};
}

SampleRequest request_of(std::size_t joints, std::size_t centres, std::size_t samples, float sigma, bool mirrored) {
  std::mt19937 random(static_cast<std::uint32_t>(joints));
  std::uniform_real_distribution<float> uniform(-0.5f, 1.5f);
  SampleRequest request;
  request.centres.resize(centres, joints);
  for (std::size_t i = 0; i < centres; ++i) {
    for (float& joint : request.centres.row(i)) joint = uniform(random);
    request.ids.push_back(static_cast<std::uint32_t>(3 + 1000 * i));
  }
  request.samples = samples;
  request.sigma = sigma;
  request.mirrored = mirrored;
  request.key = Key(77);
  return request;
}

struct Results {
  std::vector<float> fitness;
  Matrix descriptors;

  friend bool operator==(const Results& a, const Results& b) {
    return bits_of(a.fitness) == bits_of(b.fitness) &&
           bits_of(a.descriptors.values()) == bits_of(b.descriptors.values());
  }
};

// Evaluates a request in pieces.
Results evaluate(const Arm& arm, const SampleRequest& request, std::size_t piece = SIZE_MAX) {
  const std::size_t total = request.evaluations();
  Results results{std::vector<float>(total, std::nanf("")), Matrix(total, 2)};
  for (std::size_t first = 0; first < total;) {
    const std::size_t count = std::min(piece, total - first);
    arm.evaluate(request, first,
                 {std::span(results.fitness).subspan(first, count), results.descriptors.view().rows(first, count)});
    first += count;
  }
  return results;
}

// Every evaluation against the reference, on every target; those with fused multiply-add must agree to the bit.
void compare(const ArmConfig& config, const SampleRequest& request, double tolerance, double fitness_tolerance) {
  const Arm arm(config);
  const ArmReference reference = reference_of(config);
  std::vector<Results> fused_results;
  for_each_simd_target([&](bool fused) {
    const Results results = evaluate(arm, request);
    for (std::size_t e = 0; e < request.evaluations(); ++e) {
      const ArmReference::Result expected = reference.evaluate(request, e);
      ASSERT_NEAR(results.fitness[e], expected.fitness, fitness_tolerance) << "evaluation " << e;
      ASSERT_NEAR(results.descriptors(e, 0), expected.x, tolerance) << "evaluation " << e;
      ASSERT_NEAR(results.descriptors(e, 1), expected.y, tolerance) << "evaluation " << e;
    }
    if (!fused) return;
    if (fused_results.empty()) fused_results.push_back(results);
    EXPECT_EQ(results, fused_results.front()) << "differs from another target with fused multiply-add";
  });
}

void compare(const ArmConfig& config, const SampleRequest& request, double tolerance) {
  compare(config, request, tolerance, tolerance);
}

constexpr std::size_t kJoints[] = {1, 2, 3, 8, 9, 16, 31};

// --- Without noise -------------------------------------------------------------------------------------------------

// The one evaluation of one genotype.
Results evaluate_one(const ArmConfig& config, const std::vector<float>& genotype) {
  SampleRequest request;
  request.centres = Matrix(1, genotype.size(), genotype);
  request.ids = {0};
  return evaluate(Arm(config), request);
}

TEST(Arm, StretchesToTheRightWhereEveryJointIsInItsMiddle) {
  const Results results = evaluate_one(config_of(4, 0), {0.5f, 0.5f, 0.5f, 0.5f});
  EXPECT_EQ(results.fitness[0], 0.0f);
  EXPECT_THAT(results.descriptors.row(0), ElementsAre(1.0f, 0.5f));
}

TEST(Arm, TurnsByEachJointInTheOrderOfTheGenotype) {
  // first up, then back to the left: ends at (-1, 1) of two units
  const Results results = evaluate_one(config_of(2, 0), {0.75f, 0.75f});
  EXPECT_NEAR(results.descriptors(0, 0), -1.0 / 4 + 0.5, 1e-6);
  EXPECT_NEAR(results.descriptors(0, 1), 1.0 / 4 + 0.5, 1e-6);
  EXPECT_NEAR(results.fitness[0], 0, 1e-7);
}

TEST(Arm, HasMinusTheSpreadOfItsJointsForFitness) {
  // 0.2, 0.4, 0.6, 0.8: variance 0.05
  const std::vector<float> genotype = {0.2f, 0.8f, 0.4f, 0.6f};
  EXPECT_NEAR(evaluate_one(config_of(4, 0), genotype).fitness[0], -std::sqrt(0.05), 1e-6);
  EXPECT_NEAR(evaluate_one(config_of(4, 0, "variance"), genotype).fitness[0], -0.05, 1e-6);
}

TEST(Arm, TakesJointsModuloOne) {
  const std::vector<float> genotype = {0.25f, 0.5f, 0.875f};
  for (const auto& shift : {std::vector<float>{1, -1, 2}, {-3, 0, 5}, {100, -100, 0}}) {
    std::vector<float> shifted = genotype;
    for (std::size_t j = 0; j < shifted.size(); ++j) shifted[j] += shift[j];
    const Results plain = evaluate_one(config_of(3, 0), genotype);
    const Results wrapped = evaluate_one(config_of(3, 0), shifted);
    EXPECT_NEAR(wrapped.fitness[0], plain.fitness[0], 1e-6);
    EXPECT_NEAR(wrapped.descriptors(0, 0), plain.descriptors(0, 0), 1e-6);
    EXPECT_NEAR(wrapped.descriptors(0, 1), plain.descriptors(0, 1), 1e-6);
  }
}

TEST(Arm, AgreesWithTheReferenceWithoutNoise) {
  for (const std::size_t joints : kJoints) {
    for (const std::string spread : {"deviation", "variance"}) {
      SCOPED_TRACE(::testing::Message() << joints << " joints, " << spread);
      compare(config_of(joints, 0, spread), request_of(joints, 130, 1, 0, false), 2e-6);
    }
  }
}

TEST(Arm, StaysAccurateWhereJointsAreNearlyAlike) {
  ArmConfig config = config_of(8, 0);
  SampleRequest request = request_of(8, 17, 1, 0, false);
  for (std::size_t i = 0; i < 17; ++i) {
    for (std::size_t j = 0; j < 8; ++j) {
      request.centres(i, j) = 0.9f + 1e-4f * static_cast<float>(i) * static_cast<float>(j % 3);
    }
  }
  compare(config, request, 1e-6);
}

TEST(Arm, ReachesNoFurtherThanTheCircleInTheUnitSquare) {
  const Results results = evaluate(Arm(config_of(8, 0)), request_of(8, 500, 1, 0, false));
  for (std::size_t e = 0; e < 500; ++e) {
    const double x = results.descriptors(e, 0) - 0.5;
    const double y = results.descriptors(e, 1) - 0.5;
    EXPECT_LE(x * x + y * y, 0.2500001);
    EXPECT_LE(results.fitness[e], 0);
    EXPECT_GE(results.fitness[e], -0.5f);
  }
}

// --- With noise ----------------------------------------------------------------------------------------------------

TEST(Arm, AddsNoiseThatIsNamedByCentreAndSample) {
  constexpr std::size_t kSamples = 65;
  const SampleRequest request = request_of(8, 3, kSamples, 0, false);
  for_each_simd_target([&](bool fused) {
    const Results quiet = evaluate(Arm(config_of(8, 0)), request);
    const Results noisy = evaluate(Arm(config_of(8, 0.01)), request);
    for (std::size_t e = 0; e < request.evaluations(); ++e) {
      const auto noise = [&](std::uint32_t k) {
        const auto sample = static_cast<std::uint32_t>(e % kSamples);
        return normal(request.key, Purpose::kTaskNoise, request.ids[e / kSamples], sample / 2, 3 * (sample % 2) + k);
      };
      const float fitness = std::fma(noise(0), 0.01f, quiet.fitness[e]);
      const float x = std::fma(noise(1), 0.02f, quiet.descriptors(e, 0));
      const float y = std::fma(noise(2), 0.02f, quiet.descriptors(e, 1));
      if (fused) {
        ASSERT_EQ(noisy.fitness[e], fitness);
        ASSERT_EQ(noisy.descriptors(e, 0), x);
        ASSERT_EQ(noisy.descriptors(e, 1), y);
      } else {
        ASSERT_NEAR(noisy.fitness[e], fitness, 2e-7);
        ASSERT_NEAR(noisy.descriptors(e, 0), x, 2e-7);
        ASSERT_NEAR(noisy.descriptors(e, 1), y, 2e-7);
      }
    }
  });
}

TEST(Arm, EvaluatesACentreManyTimesWhereSigmaIsZero) {
  for (const std::size_t samples : {1u, 3u, 17u, 63u, 64u, 65u, 130u}) {
    SCOPED_TRACE(::testing::Message() << samples << " samples");
    compare(config_of(8, 0.01), request_of(8, 5, samples, 0, false), 2e-6);
  }
  // mirrored samples around nothing are plain samples
  compare(config_of(8, 0.01), request_of(8, 3, 34, 0, true), 2e-6);
}

TEST(Arm, EvaluatesPerturbedSamples) {
  for (const std::size_t joints : kJoints) {
    SCOPED_TRACE(::testing::Message() << joints << " joints");
    compare(config_of(joints, 0.01), request_of(joints, 3, 65, 0.02f, false), 3e-6);
  }
}

TEST(Arm, EvaluatesMirroredSamples) {
  for (const std::size_t joints : kJoints) {
    for (const std::size_t pairs : {1u, 3u, 17u, 63u, 64u, 65u, 130u}) {
      SCOPED_TRACE(::testing::Message() << joints << " joints, " << pairs << " pairs");
      // a spread of nothing is the root of a rounding error
      compare(config_of(joints, 0.01), request_of(joints, 2, 2 * pairs, 0.005f, true), 3e-6, joints == 1 ? 4e-4 : 3e-6);
    }
  }
}

TEST(Arm, EvaluatesMirroredSamplesByVariance) {
  compare(config_of(8, 0.01, "variance"), request_of(8, 3, 130, 0.02f, true), 3e-6);
}

// Angles beyond an eighth of a turn, which takes another way through the kernel; a whole turn; many turns.
TEST(Arm, EvaluatesMirroredSamplesFarFromTheirCentre) {
  for (const float sigma : {0.05f, 0.3f, 1.0f, 5.0f}) {
    for (const std::size_t joints : {1u, 8u, 9u}) {
      SCOPED_TRACE(::testing::Message() << "sigma " << sigma << ", " << joints << " joints");
      // the last bit of an angle grows with sigma; a spread of nothing is the root of a rounding error
      const double tolerance = 4e-6 * (1 + 4 * sigma);
      compare(config_of(joints, 0), request_of(joints, 2, 130, sigma, true), tolerance, joints == 1 ? 4e-4 : tolerance);
    }
  }
}

TEST(Arm, StaysInTheUnitSquareHoweverFarSamplesAreFromTheirCentre) {
  for_each_simd_target([](bool) {
    for (const std::size_t joints : {8u, 1024u}) {
      for (const bool mirrored : {false, true}) {
        const Results results = evaluate(Arm(config_of(joints, 0)), request_of(joints, 1, 34, 1e6f, mirrored));
        EXPECT_THAT(results.descriptors.values(), Each(AllOf(Ge(0.0f), Le(1.0f))));
        EXPECT_THAT(results.fitness, Each(AllOf(Ge(-0.5f), Le(0.0f))));
      }
    }
  });
}

TEST(Arm, HasMirroredSamplesOnBothSidesOfTheCentre) {
  SampleRequest request = request_of(1, 1, 200, 0.001f, true);
  request.centres(0, 0) = 0.5f;  // stretched to the right: y grows with the joint
  const Results results = evaluate(Arm(config_of(1, 0)), request);
  for (std::size_t p = 0; p < 100; ++p) {
    const float up = results.descriptors(2 * p, 1) - 0.5f;
    const float down = results.descriptors(2 * p + 1, 1) - 0.5f;
    EXPECT_NEAR(up, -down, 1e-6);
    EXPECT_EQ(up > 0,
              normal(request.key, Purpose::kPerturbation, request.ids[0], static_cast<std::uint32_t>(p), 0) > 0);
  }
}

// --- What results do not depend on ---------------------------------------------------------------------------------

TEST(Arm, DoesNotDependOnHowARequestIsCut) {
  const Arm arm(config_of(8, 0.01));
  for_each_simd_target([&](bool) {
    for (const float sigma : {0.0f, 0.005f, 0.4f}) {
      for (const bool mirrored : {false, true}) {
        const SampleRequest request = request_of(8, 4, 66, sigma, mirrored);
        const Results whole = evaluate(arm, request);
        for (const std::size_t piece : {2u, 6u, 14u, 32u, 34u, 64u, 66u, 100u, 130u}) {
          EXPECT_EQ(evaluate(arm, request, piece), whole) << "pieces of " << piece << ", sigma " << sigma;
        }
      }
    }
  });
}

TEST(Arm, DoesNotDependOnOtherCentresOfTheRequest) {
  const Arm arm(config_of(8, 0.01));
  for (const float sigma : {0.0f, 0.005f}) {
    const SampleRequest request = request_of(8, 5, 34, sigma, true);
    const Results all = evaluate(arm, request);
    for (std::size_t i = 0; i < 5; ++i) {
      SampleRequest alone = request;
      alone.centres = Matrix(1, 8);
      std::ranges::copy(request.centres.row(i), alone.centres.row(0).begin());
      alone.ids = {request.ids[i]};
      const Results one = evaluate(arm, alone);
      EXPECT_EQ(bits_of(one.fitness), bits_of(std::span(all.fitness).subspan(i * 34, 34)));
      EXPECT_EQ(bits_of(one.descriptors.values()), bits_of(all.descriptors.view().rows(i * 34, 34).values()));
    }
  }
}

TEST(Arm, GivesTheSameBytesForTheSameSeedAndOthersForAnother) {
  const Arm arm(config_of(8, 0.01));
  SampleRequest request = request_of(8, 2, 34, 0.005f, true);
  const Results first = evaluate(arm, request);
  EXPECT_EQ(evaluate(arm, request), first);
  request.key = Key(78);
  EXPECT_NE(evaluate(arm, request).fitness, first.fitness);
}

// --- Kept noise ----------------------------------------------------------------------------------------------------

// The noise that a search gradient will need, laid out as Evaluations::perturbations.
TEST(Arm, HandsBackTheNoiseOfMirroredSamples) {
  for_each_simd_target([](bool fused) {
    for (const std::size_t joints : {1u, 3u, 8u, 9u, 20u}) {
      for (const std::size_t pairs : {1u, 15u, 16u, 17u, 33u, 64u}) {
        const SampleRequest request = request_of(joints, 3, 2 * pairs, 0.005f, true);
        const std::size_t per_centre = kept_perturbations(pairs, joints);
        std::vector<float> kept(3 * per_centre);
        std::vector<float> fitness(request.evaluations());
        Matrix descriptors(request.evaluations(), 2);
        const Arm arm(config_of(joints, 0.01));
        ASSERT_TRUE(arm.keeps_perturbations());
        arm.evaluate(request, 0, {fitness, descriptors.view(), kept.data()});
        for (std::size_t i = 0; i < 3; ++i) {
          for (std::size_t p = 0; p < pairs; ++p) {
            for (std::size_t j = 0; j < joints; ++j) {
              const float expected = normal(request.key, Purpose::kPerturbation, request.ids[i],
                                            static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(j));
              const float got = kept[i * per_centre + (p / 16 * joints + j) * 16 + p % 16];
              if (fused) {
                ASSERT_EQ(got, expected) << "centre " << i << ", pair " << p << ", joint " << j;
              } else {
                ASSERT_NEAR(got, expected, 2e-6) << "centre " << i << ", pair " << p << ", joint " << j;
              }
            }
          }
        }
        EXPECT_EQ((Results{fitness, descriptors}), evaluate(arm, request));
      }
    }
  });
}

// Work may be cut at any even place; what surrounds a piece must not be touched.
TEST(Arm, HandsBackTheSameNoiseHoweverARequestIsCut) {
  constexpr std::size_t kPairs = 33;
  const Arm arm(config_of(8, 0.01));
  const SampleRequest request = request_of(8, 3, 2 * kPairs, 0.005f, true);
  constexpr std::size_t kGuard = 64;
  const std::size_t per_centre = kept_perturbations(kPairs, 8);
  for_each_simd_target([&](bool) {
    const auto kept_in_pieces = [&](std::size_t piece) {
      std::vector<float> kept(3 * per_centre + kGuard, -1.0f);
      std::vector<float> fitness(request.evaluations());
      Matrix descriptors(request.evaluations(), 2);
      for (std::size_t first = 0; first < fitness.size(); first += piece) {
        const std::size_t count = std::min(piece, fitness.size() - first);
        arm.evaluate(request, first,
                     {std::span(fitness).subspan(first, count), descriptors.view().rows(first, count), kept.data()});
      }
      EXPECT_THAT(std::vector<float>(kept.end() - kGuard, kept.end()), Each(-1.0f)) << "pieces of " << piece;
      // only pairs that exist: the rest of the last sixteen means nothing
      std::vector<float> noise;
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t p = 0; p < kPairs; ++p) {
          for (std::size_t j = 0; j < 8; ++j) noise.push_back(kept[i * per_centre + (p / 16 * 8 + j) * 16 + p % 16]);
        }
      }
      return noise;
    };
    const std::vector<float> whole = kept_in_pieces(request.evaluations());
    for (const std::size_t piece : {2u, 6u, 32u, 50u, 66u, 100u}) {
      EXPECT_TRUE(bits_of(kept_in_pieces(piece)) == bits_of(whole)) << "pieces of " << piece;
    }
  });
}

// --- The task itself -----------------------------------------------------------------------------------------------

TEST(Arm, DescribesItself) {
  const Arm arm;
  EXPECT_EQ(arm.info().name, "arm");
  EXPECT_EQ(arm.info().parameters, 8u);
  EXPECT_EQ(arm.info().descriptor_size(), 2u);
  EXPECT_EQ(arm.info().grid, (GridShape{{32, 32}, {0, 0}, {1, 1}}));
  EXPECT_EQ(arm.info().fitness_range.lower, -1);
  EXPECT_EQ(arm.info().fitness_range.upper, 0);
  EXPECT_EQ(arm.info().defaults.sigma, 0.005);
  EXPECT_EQ(arm.info().defaults.pairs, 2048u);
  EXPECT_EQ(arm.info().defaults.initial_steps, 1000u);
  EXPECT_NEAR(static_cast<double>(arm.info().defaults.baseline_budget), 4.28e8, 1e6);
}

TEST(Arm, StartsFromUniformGenotypesThatAreNamedByTheirNumber) {
  const Arm arm(config_of(9, 0));
  std::vector<float> genotype(9);
  std::vector<float> again(9);
  double sum = 0;
  for (std::uint32_t id = 0; id < 2000; ++id) {
    arm.initial_genotype(Key(5), id, genotype);
    EXPECT_THAT(genotype, Each(AllOf(Ge(0.0f), Lt(1.0f))));
    for (const float joint : genotype) sum += joint;
    arm.initial_genotype(Key(5), id, again);
    EXPECT_EQ(again, genotype);
    arm.initial_genotype(Key(5), id + 1, again);
    EXPECT_NE(again, genotype);
    arm.initial_genotype(Key(6), id, again);
    EXPECT_NE(again, genotype);
  }
  // a standard deviation is 0.0022
  EXPECT_NEAR(sum / 18'000, 0.5, 0.011);
}

TEST(ArmConfig, RefusesValuesOutsideTheirRange) {
  const auto said = [](const std::function<void(ArmConfig&)>& change) {
    ArmConfig config;
    change(config);
    return message_of([&] { const Arm arm(config); });
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(said([](ArmConfig& c) { c.joints = 0; }),
              AllOf(HasSubstr("joints"), HasSubstr("from 1 to 1024"), HasSubstr("got 0")));
  EXPECT_THAT(said([](ArmConfig& c) { c.joints = 1025; }), AllOf(HasSubstr("joints"), HasSubstr("got 1025")));
  EXPECT_THAT(said([](ArmConfig& c) { c.fitness_noise = -0.1; }),
              AllOf(HasSubstr("fitness_noise"), HasSubstr("from 0 to 1e6"), HasSubstr("-0.1")));
  EXPECT_THAT(said([&](ArmConfig& c) { c.fitness_noise = nan; }), HasSubstr("fitness_noise"));
  EXPECT_THAT(said([](ArmConfig& c) { c.descriptor_noise = 1e7; }),
              AllOf(HasSubstr("descriptor_noise"), HasSubstr("1e")));
  EXPECT_THAT(said([](ArmConfig& c) { c.spread = "range"; }),
              AllOf(HasSubstr("spread"), HasSubstr("deviation or variance"), HasSubstr("range")));
  EXPECT_THAT(said([](ArmConfig& c) { c.grid = {32}; }),
              AllOf(HasSubstr("grid"), HasSubstr("two numbers"), HasSubstr("[32]")));
  EXPECT_THAT(said([](ArmConfig& c) { c.grid = {4, 4, 4}; }), AllOf(HasSubstr("grid"), HasSubstr("[4, 4, 4]")));
}

TEST(ArmConfig, TakesTheLongestArm) {
  const ArmConfig config = config_of(kMaxArmJoints, 0);
  compare(config, request_of(kMaxArmJoints, 1, 34, 0.001f, true), 2e-4);
  compare(config, request_of(kMaxArmJoints, 3, 1, 0, false), 2e-4);
}

}  // namespace
}  // namespace aria
