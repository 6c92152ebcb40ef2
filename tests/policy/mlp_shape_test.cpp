#include "aria/policy/mlp_shape.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aria/policy/mlp.hpp"
#include "tests/support/messages.hpp"

namespace aria {
namespace {

using aria::testing::message_of;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::string message_for(std::vector<std::size_t> sizes) {
  return message_of([&] { MlpShape{std::move(sizes)}.validate(); });
}

TEST(MlpShape, CountsWeightsAndBiases) {
  EXPECT_EQ((MlpShape{{87, 64, 64, 8}}.parameters()), 10'312u);  // the ant
  EXPECT_EQ((MlpShape{{17, 64, 64, 6}}.parameters()), 5'702u);   // the walker
  EXPECT_EQ((MlpShape{{3, 2}}.parameters()), 8u);
  EXPECT_EQ((MlpShape{{5, 4, 3}, 2}.parameters()), (5u + 1) * 4 + (4 + 2 + 1) * 3);
}

TEST(MlpShape, KnowsItsEnds) {
  const MlpShape shape{{17, 64, 32, 6}};
  EXPECT_EQ(shape.inputs(), 17u);
  EXPECT_EQ(shape.outputs(), 6u);
  EXPECT_EQ(shape.layers(), 3u);
}

TEST(MlpShape, AcceptsNoHiddenLayerAndSizesOfOne) {
  EXPECT_NO_THROW((MlpShape{{5, 2}}.validate()));
  EXPECT_NO_THROW((MlpShape{{1, 1, 1, 1}}.validate()));
}

TEST(MlpShape, CarriesAtMostItsInputsAndOnlyToASecondLayer) {
  EXPECT_NO_THROW((MlpShape{{5, 4, 2}, 5}.validate()));
  EXPECT_THAT(message_of([] { MlpShape{{5, 4, 2}, 6}.validate(); }), AllOf(HasSubstr("carried"), HasSubstr("got 6")));
  EXPECT_THAT(message_of([] { MlpShape{{5, 2}, 1}.validate(); }), HasSubstr("carried"));
}

TEST(MlpShape, RejectsFewerThanTwoSizes) {
  EXPECT_THAT(message_for({}), AllOf(HasSubstr("sizes"), HasSubstr("at least two"), HasSubstr("got []")));
  EXPECT_THAT(message_for({8}), AllOf(HasSubstr("inputs, hidden layers, outputs"), HasSubstr("got [8]")));
}

TEST(MlpShape, NamesThePartThatIsZeroOrTooWide) {
  EXPECT_THAT(message_for({0, 64, 8}), AllOf(HasSubstr("policy's inputs"), HasSubstr("got 0")));
  EXPECT_THAT(message_for({87, 64, 0, 8}), AllOf(HasSubstr("policy's hidden layers"), HasSubstr("got [64, 0]")));
  EXPECT_THAT(message_for({87, 64, 0}), AllOf(HasSubstr("policy's outputs"), HasSubstr("got 0")));
  EXPECT_THAT(message_for({87, std::size_t{1} << 40, 8}), AllOf(HasSubstr("hidden"), HasSubstr("1048576")));
}

TEST(Mlp, RejectsAShapeThatIsNotOne) {
  EXPECT_THAT(message_of([] { Mlp({{87, 0, 8}}); }), HasSubstr("hidden layers"));
  EXPECT_THAT(message_of([] { Mlp(MlpShape{}); }), HasSubstr("at least two"));
}

}  // namespace
}  // namespace aria
