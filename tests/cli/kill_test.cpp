// A run that is killed at any moment, any number of times, and continued, gives the bytes of one that was not.
#include "killed_runs.hpp"
#include "tests/support/every_algorithm.hpp"

namespace aria::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Killed : public KilledRun, public ::testing::WithParamInterface<std::string> {};

INSTANTIATE_TEST_SUITE_P(Algorithms, Killed,
                         ::testing::Values("map-elites", "mome-r", "pga-me", "aria-me", "aria-es", "aria-goal",
                                           "aria-gn"),
                         algorithm_of_test);

TEST_P(Killed, GoesOnToTheSameBytes) {
  succeed(killable_run(GetParam(), "whole"));
  for (const double seconds : {0.11, 0.07, 0.16}) run_for(seconds, killable_run(GetParam(), "killed"));
  succeed(killable_run(GetParam(), "killed"));
  expect_same_results("whole", "killed");
}

TEST_F(KilledRun, OfAStudyGoesOnToTheSameBytes) {
  succeed(killable_study("whole"));
  for (const double seconds : {0.11, 0.25, 0.4}) run_for(seconds, killable_study("killed"));
  succeed(killable_study("killed"));
  expect_same_study("whole", "killed");
}

TEST_F(KilledRun, LeavesCheckpointsAndSaysThatItGoesOn) {
  const Arguments longer = set({by_build("steps=480", "steps=60")});
  Arguments arguments = killable_run("aria-me", "run") + longer;
  std::erase(arguments, "--quiet");
  // how long it takes to get that far depends on the machine
  const auto has_both = [&] {
    return std::filesystem::exists(folder_ / "run/checkpoint.npz") &&
           std::filesystem::exists(folder_ / "run/checkpoint.previous.npz");
  };
  for (int tries = 0; tries < 50 && !has_both(); ++tries) {
    run_for(0.1 + 0.05 * tries, arguments);
  }
  ASSERT_TRUE(has_both());
  // the newest is cut short, as by a disk that lied: the one before serves
  std::string newest = bytes("run/checkpoint.npz");
  write("run/checkpoint.npz", newest.substr(0, newest.size() / 2));
  const Finished finished = succeed(arguments);
  EXPECT_THAT(finished.err, AllOf(HasSubstr("checkpoint.npz"), HasSubstr("the checkpoint before it serves"),
                                  HasSubstr("continuing the run in run after")));
  succeed(killable_run("aria-me", "whole") + longer);
  EXPECT_TRUE(bytes("whole/archive.npz") == bytes("run/archive.npz"));
}

class Checkpoints : public Program {};

TEST_F(Checkpoints, HaveAPauseThatMakesSense) {
  const Arguments run = tiny_run("map-elites", "out");
  expect_refused(run + Arguments{"--checkpoint-every", "0"}, HasSubstr("--checkpoint-every must be from 0.01 to"));
  expect_refused(run + Arguments{"--checkpoint-every", "often"}, HasSubstr("--checkpoint-every"));
}

}  // namespace
}  // namespace aria::testing
