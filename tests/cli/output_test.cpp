// What is printed, and where.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace aria::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using Json = nlohmann::ordered_json;

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> result;
  for (const auto& [key, value] : object.items()) result.push_back(key);
  return result;
}

// The keys of an object that are in a list, in the order in which they stand.
std::vector<std::string> keys_among(const Json& object, const std::vector<std::string>& wanted) {
  std::vector<std::string> result = keys(object);
  std::erase_if(result, [&](const std::string& key) { return std::ranges::find(wanted, key) == wanted.end(); });
  return result;
}

bool is_ascii(const std::string& text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

class Output : public Program {
 protected:
  // A run of every kind, by the command that makes it.
  std::vector<Arguments> every_kind() const {
    return {tiny_run("aria-me", "run"), tiny_improvement("run/archive.npz", "better"), {"correct", "run"}};
  }
};

TEST_F(Output, IsOneJsonObjectAndNothingElse) {
  const std::vector<std::string> promised = {
      "task",      "algorithm", "seed",          "evaluations",         "seconds", "evaluations_per_second", "illusory",
      "corrected", "ranges",    "reevaluations", "reevaluation_seconds"};
  for (const Arguments& command : every_kind()) {
    SCOPED_TRACE(command.front());
    const Finished finished = succeed(command + Arguments{"--json"});
    EXPECT_EQ(finished.err, "");
    ASSERT_TRUE(Json::accept(finished.out)) << finished.out;
    const Json object = Json::parse(finished.out);
    EXPECT_EQ(keys_among(object, promised), promised);
    EXPECT_THAT(keys(object["illusory"]), ElementsAre("cells", "coverage", "qd_score", "max_fitness"));
    EXPECT_THAT(keys(object["corrected"]),
                ElementsAre("cells", "coverage", "qd_score", "max_fitness", "p_score", "p_score_margin", "v_score"));
    EXPECT_EQ(object["task"], "arm");
  }
}

TEST_F(Output, IsTheSummaryThatTheFolderHolds) {
  const Finished finished = succeed(tiny_run("map-elites", "run") + Arguments{"--json"});
  EXPECT_EQ(finished.out, bytes("run/summary.json"));
  EXPECT_EQ(Json::parse(finished.out)["evaluations"], 2000);
}

TEST_F(Output, IsNothingWhenQuiet) {
  for (const Arguments& command : every_kind()) {
    SCOPED_TRACE(command.front());
    const Finished finished = run({.arguments = command + Arguments{"--quiet"}, .terminal = true});
    EXPECT_EQ(finished.exit_code, 0);
    EXPECT_EQ(finished.out, "");
    EXPECT_EQ(finished.err, "");
  }
  EXPECT_EQ(succeed(tiny_run("aria-me", "run") + Arguments{"--quiet"}).err, "") << "a finished run";
}

TEST_F(Output, IsStillJsonWhenQuiet) {
  const Finished finished = succeed(tiny_run("map-elites", "run") + Arguments{"--quiet", "--json"});
  EXPECT_TRUE(Json::accept(finished.out));
}

TEST_F(Output, ShowsProgressOnStandardErrorAlone) {
  const Finished finished = run({.arguments = tiny_run("aria-me", "run") + Arguments{"--json"},
                                 .environment = {{"TERM", "xterm"}, {"LC_ALL", "C"}},
                                 .terminal = true});
  EXPECT_THAT(finished.err, AllOf(HasSubstr("MAP-Elites ["), HasSubstr(" cells"), HasSubstr("\r")));
  EXPECT_TRUE(Json::accept(finished.out));
  EXPECT_THAT(finished.err, ::testing::EndsWith("\r\x1b[K")) << "the line is cleared in the end";
}

TEST_F(Output, ShowsNoProgressOfAShortRunToAFile) { EXPECT_EQ(succeed(tiny_run("aria-me", "run")).err, ""); }

TEST_F(Output, HasATableOfWhatIsBelievedAndWhatIsReal) {
  const Finished finished = succeed(tiny_run("map-elites", "run"));
  EXPECT_THAT(finished.out, AllOf(HasSubstr("map-elites on arm, seed 1"), HasSubstr("believed (illusory)"),
                                  HasSubstr("really (corrected)"), HasSubstr("Files: run")));
  for (const char* row : {"Cells", "Coverage", "QD-Score", "Max fitness", "P-Score", "V-Score"}) {
    EXPECT_THAT(finished.out, HasSubstr(row));
  }
}

TEST_F(Output, ShowsWhatAnImprovementStartedFrom) {
  succeed(tiny_run("map-elites", "run"));
  EXPECT_THAT(succeed(tiny_improvement("run/archive.npz", "better")).out,
              AllOf(HasSubstr("start, believed"), HasSubstr("start, really"), HasSubstr("result, believed"),
                    HasSubstr("result, really")));
}

TEST_F(Output, IsColouredOnlyWhereThatIsWanted) {
  const Arguments command = tiny_run("map-elites", "run");
  const auto out = [&](const std::map<std::string, std::string>& environment) {
    return run({.arguments = command, .environment = environment}).out;
  };
  EXPECT_THAT(out({{"LC_ALL", "C.UTF-8"}, {"FORCE_COLOR", "3"}}), HasSubstr("\x1b["));
  EXPECT_THAT(out({{"LC_ALL", "C.UTF-8"}, {"FORCE_COLOR", "3"}, {"NO_COLOR", "1"}}), Not(HasSubstr("\x1b")));
  EXPECT_THAT(out({{"LC_ALL", "C.UTF-8"}, {"NO_COLOR", "1"}}), Not(HasSubstr("\x1b")));
  EXPECT_THAT(out({{"LC_ALL", "C.UTF-8"}, {"TERM", "xterm-256color"}}), Not(HasSubstr("\x1b"))) << "not a terminal";
}

TEST_F(Output, IsAsciiWhereNothingElseIsShown) {
  for (const Arguments& command : every_kind()) {
    const Finished plain = run({.arguments = command, .environment = {{"LC_ALL", "C"}}});
    EXPECT_TRUE(is_ascii(plain.out)) << plain.out;
    EXPECT_TRUE(is_ascii(plain.err)) << plain.err;
    EXPECT_FALSE(is_ascii(run({.arguments = command, .environment = {{"LC_ALL", "C.UTF-8"}}}).out));
  }
  for (const Arguments& command : {Arguments{"tasks"}, Arguments{"algorithms"}, Arguments{"--help"}}) {
    EXPECT_TRUE(is_ascii(run({.arguments = command, .environment = {{"LC_ALL", "C"}}}).out)) << command.front();
  }
}

TEST_F(Output, FitsTheWidthOfTheTerminal) {
  const Finished finished =
      run({.arguments = tiny_run("aria-me", "run"), .environment = {{"LC_ALL", "C"}, {"COLUMNS", "60"}}});
  std::size_t longest = 0;
  std::string table = finished.out.substr(finished.out.find("Cells"));
  table.resize(table.find("QD-Score and"));
  for (std::size_t begin = 0; begin < table.size();) {
    const std::size_t end = std::min(table.find('\n', begin), table.size());
    longest = std::max(longest, end - begin);
    begin = end + 1;
  }
  EXPECT_LE(longest, 60u);
}

TEST_F(Output, ThatCannotBeWrittenIsAFailure) {
  const Finished finished =
      run({.program = "sh", .arguments = {"-c", "'" ARIA_PROGRAM "' algorithms --json > /dev/full"}});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_EQ(finished.err, "aria: cannot write to standard output\n");
}

}  // namespace
}  // namespace aria::testing
