#include "aria/policy/network.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "aria/policy/initial_policy.hpp"
#include "aria/policy/mlp.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/network_reference.hpp"
#include "tests/support/simd_targets.hpp"

namespace aria {
namespace {

using aria::testing::bits_of;
using aria::testing::difference_gradient;
using aria::testing::for_each_simd_target;
using aria::testing::network_reference;
using aria::testing::to_doubles;

const std::vector<MlpShape>& shapes() {
  static const std::vector<MlpShape> result = {{{3, 2}},     {{5, 7, 1}},    {{9, 17, 6, 3}},
                                               {{4, 1, 18}}, {{5, 7, 2}, 2}, {{9, 17, 6, 3}, 4}};
  return result;
}

// A batch, and an objective: the sum of all outputs, each with a weight of its own.
struct Case {
  MlpShape shape;
  OutputKind output;
  std::size_t samples;
  std::vector<float> parameters;
  LaneMatrix inputs;
  LaneMatrix weights;
  PackedWeights packed;
  Network network;

  Case(MlpShape of, OutputKind kind, std::size_t how_many)
      : shape(std::move(of)),
        output(kind),
        samples(how_many),
        parameters(shape.parameters()),
        inputs(shape.inputs(), samples),
        weights(shape.outputs(), samples),
        packed(shape),
        network(shape, output, samples) {
    std::mt19937 random(3);
    std::normal_distribution<float> normal;
    initial_policy(shape, Key(1), 0, parameters);
    for (float& p : parameters) p += 0.1f * normal(random);
    for (LaneMatrix* matrix : {&inputs, &weights}) {
      for (std::size_t r = 0; r < matrix->rows(); ++r) {
        for (std::size_t s = 0; s < samples; ++s) (*matrix)(r, s) = normal(random);
      }
    }
    packed.set(parameters);
  }

  std::vector<double> inputs_of(std::size_t sample) const {
    std::vector<double> result;
    for (std::size_t i = 0; i < shape.inputs(); ++i) result.push_back(inputs(i, sample));
    return result;
  }

  double objective(const std::vector<double>& at, std::size_t sample, const std::vector<double>& input) const {
    const std::vector<double> out = network_reference(shape, output, at, input);
    double sum = 0;
    for (std::size_t o = 0; o < out.size(); ++o) sum += static_cast<double>(weights(o, sample)) * out[o];
    return sum;
  }

  void run() {
    network.forward(packed, inputs, all_blocks(inputs));
    for (std::size_t o = 0; o < shape.outputs(); ++o) {
      for (std::size_t s = 0; s < samples; ++s) network.output_gradient()(o, s) = weights(o, s);
    }
    network.backward(packed, all_blocks(inputs));
  }
};

template <class F>
void for_each_case(const F& body) {
  for (const MlpShape& shape : shapes()) {
    for (const OutputKind output : {OutputKind::kLinear, OutputKind::kTanh}) {
      SCOPED_TRACE(fmt::format("{}, {}", fmt::join(shape.sizes, "-"), output == OutputKind::kTanh ? "tanh" : "linear"));
      Case c(shape, output, 19);
      body(c);
    }
  }
}

TEST(Network, GivesTheOutputsOfTheReference) {
  for_each_case([](Case& c) {
    c.run();
    for (std::size_t s = 0; s < c.samples; ++s) {
      const auto expected = network_reference(c.shape, c.output, to_doubles(c.parameters), c.inputs_of(s));
      for (std::size_t o = 0; o < expected.size(); ++o) ASSERT_NEAR(c.network.outputs()(o, s), expected[o], 1e-5);
    }
  });
}

// What is trained is what the simulations run.
TEST(Network, GivesTheBitsOfThePolicy) {
  for_each_simd_target([](bool) {
    Case c({{87, 64, 64, 8}}, OutputKind::kTanh, 20);
    c.run();
    constexpr std::size_t kStride = 32;
    std::vector<float> inputs(87 * kStride);
    for (std::size_t i = 0; i < 87; ++i) {
      for (std::size_t s = 0; s < c.samples; ++s) inputs[i * kStride + s] = c.inputs(i, s);
    }
    std::vector<float> outputs(8 * kStride);
    Mlp(c.shape).run_shared(c.parameters.data(), inputs.data(), outputs.data(), c.samples, kStride);
    for (std::size_t o = 0; o < 8; ++o) {
      for (std::size_t s = 0; s < c.samples; ++s) {
        ASSERT_EQ(bits_of(std::vector{c.network.outputs()(o, s)}), bits_of(std::vector{outputs[o * kStride + s]}));
      }
    }
  });
}

TEST(Network, GivesTheGradientOfParametersThatDifferencesGive) {
  for_each_case([](Case& c) {
    c.run();
    std::vector<float> gradient(c.network.parameters());
    c.network.parameter_gradient(c.inputs, gradient);
    const auto expected = difference_gradient(
        [&](const std::vector<double>& at) {
          double sum = 0;
          for (std::size_t s = 0; s < c.samples; ++s) sum += c.objective(at, s, c.inputs_of(s));
          return sum;
        },
        to_doubles(c.parameters));
    for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(gradient[i], expected[i], 5e-5) << i;
  });
}

TEST(Network, GivesTheGradientOfInputsThatDifferencesGive) {
  for_each_case([](Case& c) {
    if (c.shape.carried > 0) return;
    c.run();
    LaneMatrix gradient(c.shape.inputs() - 1, c.samples);
    c.network.input_gradient(c.packed, 1, all_blocks(c.inputs), gradient);
    for (std::size_t s = 0; s < c.samples; ++s) {
      const auto expected = difference_gradient(
          [&](const std::vector<double>& at) { return c.objective(to_doubles(c.parameters), s, at); }, c.inputs_of(s));
      for (std::size_t i = 1; i < expected.size(); ++i) ASSERT_NEAR(gradient(i - 1, s), expected[i], 5e-5);
    }
  });
}

TEST(Network, GivesTheSameGradientInPartsOfBlocksAndOfParameters) {
  Case whole({{9, 17, 6, 3}}, OutputKind::kTanh, 40);
  whole.run();
  std::vector<float> expected(whole.network.parameters());
  whole.network.parameter_gradient(whole.inputs, expected);

  Case c({{9, 17, 6, 3}}, OutputKind::kTanh, 40);
  for (std::size_t o = 0; o < 3; ++o) {
    for (std::size_t s = 0; s < c.samples; ++s) c.network.output_gradient()(o, s) = c.weights(o, s);
  }
  for (const BlockRange range : {BlockRange{1, 3}, BlockRange{0, 1}}) {
    c.network.forward(c.packed, c.inputs, range);
    c.network.backward(c.packed, range);
  }
  std::vector<float> gradient(expected.size());
  for (std::size_t part = c.network.gradient_parts(); part-- > 0;) {
    c.network.parameter_gradient(c.inputs, part, gradient);
  }
  EXPECT_EQ(bits_of(gradient), bits_of(expected));
}

TEST(Network, GivesGradientsOfRangesOfBlocksThatAddUp) {
  for_each_case([](Case& c) {
    c.run();
    std::vector<float> expected(c.network.parameters()), part(expected.size()), sum(expected.size());
    c.network.parameter_gradient(c.inputs, expected);
    for (std::size_t block = 0; block < c.inputs.blocks(); ++block) {
      c.network.parameter_gradient(c.inputs, BlockRange{block, block + 1}, part);
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
    }
    for (std::size_t i = 0; i < sum.size(); ++i) ASSERT_NEAR(sum[i], expected[i], 1e-5) << i;
    c.network.parameter_gradient(c.inputs, all_blocks(c.inputs), part);
    EXPECT_EQ(bits_of(part), bits_of(expected));
  });
}

}  // namespace
}  // namespace aria
