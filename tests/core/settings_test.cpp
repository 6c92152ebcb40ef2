#include "aria/core/settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/messages.hpp"

namespace aria {
namespace {

using aria::testing::message_of;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

struct Fields {
  std::size_t batch = 64;
  double sigma = 0.02;
  std::vector<std::size_t> grid = {32, 32};
  std::string spread = "deviation";
};

SettingTable table_of(Fields& fields) {
  SettingTable table;
  table.add("batch", fields.batch, "offspring per generation");
  table.add("sigma", fields.sigma, "width");
  table.add("grid", fields.grid, "cells");
  table.add("spread", fields.spread, "which", {"deviation", "variance"});
  return table;
}

TEST(ParseCount, TakesWholeNumbersInTheFormsPeopleWrite) {
  EXPECT_EQ(parse_count("budget", "0"), 0u);
  EXPECT_EQ(parse_count("budget", "42"), 42u);
  EXPECT_EQ(parse_count("budget", "2e6"), 2'000'000u);
  EXPECT_EQ(parse_count("budget", "4.28e8"), 428'000'000u);
  EXPECT_EQ(parse_count("budget", "1_000_000"), 1'000'000u);
  EXPECT_EQ(parse_count("budget", "9007199254740992"), std::size_t{1} << 53);
}

TEST(ParseCount, RefusesEverythingElseAndSaysWhatAndWhy) {
  for (const std::string text : {"", "-1", "1.5", "abc", "1e400", "1e17", "inf", "nan", "5 ", " 5", "5x", "_", "1e-3",
                                 "0x10", "1,000", "--1", "\n", "9007199254740994"}) {
    EXPECT_THAT(message_of([&] { parse_count("budget", text); }),
                AllOf(HasSubstr("budget"), HasSubstr("a whole number from 0 to 2^53"), HasSubstr("'" + text + "'")));
  }
}

TEST(ParseNumber, TakesFiniteNumbers) {
  EXPECT_EQ(parse_number("sigma", "0.005"), 0.005);
  EXPECT_EQ(parse_number("sigma", "-3"), -3);
  EXPECT_EQ(parse_number("sigma", "1e-8"), 1e-8);
}

TEST(ParseNumber, RefusesEverythingElseAndSaysWhatAndWhy) {
  for (const std::string text : {"", "abc", "1.0x", "nan", "inf", "-inf", "1e999", " 1", "1 ", "0,5"}) {
    EXPECT_THAT(message_of([&] { parse_number("sigma", text); }),
                AllOf(HasSubstr("sigma"), HasSubstr("a finite number"), HasSubstr("'" + text + "'")));
  }
}

TEST(SettingTable, SetsTheFieldsItIsBoundTo) {
  Fields fields;
  SettingTable table = table_of(fields);
  table.set("batch", "4_096");
  table.set("sigma", "0.5");
  table.set("spread", "variance");
  EXPECT_EQ(fields.batch, 4096u);
  EXPECT_EQ(fields.sigma, 0.5);
  EXPECT_EQ(fields.spread, "variance");
}

TEST(SettingTable, TakesListsInThreeForms) {
  Fields fields;
  SettingTable table = table_of(fields);
  for (const std::string text : {"8,16", "8x16", "[8, 16]", " 8 , 16 ", " [ 8,16 ] "}) {
    fields.grid = {};
    table.set("grid", text);
    EXPECT_THAT(fields.grid, ElementsAre(8, 16)) << text;
  }
  table.set("grid", "5");
  EXPECT_THAT(fields.grid, ElementsAre(5));
  table.set("grid", "[1, 2, 3, 1e1]");
  EXPECT_THAT(fields.grid, ElementsAre(1, 2, 3, 10));
  table.set("grid", "[ ]");
  EXPECT_TRUE(fields.grid.empty());
}

TEST(SettingTable, TakesNothingForAListOnlyInBrackets) {
  Fields fields;
  SettingTable table = table_of(fields);
  EXPECT_THAT(message_of([&] { table.set("grid", " "); }), AllOf(HasSubstr("grid"), HasSubstr("[] for none")));
  EXPECT_THAT(fields.grid, ElementsAre(32, 32));
}

TEST(SettingTable, RefusesListsWithSomethingMissingAndLeavesTheFieldAlone) {
  Fields fields;
  SettingTable table = table_of(fields);
  for (const std::string text : {"8,", ",8", "8,,16", "8x", "8,a", "8;16", "-8,16", "3 2,5", "[8,16", "8,16]",
                                 "[[8,16]]", "8,[16]", "8[]16", "["}) {
    EXPECT_THAT(message_of([&] { table.set("grid", text); }), AllOf(HasSubstr("grid"), HasSubstr("a whole number")))
        << text;
    EXPECT_THAT(fields.grid, ElementsAre(32, 32)) << text;
  }
}

TEST(SettingTable, RefusesBadTextAndLeavesTheFieldAlone) {
  Fields fields;
  SettingTable table = table_of(fields);
  EXPECT_THAT(message_of([&] { table.set("batch", "many"); }), AllOf(HasSubstr("batch"), HasSubstr("'many'")));
  EXPECT_THAT(message_of([&] { table.set("sigma", "wide"); }), AllOf(HasSubstr("sigma"), HasSubstr("'wide'")));
  EXPECT_EQ(fields.batch, 64u);
  EXPECT_EQ(fields.sigma, 0.02);
}

TEST(SettingTable, ListsTheChoicesOfATextSetting) {
  Fields fields;
  SettingTable table = table_of(fields);
  EXPECT_THAT(message_of([&] { table.set("spread", "range"); }),
              AllOf(HasSubstr("spread"), HasSubstr("one of deviation, variance"), HasSubstr("'range'")));
  EXPECT_EQ(fields.spread, "deviation");
}

TEST(SettingTable, SuggestsTheNearestNameForOneThatIsUnknown) {
  Fields fields;
  SettingTable table = table_of(fields);
  EXPECT_THAT(message_of([&] { table.set("sgima", "1"); }),
              AllOf(HasSubstr("unknown setting 'sgima'"), HasSubstr("did you mean 'sigma'?"),
                    HasSubstr("batch, sigma, grid, spread")));
  EXPECT_THAT(message_of([&] { table.set("temperature", "1"); }),
              AllOf(HasSubstr("unknown setting 'temperature'"), Not(HasSubstr("did you mean"))));
}

TEST(SettingTable, ShowsPresentValuesInAFormThatItReads) {
  Fields fields;
  fields.sigma = 0.1 + 0.2;
  SettingTable table = table_of(fields);
  Fields copy;
  copy.grid = {1};
  SettingTable other = table_of(copy);
  for (const SettingTable::Entry& entry : table.entries()) other.set(entry.name, entry.get());
  EXPECT_EQ(copy.batch, fields.batch);
  EXPECT_EQ(copy.sigma, fields.sigma);
  EXPECT_EQ(copy.grid, fields.grid);
  EXPECT_EQ(copy.spread, fields.spread);
}

TEST(SettingTable, KnowsItsNamesInTheirOrder) {
  Fields fields;
  const SettingTable table = table_of(fields);
  EXPECT_THAT(table.names(), ElementsAre("batch", "sigma", "grid", "spread"));
  EXPECT_TRUE(table.contains("grid"));
  EXPECT_FALSE(table.contains("gri"));
  EXPECT_EQ(table.entries()[3].kind, SettingTable::Kind::kText);
  EXPECT_THAT(table.entries()[3].choices, ElementsAre("deviation", "variance"));
  EXPECT_EQ(table.entries()[0].meaning, "offspring per generation");
}

}  // namespace
}  // namespace aria
