// aria study, as a user meets it.
#include <algorithm>
#include <csignal>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "program.hpp"
#include "tests/run/study_helpers.hpp"
#include "tests/support/sanitised.hpp"

namespace aria::testing {
namespace {

namespace fs = std::filesystem;

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

using Json = nlohmann::ordered_json;

class StudyCommand : public Program {
 protected:
  static Arguments study(const std::string& out, const std::string& algorithms = "map-elites,aria-me",
                         const std::string& replications = "2") {
    return study_of(algorithms, replications, out,
                    {"budget=2000", "batch=256", "pairs=32", "sigma=0.02", "steps=5", "mean_evaluations=32",
                     "initial_budget=2000"});
  }
  static Arguments map_elites(const std::string& out, const std::string& replications) {
    return study_of("map-elites", replications, out, {"budget=2000", "batch=256"});
  }
  static Arguments study_of(const std::string& algorithms, const std::string& replications, const std::string& out,
                            const Arguments& settings) {
    return Arguments{"study",      "--task", "arm", "--algorithms", algorithms, "--replications",
                     replications, "--out",  out} +
           set(Arguments{"grid=6x6"} + settings) + Arguments{"--reevaluations", "64"};
  }

  // One line, exit code 2, and no file made or changed.
  void expect_refused(const Arguments& arguments, const ::testing::Matcher<std::string>& message) const {
    SCOPED_TRACE(::testing::PrintToString(arguments));
    const FolderState before = look_at(folder_.path());
    const Finished finished = aria(arguments);
    EXPECT_EQ(finished.exit_code, 2) << finished.err;
    EXPECT_EQ(finished.out, "");
    EXPECT_THAT(finished.err, AllOf(StartsWith("aria: "), message));
    EXPECT_EQ(std::ranges::count(finished.err, '\n'), 1) << finished.err;
    EXPECT_TRUE(look_at(folder_.path()) == before) << "a file was changed";
  }

  void expect_same(const std::string& a, const std::string& b) const {
    EXPECT_EQ(without_seconds(folder_ / a / "study.json"), without_seconds(folder_ / b / "study.json"));
    EXPECT_EQ(without_seconds(folder_ / a / "study.csv"), without_seconds(folder_ / b / "study.csv"));
  }
};

TEST_F(StudyCommand, ShowsWhatIsFinishedSoFar) {
  succeed(study("out"));
  const FolderState before = look_at(folder_.path());
  const Finished so_far = succeed({"study", "--so-far", "--out", "out"});
  EXPECT_EQ(so_far.err, "aria: 4 of 4 runs are finished; nothing was run.\n");
  EXPECT_THAT(so_far.out, AllOf(HasSubstr("What is really there"), HasSubstr("aria-me")));
  EXPECT_EQ(succeed({"study", "--so-far", "--out", "out", "--json"}).out, bytes("out/study.json"));
  EXPECT_TRUE(look_at(folder_.path()) == before) << "a file was changed";
  expect_refused({"study", "--so-far"}, HasSubstr("--out must be the folder of a study, with --so-far, got nothing"));
  expect_refused({"study", "--so-far", "--out", "elsewhere"}, HasSubstr("a study that has begun"));
  expect_refused({"study", "--so-far", "--out", "out", "--repair"}, HasSubstr("without --repair and --budget-sweep"));
  expect_refused({"study", "--so-far", "--out", "out", "--task", "walker"}, HasSubstr("task = arm there"));
}

TEST_F(StudyCommand, WritesAndShowsTheComparison) {
  const Finished finished = succeed(study("out"));
  EXPECT_THAT(finished.out, AllOf(HasSubstr("What is really there"), HasSubstr("aria-me"), HasSubstr("Files: out")));
  EXPECT_THAT(finished.err, AllOf(HasSubstr("aria: 4 runs of map-elites, aria-me, seeds 1 to 2\n"), HasSubstr("[4/4] "),
                                  HasSubstr(" cells believed, ")));
  for (const char* name : {"study.md", "study.csv", "runs.csv", "study.json", "study.toml"})
    EXPECT_NE(bytes(std::string("out/") + name), "");
  EXPECT_THAT(bytes("out/study.md"), AllOf(StartsWith("# arm: 2 algorithms"), Not(HasSubstr(folder_.path().string()))));
  for (const char* run : {"map-elites/seed-1", "map-elites/seed-2", "aria-me/seed-1", "aria-me/seed-2"}) {
    EXPECT_TRUE(fs::exists(folder_ / "out" / run / "summary.json")) << run;
  }
  const Finished again = succeed(study("out"));
  EXPECT_THAT(again.err,
              AllOf(HasSubstr("; 4 finished before"), HasSubstr("the study in out is finished; nothing was run")));
  EXPECT_EQ(again.out, finished.out);
}

TEST_F(StudyCommand, MakesTheRunsOfAriaRun) {
  succeed(map_elites("out", "2") + Arguments{"--quiet"});
  succeed(Arguments{"run", "--task", "arm", "--algorithm", "map-elites", "--seed", "2", "--out", "alone", "--quiet"} +
          set({"grid=6x6", "budget=2000", "batch=256"}) + Arguments{"--reevaluations", "64"});
  for (const char* name : {"run.toml", "archive.npz", "corrected.npz", "progress.csv"}) {
    EXPECT_TRUE(bytes(std::string("out/map-elites/seed-2/") + name) == bytes(std::string("alone/") + name)) << name;
  }
}

TEST_F(StudyCommand, PrintsOneObjectOrNothing) {
  const Finished finished = succeed(study("out") + Arguments{"--json"});
  EXPECT_EQ(finished.out, bytes("out/study.json"));
  EXPECT_EQ(Json::parse(finished.out)["algorithms"].size(), 2u);
  const Finished quiet = succeed(study("out") + Arguments{"--quiet"});
  EXPECT_EQ(quiet.out + quiet.err, "");
}

TEST_F(StudyCommand, HasTheSameFilesWithAnyNumberOfThreads) {
  for (const char* threads : {"1", "2", "5"}) succeed(study(threads) + Arguments{"--threads", threads, "--quiet"});
  expect_same("1", "2");
  expect_same("1", "5");
}

TEST_F(StudyCommand, IsRepeatedFromItsConfiguration) {
  succeed(study("out") + Arguments{"--quiet"});
  succeed({"study", "--config", "out/study.toml", "--out", "again", "--quiet"});
  expect_same("out", "again");
  EXPECT_EQ(bytes("out/study.toml"), bytes("again/study.toml"));
}

TEST_F(StudyCommand, GoesOnAfterCtrlC) {
  // half a second and more for each run, on two threads, so that there is time to interrupt them
  const auto command = [](const std::string& out) {
    return Arguments{"study", "--task", "arm", "--algorithms", "map-elites,aria-me", "--replications", "2"} +
           set({"grid=9x9", by_build("budget=5e6", "budget=5e5"), "initial_budget=512", "pairs=1024",
                by_build("steps=200", "steps=20"), "mean_evaluations=64"}) +
           Arguments{"--reevaluations", "64", "--threads", "2", "--out", out};
  };
  const Finished stopped = run({.arguments = command("run"),
                                .environment = {{"TERM", "xterm"}, {"LC_ALL", "C"}},
                                .terminal = true,
                                .signal = SIGINT,
                                .when = ", 1 more"});
  EXPECT_EQ(stopped.exit_code, 3) << stopped.err;
  EXPECT_EQ(stopped.out, "");
  EXPECT_THAT(stopped.err,
              AllOf(HasSubstr("aria: interrupted with "), HasSubstr(" of 4 runs finished; those under way"),
                    HasSubstr("the same command goes on from there")));
  EXPECT_TRUE(fs::exists(folder_ / "run/map-elites/seed-1/checkpoint.npz"));
  EXPECT_TRUE(fs::exists(folder_ / "run/aria-me/seed-1/checkpoint.npz"));
  EXPECT_FALSE(fs::exists(folder_ / "run/study.json"));
  succeed(command("run") + Arguments{"--quiet"});
  succeed(command("whole") + Arguments{"--quiet"});
  expect_same("whole", "run");
}

TEST_F(StudyCommand, NamesADamagedRunAndRepairsItWhenAsked) {
  succeed(study("out") + Arguments{"--quiet"});
  const std::string results = without_seconds(folder_ / "out/study.json");
  write("out/aria-me/seed-2/archive.npz", "PK spoiled");
  expect_refused(study("out"), AllOf(HasSubstr("the run in out/aria-me/seed-2 is damaged"), HasSubstr("archive.npz"),
                                     HasSubstr("--repair")));
  const Finished repaired = succeed(study("out") + Arguments{"--repair"});
  EXPECT_THAT(repaired.err, HasSubstr("it is kept as aria-me/seed-2.damaged and run anew"));
  EXPECT_EQ(bytes("out/aria-me/seed-2.damaged/archive.npz"), "PK spoiled");
  EXPECT_EQ(without_seconds(folder_ / "out/study.json"), results);
}

TEST_F(StudyCommand, GoesOnWhenARunFailsAndSaysSo) {
  succeed(map_elites("out", "1") + Arguments{"--quiet"});
  fs::create_symlink("nowhere/at/all", folder_ / "out/map-elites/seed-2");
  const Finished finished = aria(map_elites("out", "3"));
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.err, AllOf(HasSubstr("aria: the run map-elites, seed 2 failed: "),
                                  HasSubstr("aria: 1 of 3 runs failed (map-elites, seed 2); the same command tries")));
  EXPECT_TRUE(fs::exists(folder_ / "out/map-elites/seed-3/summary.json"));
  fs::remove(folder_ / "out/map-elites/seed-2");
  succeed(map_elites("out", "3") + Arguments{"--quiet"});
}

TEST_F(StudyCommand, RefusesBadInputInOneLine) {
  expect_refused({"study"}, HasSubstr("--task must be given"));
  expect_refused(study("out", "map-elites,aria-mee"),
                 HasSubstr("unknown algorithm 'aria-mee' (did you mean 'aria-me'?)"));
  expect_refused(study("out", ""), HasSubstr("unknown algorithm ''"));
  expect_refused(study("out", "map-elites,aria"), HasSubstr("that start without an archive, got 'aria'"));
  expect_refused(map_elites("out", "0"), HasSubstr("replications must be from 1 to 10000, got 0"));
  expect_refused(map_elites("out", "-1"), HasSubstr("--replications must be a whole number"));
  expect_refused(map_elites("out", "1.5"), HasSubstr("got '1.5'"));
  expect_refused(study("out") + set({"bugdet=3"}), HasSubstr("unknown setting 'bugdet' (did you mean 'budget'?)"));
  expect_refused(study("out", "map-elites"), HasSubstr("unknown setting 'pairs'"));
  expect_refused({"study", "--task", "amr"}, HasSubstr("unknown task 'amr' (did you mean 'arm'?)"));
  expect_refused({"study", "--task", "arm", "--reevaluations", "0"}, HasSubstr("reevaluations must be at least 2"));
  expect_refused({"study", "--task", "arm", "--seed", "9007199254740992"}, HasSubstr("seed must be at most 2^53 - 9"));
  expect_refused({"study", "--task", "arm", "--preset", "huge"}, HasSubstr("preset must be paper or lite"));
  expect_refused({"study", "--task", "arm", "--config", "none.toml"}, HasSubstr("a file that exists, got none.toml"));
  expect_refused(study("out") + Arguments{"--threads", "0"}, HasSubstr("--threads must be from 1 to 1024, got 0"));
  write("file", "");
  expect_refused(study("file"), HasSubstr("--out must be a folder, got file"));
  expect_refused(study(""), HasSubstr("--out must be the name of a folder, got nothing"));
  expect_refused(study("file/below"), AllOf(HasSubstr("--out must be"), HasSubstr("file/below")));
}

TEST_F(StudyCommand, SweepsBudgets) {
  const Arguments command = map_elites("out", "1") + Arguments{"--budget-sweep", "1/4,1"};
  const Finished finished = succeed(command);
  EXPECT_THAT(finished.out, AllOf(HasSubstr("map-elites x 1 "), HasSubstr("map-elites x 1/4 ")));
  EXPECT_THAT(finished.err, AllOf(HasSubstr("aria: 1 of the budget\n"), HasSubstr("aria: 1/4 of the budget\n")));
  const Json json = Json::parse(bytes("out/study.json"));
  ASSERT_EQ(json["sweep"]["curves"].size(), 1u);
  EXPECT_EQ(json["sweep"]["curves"][0]["points"].size(), 2u);
  EXPECT_EQ(json["algorithms"][1]["runs"][0]["folder"], "budget-0.25/map-elites/seed-1");
  EXPECT_THAT(finished.out, HasSubstr("arm: 1 algorithm x 2 budgets x 1 replication"));
  EXPECT_EQ(succeed(command).out, finished.out);
  std::filesystem::remove(folder_ / "out/study.json");
  expect_refused({"report", "out"}, HasSubstr("the study in out must be finished"));
  // nothing is run where one of the budgets is refused
  expect_refused(Arguments{"study", "--task", "arm", "--algorithms", "me-sa", "--replications", "1", "--reevaluations",
                           "8", "--budget-sweep", "1,1/1e9", "--out", "new"} +
                     set({"budget=2e4"}),
                 HasSubstr("budget must be >= samples (32), got 1"));
  expect_refused(map_elites("new", "1") + Arguments{"--budget-sweep", "1,2"},
                 HasSubstr("--budget-sweep must be shares of the budget, above 0 and at most 1"));
  expect_refused(map_elites("out/budget-1", "1") + Arguments{"--budget-sweep", "1"},
                 HasSubstr("or that of a budget sweep"));
}

TEST_F(StudyCommand, RefusesAFolderOfAnotherStudy) {
  succeed(study("out") + Arguments{"--quiet"});
  expect_refused(study("out") + Arguments{"--seed", "2"}, HasSubstr("(seed = 1 there, seed = 2 here)"));
  expect_refused(study("out") + set({"pairs=33"}), HasSubstr("(aria-me: pairs = 32 there, aria-me: pairs = 33 here)"));
  expect_refused(study("out") + set({"joints=5"}), HasSubstr("(joints = 8 there, joints = 5 here)"));
  expect_refused(study("out/aria-me"), HasSubstr("or that of a study (with a study.toml)"));
  expect_refused(tiny_run("map-elites", "out"), HasSubstr("or that of a run (with a run.toml)"));
}

}  // namespace
}  // namespace aria::testing
