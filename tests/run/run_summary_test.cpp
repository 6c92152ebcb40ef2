// The object that --json prints and summary.json holds.
#include "aria/run/summary.hpp"

#include <nlohmann/json.hpp>

#include "tests/persistence/file_helpers.hpp"

namespace aria {
namespace {

using aria::testing::error_of;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

using Json = nlohmann::ordered_json;

RunSummary full_summary() {
  RunSummary summary;
  summary.task = "arm";
  summary.algorithm = "aria-me";
  summary.seed = std::uint64_t{1} << 53;
  summary.evaluations = 1000;
  summary.failed = 3;
  summary.seconds = 0.5;
  summary.cells_in_all = 8;
  summary.result.illusory.emplace();
  summary.result.illusory->cells = 4;
  summary.result.illusory->coverage = 0.5;
  summary.result.illusory->qd_score = 3.25;
  summary.result.illusory->max_fitness = -0.125;
  summary.result.corrected = summary.result.illusory;
  summary.result.corrected->cells = 2;
  summary.result.corrected->qd_score = 1.0 / 3;
  summary.result.corrected->p_score = 1.5;
  summary.result.corrected->p_margin = 0.125;
  summary.result.corrected->v_score = 1.75;
  summary.ranges = {{-1, 0}, {-0.5, 0}};
  summary.reevaluations = 64;
  summary.failed_reevaluations = 1;
  summary.reevaluation_seconds = 0.25;
  return summary;
}

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> result;
  for (const auto& [key, value] : object.items()) result.push_back(key);
  return result;
}

TEST(RunSummary, HasItsKeysInOrder) {
  const Json object = Json::parse(full_summary().to_json());
  EXPECT_THAT(keys(object), ElementsAre("task", "algorithm", "seed", "evaluations", "failed_evaluations", "seconds",
                                        "evaluations_per_second", "cells_in_all", "illusory", "corrected", "ranges",
                                        "reevaluations", "failed_reevaluations", "reevaluation_seconds"));
  EXPECT_THAT(keys(object["illusory"]), ElementsAre("cells", "coverage", "qd_score", "max_fitness"));
  EXPECT_THAT(keys(object["corrected"]),
              ElementsAre("cells", "coverage", "qd_score", "max_fitness", "p_score", "p_score_margin", "v_score"));
  EXPECT_THAT(keys(object["ranges"]), ElementsAre("fitness", "negative_variance"));
}

TEST(RunSummary, HoldsTheFigures) {
  const Json object = Json::parse(full_summary().to_json());
  EXPECT_EQ(object["seed"], std::uint64_t{1} << 53);
  EXPECT_EQ(object["evaluations_per_second"], 2000.0);
  EXPECT_EQ(object["corrected"]["qd_score"], 1.0 / 3);
  EXPECT_EQ(object["ranges"]["negative_variance"], Json::array({-0.5, 0.0}));
}

TEST(RunSummary, EndsWithALine) { EXPECT_THAT(full_summary().to_json(), EndsWith("}\n")); }

TEST(RunSummary, TellsWhatTheAlgorithmStartedFrom) {
  RunSummary summary = full_summary();
  summary.initial = BeforeAndAfter{summary.result.illusory, std::nullopt};
  const Json object = Json::parse(summary.to_json());
  EXPECT_THAT(keys(object["initial"]), ElementsAre("illusory", "corrected"));
  EXPECT_EQ(object["initial"]["illusory"]["cells"], 4);
  EXPECT_TRUE(object["initial"]["corrected"].is_null());
}

TEST(RunSummary, IsNullWhereAFigureIsUnknown) {
  RunSummary summary;
  const Json object = Json::parse(summary.to_json());
  EXPECT_TRUE(object["algorithm"].is_null());
  EXPECT_TRUE(object["illusory"].is_null());
  EXPECT_TRUE(object["corrected"].is_null());
  EXPECT_EQ(object["evaluations_per_second"], 0.0);
  EXPECT_FALSE(object.contains("initial") || object.contains("first_error"));
}

TEST(RunSummary, IsReadBack) {
  RunSummary summary = full_summary();
  EXPECT_EQ(parse_summary(summary.to_json()).to_json(), summary.to_json());
  summary.initial = summary.result;
  summary.first_error = "it said \"no\"\nand more";
  EXPECT_EQ(parse_summary(summary.to_json()).to_json(), summary.to_json());
  EXPECT_EQ(parse_summary(summary.to_json()).first_error, summary.first_error);
  EXPECT_EQ(parse_summary(RunSummary().to_json()).to_json(), RunSummary().to_json());
}

TEST(RunSummary, KeepsWhatIsNotText) {
  RunSummary summary = full_summary();
  summary.first_error = "bad byte \xff here";
  EXPECT_THAT(Json::parse(summary.to_json())["first_error"].get<std::string>(),
              AllOf(HasSubstr("bad byte"), Not(HasSubstr("\xff"))));
}

TEST(RunSummary, RefusesWhatItDidNotWrite) {
  for (const char* text : {"", "{", "[]", "3", "{\"task\": 3}"}) {
    EXPECT_THAT(error_of([&] { parse_summary(text); }), HasSubstr("the summary must be what 'aria run' wrote")) << text;
  }
  Json object = Json::parse(full_summary().to_json());
  object.erase("ranges");
  EXPECT_THAT(error_of([&] { parse_summary(object.dump()); }), HasSubstr("ranges"));
}

}  // namespace
}  // namespace aria
