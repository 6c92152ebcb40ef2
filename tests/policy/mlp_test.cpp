#include "aria/policy/mlp.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "aria/policy/initial_policy.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/guarded_memory.hpp"
#include "tests/support/mlp_reference.hpp"
#include "tests/support/simd_targets.hpp"

namespace aria {
namespace {

using aria::testing::bits_of;
using aria::testing::for_each_simd_target;
using aria::testing::GuardedFloats;
using aria::testing::mlp_reference;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

const std::vector<MlpShape>& shapes() {
  static const std::vector<MlpShape> result = {
      {{87, 64, 64, 8}}, {{17, 64, 64, 6}}, {{1, 1}},         {{5, 1}},     {{1, 5}},     {{64, 67}},
      {{67, 64}},        {{1, 1, 1}},       {{5, 67, 1}},     {{67, 5, 3}}, {{3, 7, 24}}, {{20, 67, 5, 64, 13}},
      {{4, 16, 17, 9}},  {{130, 200, 40}},  {{64, 33, 2, 65}}};
  return result;
}

std::string name_of(const MlpShape& shape) { return fmt::format("{}", fmt::join(shape.sizes, "-")); }

std::size_t padded(std::size_t worlds) { return (worlds + 15) / 16 * 16; }

// Worlds with a policy each, and inputs of which about a half is zero: some in every world, some in one.
struct Case {
  MlpShape shape;
  std::size_t worlds;
  std::size_t stride;
  std::vector<std::vector<float>> policies;
  std::vector<float> inputs;  // (inputs x stride)

  Case(MlpShape of, std::size_t how_many, unsigned seed = 1)
      : shape(std::move(of)), worlds(how_many), stride(padded(how_many)), inputs(shape.inputs() * stride, 1e30f) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    for (std::size_t w = 0; w < worlds; ++w) {
      auto& policy = policies.emplace_back(shape.parameters());
      initial_policy(shape, Key(seed), static_cast<std::uint32_t>(w), policy);
      for (float& weight : policy) weight += 0.1f * normal(random);
    }
    for (std::size_t i = 0; i < shape.inputs(); ++i) {
      const bool everywhere = random() % 3 == 0;
      for (std::size_t w = 0; w < worlds; ++w) {
        const float zero = random() % 2 == 0 ? 0.0f : -0.0f;
        inputs[i * stride + w] = everywhere || random() % 3 == 0 ? zero : normal(random);
      }
    }
  }

  std::vector<double> inputs_of(std::size_t world) const {
    std::vector<double> result;
    for (std::size_t i = 0; i < shape.inputs(); ++i) result.push_back(inputs[i * stride + world]);
    return result;
  }

  // (worlds x outputs)
  std::vector<float> rows(const std::vector<float>& outputs) const {
    std::vector<float> result;
    for (std::size_t w = 0; w < worlds; ++w) {
      for (std::size_t o = 0; o < shape.outputs(); ++o) result.push_back(outputs[o * stride + w]);
    }
    return result;
  }

  std::vector<float> run_own() const {
    std::vector<const float*> pointers;
    for (const auto& policy : policies) pointers.push_back(policy.data());
    return run_own(pointers);
  }
  std::vector<float> run_own(const std::vector<const float*>& pointers) const {
    std::vector<float> outputs(shape.outputs() * stride, 7.0f);
    Mlp(shape).run_own(pointers, inputs.data(), outputs.data(), stride);
    return rows(outputs);
  }
  std::vector<float> run_shared(const float* policy) const {
    std::vector<float> outputs(shape.outputs() * stride, 7.0f);
    Mlp(shape).run_shared(policy, inputs.data(), outputs.data(), worlds, stride);
    return rows(outputs);
  }
};

void expect_reference(const Case& c, const std::vector<float>& actions, bool shared) {
  for (std::size_t w = 0; w < c.worlds; ++w) {
    const std::vector<double> expected = mlp_reference(c.shape, c.policies[shared ? 0 : w], c.inputs_of(w));
    for (std::size_t o = 0; o < c.shape.outputs(); ++o) {
      ASSERT_NEAR(actions[w * c.shape.outputs() + o], expected[o], 3e-6) << "world " << w << ", output " << o;
    }
  }
}

// --- What comes out ------------------------------------------------------------------------------------------------

TEST(Mlp, GivesWhatIsWorkedOutByHand) {
  for_each_simd_target([](bool) {
    // hidden: 1*2 + 2*(-1) + 0.5 = 0.5 and 1*(-1) + 2*0 + 0.25 < 0, which is off; output: tanh(2 * 0.5 - 1.5)
    const std::vector<float> policy = {2, -1, -1, 0, 0.5f, 0.25f, 2, 100, -1.5f};
    std::vector<float> inputs(2 * 16, 0.0f);
    inputs[0] = 1;
    inputs[16] = 2;
    std::vector<float> outputs(16);
    Mlp mlp({{2, 2, 1}});
    mlp.run_shared(policy.data(), inputs.data(), outputs.data(), 1, 16);
    EXPECT_NEAR(outputs[0], std::tanh(-0.5), 1e-7);
    outputs[0] = 0;
    mlp.run_own(std::vector{policy.data()}, inputs.data(), outputs.data(), 16);
    EXPECT_NEAR(outputs[0], std::tanh(-0.5), 1e-7);
  });
}

TEST(Mlp, WithOwnPoliciesAgreesWithTheReference) {
  for_each_simd_target([](bool) {
    for (const MlpShape& shape : shapes()) {
      SCOPED_TRACE(name_of(shape));
      for (const std::size_t worlds : {1u, 3u, 17u}) {
        const Case c(shape, worlds);
        expect_reference(c, c.run_own(), false);
      }
    }
  });
}

TEST(Mlp, WithASharedPolicyAgreesWithTheReference) {
  for_each_simd_target([](bool) {
    for (const MlpShape& shape : shapes()) {
      SCOPED_TRACE(name_of(shape));
      for (const std::size_t worlds : {1u, 3u, 17u, 90u}) {
        const Case c(shape, worlds);
        expect_reference(c, c.run_shared(c.policies[0].data()), true);
      }
    }
  });
}

TEST(Mlp, ReadsOwnInputsAtAnyStride) {
  for_each_simd_target([](bool) {
    Case c({{9, 12, 3}}, 11);
    const std::vector<float> expected = c.run_own();
    std::vector<float> tight;
    for (std::size_t i = 0; i < c.shape.inputs(); ++i) {
      tight.insert(tight.end(), &c.inputs[i * c.stride], &c.inputs[i * c.stride] + c.worlds);
    }
    GuardedFloats guarded(tight.size());
    std::ranges::copy(tight, guarded.values().begin());
    std::vector<const float*> policies;
    for (const auto& policy : c.policies) policies.push_back(policy.data());
    GuardedFloats outputs(c.shape.outputs() * c.worlds);
    Mlp(c.shape).run_own(policies, guarded.values().data(), outputs.values().data(), c.worlds);
    c.stride = c.worlds;
    EXPECT_EQ(c.rows({outputs.values().begin(), outputs.values().end()}), expected);
  });
}

TEST(Mlp, DoesNothingForNoWorlds) {
  Mlp mlp({{3, 2}});
  const std::vector<float> policy(8);
  mlp.run_own({}, nullptr, nullptr, 0);
  mlp.run_shared(policy.data(), nullptr, nullptr, 0, 0);
}

// --- The same bits -------------------------------------------------------------------------------------------------

TEST(Mlp, GivesTheSameBitsForOwnAndSharedPolicies) {
  for_each_simd_target([](bool) {
    for (const MlpShape& shape : shapes()) {
      SCOPED_TRACE(name_of(shape));
      for (const std::size_t worlds : {1u, 3u, 17u, 90u}) {
        const Case c(shape, worlds);
        const std::vector<const float*> same(worlds, c.policies[0].data());
        ASSERT_EQ(bits_of(c.run_own(same)), bits_of(c.run_shared(c.policies[0].data())));
      }
    }
  });
}

TEST(Mlp, GivesTheSameBitsOnEveryTargetThatFusesMultiplyAndAdd) {
  for (const MlpShape& shape : shapes()) {
    SCOPED_TRACE(name_of(shape));
    const Case c(shape, 17);
    const auto best = bits_of(c.run_own());
    std::size_t compared = 0;
    for_each_simd_target([&](bool fused) {
      if (!fused) return;
      EXPECT_EQ(bits_of(c.run_own()), best);
      ++compared;
    });
    EXPECT_GE(compared, 1u);
  }
}

TEST(Mlp, GivesAWorldTheSameBitsWhateverLiesBesideIt) {
  for_each_simd_target([](bool) {
    const Case c({{17, 64, 64, 6}}, 40);
    const std::vector<float> together = c.run_shared(c.policies[0].data());
    for (std::size_t w = 0; w < c.worlds; ++w) {
      Case alone(c.shape, 1);
      for (std::size_t i = 0; i < c.shape.inputs(); ++i) alone.inputs[i * alone.stride] = c.inputs[i * c.stride + w];
      const auto expected = bits_of(std::span(together).subspan(w * 6, 6));
      ASSERT_EQ(bits_of(alone.run_shared(c.policies[0].data())), expected) << w;
      ASSERT_EQ(bits_of(alone.run_own({c.policies[0].data()})), expected) << w;
    }
  });
}

TEST(Mlp, GivesPositiveZeroWhetherOrNotZerosAreLeftOut) {
  for_each_simd_target([](bool) {
    // the first input of world 0 is zero and left out there, but not in world 1 beside it
    const std::vector<float> policy = {1, -0.0f};
    std::vector<float> inputs(16, 1.0f);
    inputs[0] = 0.0f;
    std::vector<float> own(16);
    std::vector<float> shared(16);
    Mlp mlp({{1, 1}});
    mlp.run_own(std::vector{policy.data(), policy.data()}, inputs.data(), own.data(), 16);
    mlp.run_shared(policy.data(), inputs.data(), shared.data(), 2, 16);
    EXPECT_EQ(bits_of(std::span(own).first(2)), bits_of(std::span(shared).first(2)));
    EXPECT_FALSE(std::signbit(own[0]));
    EXPECT_FALSE(std::signbit(shared[0]));
  });
}

// --- Memory --------------------------------------------------------------------------------------------------------

TEST(Mlp, NeverReadsBeyondAGenotype) {
  for_each_simd_target([](bool) {
    std::vector<MlpShape> all = shapes();
    for (std::size_t outputs = 1; outputs <= 34; ++outputs) all.push_back({{3, outputs}});
    for (const MlpShape& shape : all) {
      SCOPED_TRACE(name_of(shape));
      const Case c(shape, 5);
      GuardedFloats guarded(shape.parameters());
      std::ranges::copy(c.policies[0], guarded.values().begin());
      const std::vector<const float*> same(c.worlds, guarded.values().data());
      ASSERT_EQ(bits_of(c.run_own(same)), bits_of(c.run_shared(guarded.values().data())));
    }
  });
}

TEST(Mlp, LeavesOtherWorldsOfItsOutputsAlone) {
  for_each_simd_target([](bool) {
    const Case c({{5, 67, 9}}, 3);
    std::vector<float> outputs(9 * c.stride, 7.0f);
    std::vector<const float*> pointers;
    for (const auto& policy : c.policies) pointers.push_back(policy.data());
    Mlp(c.shape).run_own(pointers, c.inputs.data(), outputs.data(), c.stride);
    for (std::size_t o = 0; o < 9; ++o) {
      for (std::size_t w = c.worlds; w < c.stride; ++w) ASSERT_EQ(outputs[o * c.stride + w], 7.0f);
    }
  });
}

// --- NaN -----------------------------------------------------------------------------------------------------------

TEST(Mlp, GivesNanActionsForANanInputAndOnlyInThatWorld) {
  for_each_simd_target([](bool) {
    for (const MlpShape& shape : {MlpShape{{87, 64, 64, 8}}, MlpShape{{17, 67, 5, 6}}}) {
      Case c(shape, 17);
      for (const float bad : {kNan, -kNan}) {
        c.inputs[3 * c.stride + 9] = bad;
        const std::vector<const float*> same(c.worlds, c.policies[0].data());
        const std::vector<float> own = c.run_own(same);
        for (std::size_t k = 0; k < own.size(); ++k) {
          ASSERT_EQ(std::isnan(own[k]), k / shape.outputs() == 9) << k;
        }
        EXPECT_EQ(bits_of(own), bits_of(c.run_shared(c.policies[0].data())));
      }
    }
  });
}

TEST(Mlp, GivesNanActionsForANanWeightThatAnInputMeets) {
  for_each_simd_target([](bool) {
    const MlpShape shape{{7, 67, 64, 5}};
    Case c(shape, 3);
    std::ranges::fill(c.inputs, 0.5f);
    for (const std::size_t at : {std::size_t{0}, std::size_t{7 * 67 - 1}, std::size_t{7 * 67 + 66}}) {
      const float before = c.policies[1][at];
      c.policies[1][at] = kNan;
      const std::vector<float> own = c.run_own();
      const std::vector<float> shared = c.run_shared(c.policies[1].data());
      for (std::size_t k = 0; k < own.size(); ++k) {
        EXPECT_EQ(std::isnan(own[k]), k / 5 == 1) << at;
        EXPECT_TRUE(std::isnan(shared[k])) << at;
      }
      c.policies[1][at] = before;
    }
  });
}

TEST(Mlp, SurvivesInfinityAndOverflow) {
  for_each_simd_target([](bool) {
    for (const float bad : {kInfinity, -kInfinity, 3e38f, -3e38f}) {
      Case c({{9, 12, 3}}, 17);
      c.inputs[2 * c.stride + 4] = bad;
      for (const auto& actions : {c.run_own(), c.run_shared(c.policies[0].data())}) {
        for (const float action : actions) EXPECT_TRUE(std::isnan(action) || std::abs(action) <= 1.0f);
      }
    }
  });
}

// --- tanh ----------------------------------------------------------------------------------------------------------

// tanh of each value, by a perceptron of one unit of weight 1.
std::vector<float> tanh_of(const std::vector<float>& values) {
  const std::vector<float> policy = {1, 0};
  std::vector<float> inputs(padded(values.size()));
  std::ranges::copy(values, inputs.begin());
  std::vector<float> outputs(inputs.size());
  Mlp({{1, 1}}).run_shared(policy.data(), inputs.data(), outputs.data(), values.size(), inputs.size());
  outputs.resize(values.size());
  return outputs;
}

// From the smallest float to beyond saturation, evenly in their bits.
std::vector<float> sweep() {
  std::vector<float> result;
  for (std::uint32_t bits = 1; bits < 0x42000000u; bits += 4999) result.push_back(std::bit_cast<float>(bits));
  for (int i = 1; i < 40'000; ++i) result.push_back(static_cast<float>(i) * 0x1p-12f);
  return result;
}

TEST(Tanh, IsWithinAFewUnitsInTheLastPlace) {
  for_each_simd_target([](bool fused) {
    const std::vector<float> values = sweep();
    const std::vector<float> results = tanh_of(values);
    double worst = 0;
    double worst_absolute = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double exact = std::tanh(static_cast<double>(values[i]));
      const auto nearest = static_cast<float>(exact);
      const double unit = std::nextafter(nearest, 2.0f) - static_cast<double>(nearest);
      worst = std::max(worst, std::abs(results[i] - exact) / unit);
      worst_absolute = std::max(worst_absolute, std::abs(results[i] - exact));
    }
    EXPECT_LT(worst, fused ? 2.5 : 3.0);
    EXPECT_LT(worst_absolute, 1e-7);
    EXPECT_GT(worst, 0.0);
  });
}

TEST(Tanh, IsOddAndNeverLeavesMinusOneToOne) {
  for_each_simd_target([](bool) {
    const std::vector<float> values = sweep();
    std::vector<float> negative;
    for (const float value : values) negative.push_back(-value);
    const std::vector<float> results = tanh_of(values);
    const std::vector<float> negative_results = tanh_of(negative);
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_EQ(results[i], -negative_results[i]) << values[i];
      ASSERT_LE(results[i], 1.0f) << values[i];
      ASSERT_GE(results[i], 0.0f) << values[i];
    }
  });
}

TEST(Tanh, SaturatesExactly) {
  for_each_simd_target([](bool) {
    EXPECT_EQ(tanh_of({9.02f, 10.0f, 20.0f, 100.0f, 1e10f, 3e38f, kInfinity}), std::vector<float>(7, 1.0f));
    EXPECT_EQ(tanh_of({-9.02f, -10.0f, -20.0f, -100.0f, -1e10f, -3e38f, -kInfinity}), std::vector<float>(7, -1.0f));
    EXPECT_LT(tanh_of({8.0f})[0], 1.0f);
    EXPECT_EQ(tanh_of({0.0f})[0], 0.0f);
  });
}

TEST(Tanh, GivesOneNanForAll) {
  for_each_simd_target([](bool) {
    const std::vector<float> results = tanh_of({kNan, -kNan, std::bit_cast<float>(0x7fc12345u)});
    for (const float result : results) EXPECT_EQ(std::bit_cast<std::uint32_t>(result), 0x7fc00000u);
  });
}

TEST(Tanh, GivesTheSameBitsOnEveryTargetThatFusesMultiplyAndAdd) {
  const std::vector<float> values = sweep();
  const auto best = bits_of(tanh_of(values));
  for_each_simd_target([&](bool fused) {
    if (!fused) return;
    EXPECT_EQ(bits_of(tanh_of(values)), best);
  });
}

}  // namespace
}  // namespace aria
