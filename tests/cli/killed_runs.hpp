// Runs that are ended from outside, for the quick tests and for those that take their time.
#pragma once

#include <array>
#include <filesystem>
#include <string>

#include "program.hpp"
#include "tests/run/study_helpers.hpp"
#include "tests/support/every_algorithm.hpp"
#include "tests/support/sanitised.hpp"

namespace aria::testing {

// What must come out the same, however often a run was ended; where a run has no such file, none.
inline constexpr std::array kResults = {"run.toml",          "archive.npz", "corrected.npz",
                                        "reevaluations.npz", "initial.npz", "initial_reevaluations.npz",
                                        "progress.csv"};

// Walkers with small policies, short episodes and a small memory: what they learn is nothing, what they save
// everything.
inline Arguments killable_policy_settings(const std::string& algorithm) {
  const Arguments task = {"grid=6,6", "hidden=8", "episode_length=40"};
  if (algorithm == "aria-goal")
    return task + Arguments{"training_share=0.008", "retarget_samples=8", "search_samples=4", "polish_budget=20000",
                            "polish_steps=4",       "polish_pairs=16",    "polish_samples=8"};
  const Arguments learning = {"batch=64",         "critic_steps=10",   "critic_hidden=16", "critic_batch=32",
                              "gradient_steps=4", "gradient_batch=32", "replay_size=4000"};
  if (algorithm == "pga-me") return task + learning + Arguments{"budget=20000"};
  return task + learning + Arguments{"initial_budget=6000", "pairs=16", "steps=50", "mean_evaluations=16"};
}

inline Arguments killable_arm_settings(const std::string& algorithm) {
  const Arguments task = {"grid=24,24"};
  if (algorithm == "es") return task + Arguments{"pairs=512", "initial_steps=2000"};
  if (algorithm == "aria-gn" || !algorithm.starts_with("aria"))
    return task + Arguments{by_build("budget=3e6", "budget=6e5")};
  return task + Arguments{"pairs=64", "steps=30", "mean_evaluations=64",
                          algorithm == "aria-es" ? "initial_steps=200" : "initial_budget=20000"};
}

// Long enough to be killed a few times, with many cells, so that its state is large.
inline Arguments killable_run(const std::string& algorithm, const std::string& out) {
  const bool policies = needs_policy(algorithm);
  return Arguments{"run",
                   "--task",
                   policies ? "walker" : "arm",
                   "--algorithm",
                   algorithm,
                   "--out",
                   out,
                   "--quiet",
                   "--threads",
                   "1",
                   "--reevaluations",
                   policies ? "8" : "32",
                   "--checkpoint-every",
                   "0.01"} +
         set(policies ? killable_policy_settings(algorithm) : killable_arm_settings(algorithm));
}

// Two runs each of two algorithms, side by side.
inline Arguments killable_study(const std::string& out) {
  return Arguments{"study",
                   "--task",
                   "arm",
                   "--algorithms",
                   "map-elites,aria-me",
                   "--replications",
                   "2",
                   "--out",
                   out,
                   "--quiet",
                   "--threads",
                   "2",
                   "--reevaluations",
                   "32",
                   "--checkpoint-every",
                   "0.01"} +
         set({"grid=16,16", "budget=1e6", "pairs=64", "steps=30", "mean_evaluations=64", "initial_budget=20000"});
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

  void expect_same_study(const std::string& a, const std::string& b) const {
    for (const char* run : {"map-elites/seed-1", "map-elites/seed-2", "aria-me/seed-1", "aria-me/seed-2"}) {
      expect_same_results(a + "/" + run, b + "/" + run);
    }
    for (const char* file : {"study.csv", "runs.csv", "study.json"}) {
      EXPECT_EQ(without_seconds(folder_ / a / file), without_seconds(folder_ / b / file)) << file;
    }
    EXPECT_EQ(names_in(look_at(folder_ / a)), names_in(look_at(folder_ / b))) << "nothing is left over";
  }
};

}  // namespace aria::testing
