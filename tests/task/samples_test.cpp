#include "aria/task/samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "aria/core/draws.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/simd_targets.hpp"

namespace aria {
namespace {

using aria::testing::bits_of;
using aria::testing::for_each_simd_target;
using ::testing::ElementsAreArray;

SampleRequest request_of(std::size_t centres, std::size_t parameters, std::size_t samples, float sigma, bool mirrored) {
  SampleRequest request;
  request.centres = Matrix(centres, parameters);
  for (std::size_t i = 0; i < centres; ++i) {
    request.ids.push_back(static_cast<std::uint32_t>(100 + 7 * i));
    for (std::size_t j = 0; j < parameters; ++j) {
      request.centres(i, j) = static_cast<float>(i) - 0.1f * static_cast<float>(j);
    }
  }
  request.samples = samples;
  request.sigma = sigma;
  request.mirrored = mirrored;
  request.key = Key(31);
  return request;
}

Matrix all_solutions(const SampleRequest& request) {
  Matrix solutions(request.evaluations(), request.centres.columns());
  draw_solutions(request, 0, solutions.view());
  return solutions;
}

TEST(DrawSolutions, AreTheCentresThemselvesWhereSigmaIsZero) {
  const Matrix solutions = all_solutions(request_of(2, 3, 2, 0, false));
  const std::vector<float> first = {0, -0.1f, -0.2f};
  const std::vector<float> second = {1, 0.9f, 0.8f};
  EXPECT_THAT(solutions.row(0), ElementsAreArray(first));
  EXPECT_THAT(solutions.row(1), ElementsAreArray(first));
  EXPECT_THAT(solutions.row(2), ElementsAreArray(second));
  EXPECT_THAT(solutions.row(3), ElementsAreArray(second));
}

// The noise of sample s (of pair s / 2, with turned sign for the second half, where samples are mirrored).
TEST(DrawSolutions, AreTheCentresPlusNamedNoiseOnEveryTarget) {
  for (const bool mirrored : {false, true}) {
    for (const std::size_t parameters : {1u, 3u, 4u, 9u, 64u, 65u, 130u, 5000u}) {
      SCOPED_TRACE(::testing::Message() << parameters << " parameters" << (mirrored ? ", mirrored" : ""));
      const SampleRequest request = request_of(3, parameters, parameters < 1000 ? 34 : 2, 0.05f, mirrored);
      std::vector<std::uint32_t> fused_bits;
      for_each_simd_target([&](bool fused) {
        const Matrix solutions = all_solutions(request);
        for (std::size_t e = 0; e < solutions.rows(); ++e) {
          const std::size_t centre = e / request.samples;
          const std::size_t sample = e % request.samples;
          const double sigma = mirrored && sample % 2 == 1 ? -request.sigma : request.sigma;
          for (std::uint32_t j = 0; j < parameters; ++j) {
            const auto noise =
                static_cast<double>(normal(request.key, Purpose::kPerturbation, request.ids[centre],
                                           static_cast<std::uint32_t>(mirrored ? sample / 2 : sample), j));
            const double expected = static_cast<double>(request.centres(centre, j)) + sigma * noise;
            ASSERT_NEAR(solutions(e, j), expected, 1.2e-7 * (1 + std::abs(expected)))
                << "evaluation " << e << ", parameter " << j;
          }
        }
        if (!fused) return;
        if (fused_bits.empty()) fused_bits = bits_of(solutions.values());
        EXPECT_EQ(bits_of(solutions.values()), fused_bits);
      });
    }
  }
}

TEST(DrawSolutions, DoNotDependOnHowTheRequestIsCut) {
  const SampleRequest request = request_of(5, 9, 34, 0.3f, true);
  const Matrix all = all_solutions(request);
  for (const std::size_t piece : {1u, 2u, 17u, 63u, 64u, 65u, 130u}) {
    Matrix pieces(all.rows(), all.columns());
    for (std::size_t first = 0; first < all.rows(); first += piece) {
      draw_solutions(request, first, pieces.view().rows(first, std::min(piece, all.rows() - first)));
    }
    EXPECT_EQ(bits_of(pieces.values()), bits_of(all.values())) << "pieces of " << piece;
  }
}

TEST(DrawSolutions, DoNotDependOnOtherCentres) {
  const SampleRequest request = request_of(5, 9, 34, 0.3f, false);
  const Matrix all = all_solutions(request);
  SampleRequest alone = request;
  alone.centres = Matrix(1, 9);
  std::ranges::copy(request.centres.row(3), alone.centres.row(0).begin());
  alone.ids = {request.ids[3]};
  EXPECT_EQ(bits_of(all_solutions(alone).values()), bits_of(all.view().rows(3 * 34, 34).values()));
}

TEST(DrawSolutions, DifferForAnotherSeed) {
  SampleRequest request = request_of(2, 9, 34, 0.3f, true);
  const Matrix first = all_solutions(request);
  EXPECT_EQ(all_solutions(request), first);
  request.key = Key(32);
  EXPECT_NE(all_solutions(request), first);
}

TEST(SampleRequest, CountsItsEvaluations) {
  EXPECT_EQ(request_of(3, 2, 34, 0, false).evaluations(), 102u);
  EXPECT_EQ(SampleRequest().evaluations(), 0u);
}

}  // namespace
}  // namespace aria
