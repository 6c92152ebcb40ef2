// Runs that are ended from outside, for the quick tests and for those that take their time.
#pragma once

#include <array>
#include <filesystem>
#include <string>

#include "program.hpp"

namespace aria::testing {

// What must come out the same, however often a run was ended; where a run has no such file, none.
inline constexpr std::array kResults = {"run.toml",          "archive.npz", "corrected.npz",
                                        "reevaluations.npz", "initial.npz", "initial_reevaluations.npz",
                                        "progress.csv"};

// Long enough to be killed a few times, with many cells, so that its state is large.
inline Arguments killable_run(const std::string& algorithm, const std::string& out) {
  Arguments settings = {"grid=24,24"};
  if (algorithm.starts_with("aria")) {
    settings = settings + Arguments{"pairs=64", "steps=30", "mean_evaluations=64"};
    settings.push_back(algorithm == "aria-es" ? "initial_steps=200" : "initial_budget=20000");
  } else if (algorithm == "es") {
    settings = settings + Arguments{"pairs=512", "initial_steps=2000"};
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
  Finished run_for(double seconds, const Arguments& arguments) const {
    return run({.program = "/usr/bin/timeout",
                .arguments = Arguments{"-s", "KILL", fmt::format("{:.3f}", seconds), ARIA_PROGRAM} + arguments});
  }

  void expect_same_results(const std::string& a, const std::string& b) const {
    for (const char* file : kResults) {
      const bool there = std::filesystem::exists(folder_ / a / file);
      EXPECT_EQ(there, std::filesystem::exists(folder_ / b / file)) << file;
      if (!there) continue;
      EXPECT_TRUE(bytes(a + "/" + file) == bytes(b + "/" + file)) << file;
    }
    EXPECT_EQ(names_in(look_at(folder_ / a)), names_in(look_at(folder_ / b))) << "nothing is left over";
  }
};

}  // namespace aria::testing
