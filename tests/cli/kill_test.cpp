// A run that is killed at any moment, any number of times, and continued, gives the bytes of one that was not.
#include <algorithm>

#include "program.hpp"

namespace aria::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Long enough to be killed a few times, with many cells, so that its state is large.
Arguments killable_run(const std::string& algorithm, const std::string& out) {
  Arguments settings = {"grid=24,24"};
  if (algorithm.starts_with("aria")) {
    settings = settings + Arguments{"pairs=64", "steps=30", "mean_evaluations=64"};
    settings.push_back(algorithm == "aria-es" ? "initial_steps=200" : "initial_budget=20000");
  } else {
    settings.push_back("budget=3e6");
  }
  return Arguments{
             "run", "--task",          "arm", "--algorithm",        algorithm, "--out", out, "--quiet", "--threads",
             "1",   "--reevaluations", "32",  "--checkpoint-every", "0.01"} +
         set(settings);
}

class KilledRun : public Program {
 protected:
  // Runs the program for so long, then kills it.
  Finished run_for(const std::string& seconds, const Arguments& arguments) const {
    return run(
        {.program = "/usr/bin/timeout", .arguments = Arguments{"-s", "KILL", seconds, ARIA_PROGRAM} + arguments});
  }
};

class Killed : public KilledRun, public ::testing::WithParamInterface<const char*> {};

INSTANTIATE_TEST_SUITE_P(Algorithms, Killed, ::testing::Values("map-elites", "mome-r", "aria-me", "aria-es"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST_P(Killed, GoesOnToTheSameBytes) {
  succeed(killable_run(GetParam(), "whole"));
  for (const char* seconds : {"0.11", "0.07", "0.16"}) run_for(seconds, killable_run(GetParam(), "killed"));
  succeed(killable_run(GetParam(), "killed"));
  for (const char* file : {"archive.npz", "corrected.npz", "reevaluations.npz", "progress.csv", "run.toml"}) {
    EXPECT_TRUE(bytes(std::string("whole/") + file) == bytes(std::string("killed/") + file)) << file;
  }
  EXPECT_EQ(names_in(look_at(folder_ / "killed")), names_in(look_at(folder_ / "whole"))) << "nothing is left over";
}

TEST_F(KilledRun, LeavesCheckpointsAndSaysThatItGoesOn) {
  const Arguments longer = set({"steps=120"});
  Arguments arguments = killable_run("aria-me", "run") + longer;
  std::erase(arguments, "--quiet");
  // how long it takes to get that far depends on the machine
  const auto has_both = [&] {
    return std::filesystem::exists(folder_ / "run/checkpoint.npz") &&
           std::filesystem::exists(folder_ / "run/checkpoint.previous.npz");
  };
  for (int tries = 0; tries < 50 && !has_both(); ++tries) {
    run_for(fmt::format("{:.2f}", 0.1 + 0.05 * tries), arguments);
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
