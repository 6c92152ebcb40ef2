#include "aria/core/state.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/messages.hpp"

namespace aria {
namespace {

using aria::testing::message_of;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(State, GivesBackWhatWasPut) {
  State state;
  state.put("count", std::int64_t{-5});
  state.put("floats", std::vector<float>{1.5f, -0.0f});
  state.put("doubles", std::vector<double>{0.1});
  state.put("words", std::vector<std::uint32_t>{0xffffffffu});
  state.put("none", std::vector<std::int64_t>{});
  EXPECT_EQ(state.get_integer("count"), -5);
  EXPECT_THAT(state.get<float>("floats"), ElementsAre(1.5f, -0.0f));
  EXPECT_THAT(state.get<double>("doubles", 1), ElementsAre(0.1));
  EXPECT_THAT(state.get<std::uint32_t>("words"), ElementsAre(0xffffffffu));
  EXPECT_THAT(state.get<std::int64_t>("none", 0), IsEmpty());
  EXPECT_TRUE(state.contains("count"));
  EXPECT_FALSE(state.contains("coun"));
}

TEST(State, KeepsTheLastOfSeveralValuesOfOneName) {
  State state;
  state.put("x", std::int64_t{1});
  state.put("x", std::vector<float>{2});
  EXPECT_THAT(state.get<float>("x"), ElementsAre(2));
  EXPECT_EQ(state.arrays().size(), 1u);
}

TEST(State, RecordsShapes) {
  State state;
  state.put("one", std::int64_t{1});
  state.put("three", std::vector<float>(3));
  EXPECT_THAT(state.arrays().at("one").shape, ElementsAre(1));
  EXPECT_THAT(state.arrays().at("three").shape, ElementsAre(3));
}

TEST(State, NamesWhatIsMissing) {
  EXPECT_THAT(message_of([] { State().get<float>("genotypes"); }),
              AllOf(HasSubstr("'genotypes'"), HasSubstr("missing")));
  EXPECT_THAT(message_of([] { State().get_integer("step"); }), AllOf(HasSubstr("'step'"), HasSubstr("missing")));
}

TEST(State, RefusesAnotherType) {
  State state;
  state.put("x", std::vector<float>{1});
  EXPECT_THAT(message_of([&] { state.get<double>("x"); }), AllOf(HasSubstr("'x'"), HasSubstr("wrong type")));
  EXPECT_THAT(message_of([&] { state.get_integer("x"); }), AllOf(HasSubstr("'x'"), HasSubstr("wrong type")));
}

TEST(State, RefusesAnotherSize) {
  State state;
  state.put("x", std::vector<float>{1, 2});
  state.put("n", std::vector<std::int64_t>{});
  EXPECT_THAT(message_of([&] { state.get<float>("x", 3); }),
              AllOf(HasSubstr("'x'"), HasSubstr("3 values long"), HasSubstr("got 2")));
  EXPECT_THAT(message_of([&] { state.get_integer("n"); }), AllOf(HasSubstr("'n'"), HasSubstr("got 0")));
}

TEST(State, HoldsPartsUnderAPrefix) {
  State inner;
  inner.put("step", std::int64_t{4});
  inner.put("genotypes", std::vector<float>{1, 2});
  State outer;
  outer.put("step", std::int64_t{9});
  outer.put("archive", std::int64_t{8});
  outer.put("archived/step", std::int64_t{7});
  outer.put_part("archive/", State(inner));
  EXPECT_EQ(outer.part("archive/"), inner);
  EXPECT_EQ(outer.get_integer("step"), 9);
  EXPECT_EQ(outer.get_integer("archive/step"), 4);
  EXPECT_EQ(outer.part("nothing/"), State());
}

TEST(State, TakesPartsOut) {
  State inner;
  inner.put("genotypes", std::vector<float>{1, 2});
  State outer;
  outer.put("archive", std::int64_t{8});
  outer.put("archived/step", std::int64_t{7});
  const State rest = outer;
  outer.put_part("archive/", State(inner));
  const float* values = outer.get<float>("archive/genotypes").data();
  const State taken = outer.take_part("archive/");
  EXPECT_EQ(taken, inner);
  EXPECT_EQ(taken.get<float>("genotypes").data(), values) << "moved, not copied";
  EXPECT_EQ(outer, rest);
  EXPECT_EQ(outer.take_part("nothing/"), State());
}

TEST(State, HoldsPartsWithinParts) {
  State a;
  a.put("x", std::int64_t{1});
  State b;
  b.put_part("a/", State(a));
  State c;
  c.put_part("b/", State(b));
  EXPECT_EQ(c.get_integer("b/a/x"), 1);
  EXPECT_EQ(c.part("b/").part("a/"), a);
  EXPECT_EQ(c.part("b/a/"), a);
}

TEST(State, IsEqualOnlyWithTheSameNamesTypesAndValues) {
  State a;
  a.put("x", std::vector<float>{1});
  State b = a;
  EXPECT_EQ(a, b);
  b.put("x", std::vector<double>{1});
  EXPECT_NE(a, b);
  b.put("x", std::vector<float>{2});
  EXPECT_NE(a, b);
  b = a;
  b.put("y", std::int64_t{0});
  EXPECT_NE(a, b);
}

}  // namespace
}  // namespace aria
