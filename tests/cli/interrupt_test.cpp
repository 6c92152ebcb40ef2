// Runs that are stopped, and those that are already done.
#include <csignal>

#include "aria/persistence/archive_file.hpp"
#include "aria/persistence/state_file.hpp"
#include "program.hpp"
#include "tests/support/sanitised.hpp"

namespace aria::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Interrupted : public Program {
 protected:
  // Runs of half a second and more on one thread, so that there is time to interrupt them.
  static Arguments map_elites(const std::string& out) {
    return Arguments{"run", "--task", "arm", "--algorithm", "map-elites", "--out", out, "--threads", "1"} +
           set({"grid=9x9", by_build("budget=5e6", "budget=5e5")}) + Arguments{"--reevaluations", "64"};
  }
  static Arguments aria_me(const std::string& out) {
    return Arguments{"run", "--task", "arm", "--algorithm", "aria-me", "--out", out, "--threads", "1"} +
           set({"grid=9x9", "initial_budget=512", "batch=256", "pairs=1024", by_build("steps=300", "steps=30"),
                "mean_evaluations=64"}) +
           Arguments{"--reevaluations", "64"};
  }

  Finished stop(const Arguments& arguments, int signal, const std::string& when) const {
    return run({.arguments = arguments,
                .environment = {{"TERM", "xterm"}, {"LC_ALL", "C"}},
                .terminal = true,
                .signal = signal,
                .when = when});
  }

  void expect_interrupted(const Finished& finished, const std::string& out) const {
    EXPECT_EQ(finished.exit_code, 3) << finished.err;
    EXPECT_EQ(finished.out, "");
    EXPECT_THAT(finished.err, AllOf(HasSubstr("aria: interrupted after "), HasSubstr("are in " + out),
                                    HasSubstr("the same command goes on from there")));
    EXPECT_GT(read_archive(folder_ / out / "archive.npz").size(), 0u);
    EXPECT_FALSE(read_state(folder_ / out / "checkpoint.npz").arrays().empty());
    EXPECT_FALSE(std::filesystem::exists(folder_ / out / "summary.json"));
  }

  void expect_same(const std::string& a, const std::string& b) const {
    for (const char* name : {"run.toml", "archive.npz", "corrected.npz", "progress.csv"}) {
      EXPECT_TRUE(bytes(a + "/" + name) == bytes(b + "/" + name)) << name;
    }
  }
};

TEST_F(Interrupted, ByCtrlCGoesOnToTheSameBytes) {
  expect_interrupted(stop(map_elites("run"), SIGINT, "MAP-Elites"), "run");
  const Finished continued = succeed(map_elites("run"));
  EXPECT_THAT(continued.err, AllOf(HasSubstr("aria: continuing the run in run after "), HasSubstr(" evaluations\n")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "run/checkpoint.npz"));
  succeed(map_elites("whole") + Arguments{"--quiet"});
  expect_same("whole", "run");
}

TEST_F(Interrupted, BySigtermTwiceGoesOnToTheSameBytes) {
  expect_interrupted(stop(aria_me("run"), SIGTERM, "improving"), "run");
  const Finished again = stop(aria_me("run"), SIGTERM, "completing");
  EXPECT_THAT(again.err, HasSubstr("aria: continuing the run in run after "));
  expect_interrupted(again, "run");
  EXPECT_EQ(succeed(aria_me("run") + Arguments{"--quiet"}).err, "") << "quiet also when it goes on";
  succeed(aria_me("whole") + Arguments{"--quiet"});
  expect_same("whole", "run");
  EXPECT_TRUE(bytes("whole/initial.npz") == bytes("run/initial.npz"));
}

TEST_F(Interrupted, IsNotContinuedWithOtherSettings) {
  expect_interrupted(stop(map_elites("run"), SIGINT, "MAP-Elites"), "run");
  const FolderState before = look_at(folder_.path());
  const Finished other = aria(map_elites("run") + Arguments{"--seed", "2"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("'seed = 1' there, 'seed = 2' here"));
  EXPECT_TRUE(look_at(folder_.path()) == before);
}

TEST_F(Interrupted, CorrectionWritesNothing) {
  succeed(tiny_run("map-elites", "run") + Arguments{"--quiet"});
  const FolderState before = look_at(folder_.path());
  const Finished finished =
      stop({"correct", "run", "--reevaluations", "4e6", "--out", "apart"}, SIGINT, "re-evaluating");
  EXPECT_EQ(finished.exit_code, 3);
  EXPECT_THAT(finished.err, HasSubstr("aria: interrupted; nothing was written."));
  EXPECT_TRUE(look_at(folder_.path()) == before);
}

TEST_F(Interrupted, ReportWritesNothing) {
  succeed(tiny_run("map-elites", "run") + Arguments{"--quiet"});
  const FolderState before = look_at(folder_.path());
  const Finished finished = stop({"report", "run/archive.npz", "--reevaluations", "4e6"}, SIGINT, "re-evaluating");
  EXPECT_EQ(finished.exit_code, 3);
  EXPECT_THAT(finished.err, HasSubstr("aria: interrupted; nothing was written."));
  EXPECT_TRUE(look_at(folder_.path()) == before);
}

TEST_F(Interrupted, BeforeThereIsAnArchiveSaysSo) {
  const Arguments command = Arguments{"run", "--task", "arm", "--algorithm", "es", "--out", "run", "--threads", "1"} +
                            set({"initial_steps=20000", "pairs=512"}) + Arguments{"--reevaluations", "0"};
  const Finished finished = stop(command, SIGINT, "ES");
  EXPECT_EQ(finished.exit_code, 3);
  EXPECT_THAT(finished.err, AllOf(HasSubstr("; a checkpoint is in run"), Not(HasSubstr("archive"))));
}

class FinishedRun : public Program {};

TEST_F(FinishedRun, IsLeftAsItIs) {
  for (const char* algorithm : {"map-elites", "aria-me"}) {
    const Arguments command = tiny_run(algorithm, algorithm);
    const std::string first = succeed(command).out;
    const FolderState before = look_at(folder_.path());
    const Finished again = succeed(command);
    EXPECT_THAT(again.err, AllOf(HasSubstr("is finished; nothing was done"), Not(HasSubstr("continuing"))));
    EXPECT_EQ(again.out, first) << "all that the run itself showed";
    EXPECT_EQ(succeed(command + Arguments{"--json"}).out, bytes(std::string(algorithm) + "/summary.json"));
    EXPECT_EQ(succeed(command + Arguments{"--quiet"}).err, "");
    EXPECT_TRUE(look_at(folder_.path()) == before);
  }
}

TEST_F(FinishedRun, MayBeAskedForWithAnyNumberOfThreads) {
  succeed(tiny_run("map-elites", "run") + Arguments{"--threads", "1"});
  EXPECT_THAT(succeed(tiny_run("map-elites", "run") + Arguments{"--threads", "2"}).err, HasSubstr("is finished"));
}

}  // namespace
}  // namespace aria::testing
