// The same algorithms at several budgets.
#include "aria/run/budget_sweep.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/messages.hpp"

namespace aria {
namespace {

using aria::testing::message_of;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

TEST(BudgetSweep, TakesSharesAsPeopleWriteThem) {
  EXPECT_THAT(parse_shares("1/16, 1,0.25"), ElementsAre(1, 0.25, 0.0625));
  EXPECT_THAT(message_of([] { parse_shares("2"); }), HasSubstr("at most 1"));
  EXPECT_THAT(message_of([] { parse_shares("0"); }), HasSubstr("above 0"));
  EXPECT_THAT(message_of([] { parse_shares("1/0"); }), HasSubstr("'1/0'"));
  EXPECT_THAT(message_of([] { parse_shares("half"); }), HasSubstr("a finite number"));
  EXPECT_THAT(message_of([] { parse_shares("1/4,0.25"); }), HasSubstr("shares that differ"));
}

TEST(BudgetSweep, RunsEveryAlgorithmAtEveryBudgetAndComparesThemAll) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "budget-sweep-test";
  std::filesystem::remove_all(folder);
  StudyConfig config;
  config.task = "arm";
  config.algorithms = std::vector<std::string>{"map-elites", "aria-gn"};
  config.replications = 1;
  config.reevaluations = 16;
  config.settings = {{"grid", "6x6"}};
  const std::vector<double> shares = {1.0 / 256, 1.0 / 1024};
  const BudgetSweep sweep = run_budget_sweep(config, shares, folder, false, {});
  ASSERT_TRUE(sweep.study.data.has_value());
  EXPECT_EQ(sweep.study.runs, 4u);
  EXPECT_EQ(sweep.study.finished, 4u);
  const std::vector<StudyAlgorithm>& all = sweep.study.data->algorithms;
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].name, "map-elites x 1/256");
  EXPECT_EQ(all[3].name, "aria-gn x 1/1024");
  EXPECT_NEAR(static_cast<double>(all[0].runs[0].evaluations) / static_cast<double>(all[1].runs[0].evaluations), 4,
              0.1);
  EXPECT_TRUE(std::filesystem::exists(folder / all[1].runs[0].folder / "archive.npz"));

  const auto json = nlohmann::json::parse(sweep.json);
  EXPECT_EQ(json["sweep"]["curves"].size(), 2u);
  EXPECT_EQ(json["sweep"]["curves"][0]["points"].size(), 2u);
  EXPECT_EQ(json["sweep"]["published"][0]["name"], "map-elites");

  // again, nothing is run
  const BudgetSweep again = run_budget_sweep(config, shares, folder, false, {});
  EXPECT_EQ(again.study.started, 0u);
  EXPECT_EQ(again.json, sweep.json);
  std::filesystem::remove_all(folder);
}

TEST(BudgetSweep, TakesSharesOfABudgetThatIsGiven) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "budget-sweep-given";
  std::filesystem::remove_all(folder);
  StudyConfig config;
  config.task = "arm";
  config.algorithms = std::vector<std::string>{"map-elites"};
  config.replications = 1;
  config.reevaluations = 16;
  config.settings = {{"grid", "6x6"}, {"budget", "2000"}, {"batch", "50"}};
  const BudgetSweep sweep = run_budget_sweep(config, {1, 0.25}, folder, false, {});
  ASSERT_TRUE(sweep.study.data.has_value());
  const std::vector<StudyAlgorithm>& all = sweep.study.data->algorithms;
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].runs[0].evaluations, 2000u);
  EXPECT_EQ(all[1].runs[0].evaluations, 500u);
  std::filesystem::remove_all(folder);
}

// Steps of training, of which a shorter run takes more, are no evaluations.
TEST(BudgetSweep, LeavesAsItIsWhatCostsNoEvaluations) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "budget-sweep-training";
  std::filesystem::remove_all(folder);
  StudyConfig config;
  config.task = "walker";
  config.algorithms = std::vector<std::string>{"pga-me"};
  config.replications = 1;
  config.reevaluations = 4;
  config.settings = {{"grid", "3x3"},         {"hidden", "4"},          {"episode_length", "5"}, {"budget", "160"},
                     {"batch", "16"},         {"critic_steps", "3"},    {"critic_hidden", "4"},  {"critic_batch", "16"},
                     {"gradient_steps", "2"}, {"gradient_batch", "16"}, {"replay_size", "200"}};
  const BudgetSweep sweep = run_budget_sweep(config, {0.25}, folder, false, {});
  ASSERT_TRUE(sweep.study.data.has_value());
  const StudyRun& run = sweep.study.data->algorithms[0].runs[0];
  EXPECT_EQ(run.evaluations, 40u);
  EXPECT_THAT(read_config(folder / run.folder / "run.toml").settings, Contains(Pair("critic_steps", "3")));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace aria
