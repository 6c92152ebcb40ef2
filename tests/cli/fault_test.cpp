// What a machine may do to a run: no room, no right to write, no folder, a clock that jumps, an impatient user.
// Whatever it is, the run says so, and goes on to the same bytes when it is over.
#include <sys/mount.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "killed_runs.hpp"

#ifndef ARIA_CLOCK_JUMPS
#define ARIA_CLOCK_JUMPS ""
#endif

namespace aria::testing {
namespace {

namespace fs = std::filesystem;

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

// For the shell: starts the program, which is $! then, and waits for its first checkpoint.
const std::string kUntilACheckpoint = "\"$0\" \"$@\" & while [ ! -e run/checkpoint.npz ]; do sleep 0.01; done; ";

class Fault : public KilledRun {
 protected:
  Finished shell(const std::string& script, const Arguments& arguments) const {
    return run({.program = "bash", .arguments = Arguments{"-c", script, ARIA_PROGRAM} + arguments});
  }
  // A fault is over: the same command goes on, to the bytes of a run that had none.
  void expect_goes_on(const Arguments& command) const {
    succeed(command);
    succeed(killable_run("map-elites", "whole"));
    expect_same_results("whole", "run");
  }
  const Arguments command_ = killable_run("map-elites", "run");
};

// No file may grow beyond 8 blocks of 1 kB: checkpoints and the archive do not fit, the configuration does.
TEST_F(Fault, ADiskThatIsFullIsToldAndLosesNothing) {
  Arguments loud = command_;
  std::erase(loud, "--quiet");
  // what it says goes through a pipe, which has no limit
  const Finished full = shell("set -o pipefail; (ulimit -f 8; exec \"$0\" \"$@\") 2>&1 | cat >&2", loud);
  EXPECT_EQ(full.exit_code, 2) << "told, not killed: " << full.err;
  EXPECT_THAT(full.err, AllOf(HasSubstr("checkpoint.npz: cannot write it: "), HasSubstr("the run goes on, and tries"),
                              HasSubstr("aria: run/archive.npz: cannot write it: ")));
  EXPECT_FALSE(fs::exists(folder_ / "run/summary.json"));
  EXPECT_FALSE(fs::exists(folder_ / "run/archive.npz"));
  expect_goes_on(command_);
}

TEST_F(Fault, AVolumeThatIsFullIsToldAndLosesNothing) {
  fs::create_directory(folder_ / "volume");
  const std::string volume = (folder_ / "volume").string();
  if (::mount("tmpfs", volume.c_str(), "tmpfs", 0, "size=64k") != 0) GTEST_SKIP() << "no right to mount";
  const Arguments there = killable_run("map-elites", "volume/run");
  const Finished full = aria(there);
  EXPECT_EQ(full.exit_code, 2) << full.err;
  EXPECT_THAT(full.err, HasSubstr("No space left on device"));
  // room is made: all there is goes on
  EXPECT_EQ(::mount("tmpfs", volume.c_str(), "tmpfs", MS_REMOUNT, "size=64m"), 0);
  succeed(there);
  succeed(killable_run("map-elites", "whole"));
  expect_same_results("whole", "volume/run");
  EXPECT_EQ(::umount(volume.c_str()), 0);
}

TEST_F(Fault, AFolderThatTurnsReadOnlyIsToldAndLosesNothing) {
  const std::string budget = by_build("budget=6e6", "budget=6e5");
  Arguments loud = command_ + set({budget});
  std::erase(loud, "--quiet");
  // the run has begun, and then nothing can be made or renamed in its folder any more
  const std::string script =
      kUntilACheckpoint + "if ! chattr +i run; then kill $!; exit 77; fi; wait $!; code=$?; chattr -i run; exit $code";
  const Finished stopped = shell(script, loud);
  if (stopped.exit_code == 77) GTEST_SKIP() << "no right to make a folder read-only for everybody";
  EXPECT_EQ(stopped.exit_code, 2) << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr("Operation not permitted"));
  EXPECT_FALSE(fs::exists(folder_ / "run/summary.json"));
  succeed(loud + Arguments{"--quiet"});
  succeed(killable_run("map-elites", "whole") + set({budget}));
  expect_same_results("whole", "run");
}

TEST_F(Fault, AVolumeThatIsMissingIsToldBeforeTheWork) {
  expect_refused(killable_run("map-elites", "/proc/no/volume"),
                 AllOf(HasSubstr("--out must be a folder that can be made"), HasSubstr("/proc/no/volume")));
}

// As timeout(1) does, which sends one to the program and one to its group. They meet the program while it stands still,
// so that there is no time to stop in between.
TEST_F(Fault, TwoSignalsAtOnceAreOne) {
  const std::string script = kUntilACheckpoint + "kill -STOP $!; kill -INT $!; kill -TERM $!; kill -CONT $!; wait $!";
  const Finished stopped = shell(script, command_);
  EXPECT_EQ(stopped.exit_code, 3) << stopped.err;
  EXPECT_FALSE(fs::exists(folder_ / "run/summary.json"));
  expect_goes_on(command_);
}

TEST_F(Fault, CtrlCTwiceDoesNotWait) {
  // so much training in its first generation that it will not stop by itself
  const Arguments busy = killable_run("pga-me", "run") + set({"critic_steps=1e8"});
  const std::string script =
      "\"$0\" \"$@\" & while [ ! -e run/run.toml ]; do sleep 0.01; done; "
      "sleep 0.1; kill -INT $!; sleep 0.7; kill -INT $!; wait $!";
  EXPECT_EQ(shell(script, busy).exit_code, 128 + SIGINT);
  EXPECT_FALSE(fs::exists(folder_ / "run/summary.json"));
}

// One process at a time; that of one that was killed is nobody's.
TEST_F(Fault, AFolderIsForOneProcessAtATime) {
  const std::string script =
      kUntilACheckpoint + "kill -STOP $!; \"$0\" \"$@\"; code=$?; kill -KILL $!; wait $!; exit $code";
  const Finished second = shell(script, command_);
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_THAT(second.err, HasSubstr("aria: run is being written by another process"));
  expect_goes_on(command_);
}

TEST_F(Fault, AClockThatJumpsChangesNothing) {
  if (std::string(ARIA_CLOCK_JUMPS).empty()) GTEST_SKIP() << "not with sanitizers, which want to be loaded first";
  const Finished jumped = run({.arguments = command_, .environment = {{"LD_PRELOAD", ARIA_CLOCK_JUMPS}}});
  EXPECT_EQ(jumped.exit_code, 0) << jumped.err;
  const std::string date =
      run({.program = "date", .arguments = {"+%Y"}, .environment = {{"LD_PRELOAD", ARIA_CLOCK_JUMPS}}}).out;
  EXPECT_THAT(date, AnyOf("1990\n", "2090\n")) << "the clock does jump";
  succeed(killable_run("map-elites", "whole"));
  expect_same_results("whole", "run");
}

}  // namespace
}  // namespace aria::testing
