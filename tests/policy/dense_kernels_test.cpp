#include "aria/policy/dense_kernels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "tests/support/bits.hpp"
#include "tests/support/guarded_memory.hpp"
#include "tests/support/simd_targets.hpp"

namespace aria {
namespace {

using aria::testing::bits_of;
using aria::testing::for_each_simd_target;
using aria::testing::GuardedFloats;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

const std::vector<DenseShape>& shapes() {
  static const std::vector<DenseShape> result = {{1, 1},   {3, 1},   {1, 7},   {5, 8},   {7, 9},
                                                 {95, 33}, {23, 64}, {64, 13}, {17, 31}, {130, 70}};
  return result;
}

// A layer with some numbers in it; lanes beyond the samples are NaN, which must reach nothing.
struct Case {
  DenseShape shape;
  std::size_t samples;
  LaneMatrix x;
  LaneMatrix dy;
  GuardedFloats parameters;

  Case(DenseShape of, std::size_t how_many)
      : shape(of), samples(how_many), x(of.inputs, how_many), dy(of.outputs, how_many), parameters(of.parameters()) {
    std::mt19937 random(7);
    std::normal_distribution<float> normal;
    for (float& p : parameters.values()) p = normal(random);
    for (LaneMatrix* matrix : {&x, &dy}) {
      for (std::size_t r = 0; r < matrix->rows(); ++r) {
        for (std::size_t s = 0; s < matrix->blocks() * 16; ++s) {
          // a third is off, as of units that are rectified
          (*matrix)(r, s) = s >= samples ? kNan : random() % 3 == 0 ? 0.0f : normal(random);
        }
      }
    }
  }

  const float* weights() { return parameters.values().data(); }
  const float* biases() { return weights() + shape.weights(); }

  LaneMatrix forward(Activation activation, std::vector<BlockRange> ranges) {
    GuardedFloats packed(shape.weights());
    pack_dense_weights(shape, weights(), packed.values().data());
    LaneMatrix y(shape.outputs, samples);
    for (const BlockRange& range : ranges) {
      dense_forward(shape, packed.values().data(), biases(), x, activation, range, y);
    }
    return y;
  }
  LaneMatrix forward(Activation activation) { return forward(activation, {all_blocks(x)}); }

  LaneMatrix input_gradient(std::size_t first, std::size_t count, bool masked) {
    LaneMatrix dx(count, samples);
    dense_input_gradient(shape, weights(), dy, first, masked ? &x : nullptr, all_blocks(x), dx);
    return dx;
  }

  std::vector<float> parameter_gradient() {
    GuardedFloats gradient(shape.parameters());
    std::vector<CacheLine> scratch(dense_panel_scratch(samples));
    // the last panel first: the order does not matter
    for (std::size_t panel = dense_panels(shape); panel-- > 0;) {
      dense_parameter_gradient(shape, x, dy, panel, all_blocks(x), scratch.data(), gradient.values().data());
    }
    return {gradient.values().begin(), gradient.values().end()};
  }
};

std::vector<float> samples_of(const LaneMatrix& matrix) {
  std::vector<float> result;
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    for (std::size_t s = 0; s < matrix.samples(); ++s) result.push_back(matrix(r, s));
  }
  return result;
}

// Calls body(case) for every shape and some numbers of samples.
template <class F>
void for_each_case(const F& body) {
  for (const DenseShape& shape : shapes()) {
    for (const std::size_t samples : {1u, 3u, 17u, 48u}) {
      SCOPED_TRACE(fmt::format("{} x {}, {} samples", shape.inputs, shape.outputs, samples));
      Case c(shape, samples);
      body(c);
    }
  }
}

TEST(DenseKernels, GoForwardAsTheReferenceDoes) {
  for_each_simd_target([](bool) {
    for_each_case([](Case& c) {
      const LaneMatrix plain = c.forward(Activation::kNone);
      const LaneMatrix rectified = c.forward(Activation::kRectified);
      const LaneMatrix squashed = c.forward(Activation::kTanh);
      for (std::size_t s = 0; s < c.samples; ++s) {
        for (std::size_t o = 0; o < c.shape.outputs; ++o) {
          double sum = c.biases()[o];
          for (std::size_t i = 0; i < c.shape.inputs; ++i) {
            sum += static_cast<double>(c.x(i, s)) * static_cast<double>(c.weights()[i * c.shape.outputs + o]);
          }
          ASSERT_NEAR(plain(o, s), sum, 2e-5);
          ASSERT_NEAR(rectified(o, s), std::max(sum, 0.0), 2e-5);
          ASSERT_NEAR(squashed(o, s), std::tanh(sum), 2e-5);
        }
      }
    });
  });
}

TEST(DenseKernels, GiveTheGradientOfInputs) {
  for_each_simd_target([](bool) {
    for_each_case([](Case& c) {
      const std::size_t first = c.shape.inputs / 3;
      const std::size_t count = c.shape.inputs - first;
      const LaneMatrix plain = c.input_gradient(first, count, false);
      const LaneMatrix masked = c.input_gradient(first, count, true);
      for (std::size_t s = 0; s < c.samples; ++s) {
        for (std::size_t i = 0; i < count; ++i) {
          double sum = 0;
          for (std::size_t o = 0; o < c.shape.outputs; ++o) {
            sum +=
                static_cast<double>(c.dy(o, s)) * static_cast<double>(c.weights()[(first + i) * c.shape.outputs + o]);
          }
          ASSERT_NEAR(plain(i, s), sum, 2e-5);
          ASSERT_NEAR(masked(i, s), c.x(first + i, s) > 0 ? sum : 0, 2e-5);
        }
      }
    });
  });
}

TEST(DenseKernels, GiveTheGradientOfWeightsAndBiases) {
  for_each_simd_target([](bool) {
    for_each_case([](Case& c) {
      const std::vector<float> gradient = c.parameter_gradient();
      for (std::size_t i = 0; i <= c.shape.inputs; ++i) {
        for (std::size_t o = 0; o < c.shape.outputs; ++o) {
          double sum = 0;
          for (std::size_t s = 0; s < c.samples; ++s) {
            sum += static_cast<double>(c.dy(o, s)) * (i < c.shape.inputs ? static_cast<double>(c.x(i, s)) : 1.0);
          }
          ASSERT_NEAR(gradient[i * c.shape.outputs + o], sum, 2e-5) << i << ", " << o;
        }
      }
    });
  });
}

TEST(DenseKernels, GiveTheSameBitsOnEveryTargetThatFusesMultiplyAndAdd) {
  for_each_case([](Case& c) {
    const auto all = [&] {
      return std::vector{bits_of(samples_of(c.forward(Activation::kTanh))),
                         bits_of(samples_of(c.input_gradient(0, c.shape.inputs, true))),
                         bits_of(c.parameter_gradient())};
    };
    const auto best = all();
    std::size_t compared = 0;
    for_each_simd_target([&](bool fused) {
      if (!fused) return;
      EXPECT_EQ(all(), best);
      ++compared;
    });
    EXPECT_GE(compared, 1u);
  });
}

TEST(DenseKernels, GiveTheSameBitsHoweverBlocksAreSharedOut) {
  for_each_simd_target([](bool) {
    Case c({23, 19}, 70);
    const auto whole = bits_of(samples_of(c.forward(Activation::kRectified)));
    EXPECT_EQ(bits_of(samples_of(c.forward(Activation::kRectified, {{2, 5}, {0, 1}, {1, 2}}))), whole);
  });
}

TEST(DenseKernels, LeaveBlocksOutsideTheRangeAlone) {
  for_each_simd_target([](bool) {
    Case c({5, 7}, 48);
    const LaneMatrix y = c.forward(Activation::kNone, {{1, 2}});
    for (std::size_t o = 0; o < 7; ++o) {
      EXPECT_EQ(y(o, 15), 0.0f);
      EXPECT_NE(y(o, 16), 0.0f);
      EXPECT_EQ(y(o, 32), 0.0f);
      EXPECT_EQ(y(7, 16), 1.0f);  // the row of ones
    }
  });
}

TEST(DenseKernels, LetNaNThroughARectifiedLayer) {
  for_each_simd_target([](bool) {
    Case c({5, 7}, 3);
    c.x(2, 1) = kNan;
    const LaneMatrix y = c.forward(Activation::kRectified);
    for (std::size_t o = 0; o < 7; ++o) {
      EXPECT_FALSE(std::isnan(y(o, 0)));
      EXPECT_TRUE(std::isnan(y(o, 1)));
    }
  });
}

}  // namespace
}  // namespace aria
