// What the program tells about itself.
#include <nlohmann/json.hpp>

#include "aria/algorithm/registry.hpp"
#include "aria/task/registry.hpp"
#include "program.hpp"

namespace aria::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

using Json = nlohmann::ordered_json;

class Help : public Program {};

TEST_F(Help, ShowsExamples) {
  const Finished all = succeed({"--help"});
  EXPECT_THAT(all.out, AllOf(HasSubstr("Examples:"), HasSubstr("Exit codes: 0 done, 2 bad input, 3 interrupted")));
  EXPECT_EQ(all.err, "");
  EXPECT_THAT(commands(), ::testing::IsSupersetOf({"run", "improve", "correct", "study", "report", "rollout", "verify",
                                                   "tasks", "algorithms", "completion"}));
  for (const std::string& command : commands()) {
    const Finished one = succeed({command, "--help"});
    EXPECT_THAT(one.out, AllOf(HasSubstr("Examples:\n  "), HasSubstr("aria " + command))) << command;
    EXPECT_EQ(one.err, "");
  }
}

TEST_F(Help, IsWhatTheProgramAloneShows) {
  const Finished finished = succeed({});
  EXPECT_EQ(finished.out, succeed({"--help"}).out);
  EXPECT_EQ(finished.err, "");
}

TEST_F(Help, TellsEveryOption) {
  const std::string run = succeed({"run", "--help"}).out;
  for (const char* option : {"--task", "--algorithm", "--preset", "--seed", "--out", "--config", "--set",
                             "--reevaluations", "--threads", "--json", "--quiet"}) {
    EXPECT_THAT(run, HasSubstr(option));
  }
  EXPECT_THAT(succeed({"correct", "--help"}).out, HasSubstr("--keep-samples"));
  EXPECT_THAT(succeed({"improve", "--help"}).out, Not(HasSubstr("--algorithm")));
}

TEST_F(Help, TellsTheVersion) {
  EXPECT_THAT(succeed({"--version"}).out, MatchesRegex("aria [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

class Listing : public Program {
 protected:
  // Every setting is listed with its default and its meaning, for people and for programs.
  static void expect_listed(const SettingTable& table, const std::string& text, const Json& settings) {
    ASSERT_EQ(settings.size(), table.entries().size());
    for (std::size_t i = 0; i < settings.size(); ++i) {
      const SettingTable::Entry& entry = table.entries()[i];
      EXPECT_EQ(settings[i]["name"], entry.name);
      EXPECT_EQ(settings[i]["meaning"], entry.meaning);
      const Json& value = settings[i]["default"];
      EXPECT_EQ(value.is_string() ? value : Json::parse(entry.get()), value.is_string() ? Json(entry.get()) : value);
      EXPECT_THAT(text, AllOf(HasSubstr("\n" + entry.name + " "), HasSubstr(" " + entry.get() + " ")));
    }
  }
};

TEST_F(Listing, HasEveryTask) {
  const std::string text = succeed({"tasks"}).out;
  const Json list = Json::parse(succeed({"tasks", "--json"}).out);
  std::string names;
  ASSERT_EQ(list.size(), task_entries().size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const TaskEntry& entry = task_entries()[i];
    names += entry.name + "\n";
    EXPECT_EQ(list[i]["name"], entry.name);
    EXPECT_EQ(list[i]["summary"], entry.summary);
    EXPECT_THAT(text, HasSubstr(entry.name + ": " + entry.summary));
    expect_listed(plan_task(entry.name).settings, text, list[i]["settings"]);
  }
  EXPECT_EQ(succeed({"tasks", "--names"}).out, names);
}

TEST_F(Listing, HasEveryAlgorithm) {
  const TaskInfo info = plan_task(task_entries().front().name).build()->info();
  const std::string text = succeed({"algorithms"}).out;
  const Json list = Json::parse(succeed({"algorithms", "--json"}).out);
  ASSERT_EQ(list.size(), algorithm_entries().size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const AlgorithmEntry& entry = algorithm_entries()[i];
    EXPECT_EQ(list[i]["name"], entry.name);
    EXPECT_EQ(list[i]["needs_archive"], entry.needs_archive);
    EXPECT_THAT(text, HasSubstr(entry.name + ": " + entry.summary));
    expect_listed(plan_algorithm(entry.name, info, Preset::kPaper).settings, text, list[i]["settings"]);
  }
}

TEST_F(Listing, ShowsTheDefaultsOfAPreset) {
  const TaskInfo info = plan_task("arm").build()->info();
  const std::string text = succeed({"algorithms", "--task", "arm", "--preset", "lite"}).out;
  EXPECT_THAT(text, StartsWith("Defaults are those of task 'arm', preset 'lite'."));
  const Json list = Json::parse(succeed({"algorithms", "--task", "arm", "--preset", "lite", "--json"}).out);
  for (const Json& algorithm : list) {
    const auto plan = plan_algorithm(algorithm["name"].get<std::string>(), info, Preset::kLite);
    expect_listed(plan.settings, text, algorithm["settings"]);
  }
}

TEST_F(Listing, SaysWhichAlgorithmsATaskCannotHave) {
  EXPECT_THAT(succeed({"algorithms", "--task", "arm"}).out,
              HasSubstr("(not for 'arm', whose genotypes are no policies)"));
  EXPECT_THAT(succeed({"algorithms", "--task", "walker"}).out, Not(HasSubstr("not for")));
}

TEST_F(Listing, NamesWhatCanBeRun) {
  const std::string names = succeed({"algorithms", "--names"}).out;
  std::string expected;
  for (const AlgorithmEntry& entry : algorithm_entries()) {
    if (!entry.needs_archive) expected += entry.name + "\n";
  }
  EXPECT_EQ(names, expected);
  EXPECT_THAT(names, AllOf(HasSubstr("aria-me\n"), Not(HasSubstr("aria\n"))));
}

}  // namespace
}  // namespace aria::testing
