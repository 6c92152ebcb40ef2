// The same command gives the same bytes.
#include <hwy/detect_targets.h>

#include "aria/core/simd_target.hpp"
#include "aria/run/experiment.hpp"
#include "program.hpp"
#include "tests/support/every_algorithm.hpp"

#ifndef ARIA_OLD_CPU
#define ARIA_OLD_CPU ""  // sanitizers want to be loaded first
#endif

namespace aria::testing {
namespace {

using ::testing::HasSubstr;

class SameRun : public Program, public ::testing::WithParamInterface<std::string> {
 protected:
  void run_tiny(const std::string& out, const Arguments& more) const {
    succeed(tiny_run(GetParam(), out) + more + Arguments{"--quiet"});
  }
  bool same(const std::string& name, const std::string& a, const std::string& b) const {
    return bytes(a + "/" + name) == bytes(b + "/" + name);
  }
};

TEST_P(SameRun, HasTheSameBytesWithAnyNumberOfThreads) {
  for (const char* threads : {"1", "2", "3", "7"}) run_tiny(threads, {"--threads", threads});
  for (const char* threads : {"2", "3", "7"}) {
    for (const char* name : {"run.toml", "archive.npz", "corrected.npz", "reevaluations.npz", "progress.csv"}) {
      EXPECT_TRUE(same(name, "1", threads)) << name << " with " << threads << " threads";
    }
  }
}

TEST_P(SameRun, HasTheSameBytesAgainButNotWithAnotherSeed) {
  run_tiny("first", {"--seed", "5"});
  run_tiny("again", {"--seed", "5"});
  run_tiny("other", {"--seed", "6"});
  for (const char* name : {"archive.npz", "corrected.npz"}) {
    EXPECT_TRUE(same(name, "first", "again")) << name;
    EXPECT_FALSE(same(name, "first", "other")) << name;
  }
}

TEST_P(SameRun, IsRepeatedFromItsConfiguration) {
  run_tiny("first", {"--seed", "5"});
  succeed({"run", "--config", "first/run.toml", "--out", "again", "--quiet"});
  for (const char* name : {"run.toml", "archive.npz", "corrected.npz", "reevaluations.npz", "progress.csv"}) {
    EXPECT_TRUE(same(name, "first", "again")) << name;
  }
}

TEST_P(SameRun, HasTheBytesThatTheLibraryGives) {
  run_tiny("program", {});
  run_experiment(read_config(folder_ / "program/run.toml"), nullptr, folder_ / "library", {});
  for (const char* name : {"run.toml", "archive.npz", "corrected.npz", "reevaluations.npz", "progress.csv"}) {
    EXPECT_TRUE(same(name, "program", "library")) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Algorithms, SameRun, ::testing::ValuesIn(every_algorithm_of_run()), algorithm_of_test);

class SameImprovement : public Program {};

TEST_F(SameImprovement, HasTheSameBytesWithAnyNumberOfThreads) {
  succeed(tiny_run("map-elites", "start") + Arguments{"--quiet"});
  for (const char* threads : {"1", "2", "3", "7"}) {
    succeed(tiny_improvement("start/archive.npz", threads) + Arguments{"--threads", threads, "--quiet"});
    EXPECT_TRUE(bytes("1/archive.npz") == bytes(threads + std::string("/archive.npz")));
    EXPECT_TRUE(bytes("1/corrected.npz") == bytes(threads + std::string("/corrected.npz")));
    EXPECT_TRUE(bytes("1/initial_reevaluations.npz") == bytes(threads + std::string("/initial_reevaluations.npz")));
  }
}

class OldCpu : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    if (std::string(ARIA_OLD_CPU).empty()) GTEST_SKIP() << "not with sanitizers, which want to be loaded first";
    if (HWY_ARCH_X86 == 0) GTEST_SKIP() << "every other kind of CPU has fused multiply-add";
  }
};

TEST_F(OldCpu, IsToldThatItsResultsMayNotBeThoseOfOthers) {
  const std::string note = "this CPU has no fused multiply-add (SSE4), so results may differ in the last digits";
  for (const char* threads : {"1", "3"}) {
    const Finished old = run({.arguments = tiny_run("aria-me", threads) + Arguments{"--threads", threads},
                              .environment = {{"LD_PRELOAD", ARIA_OLD_CPU}}});
    EXPECT_EQ(old.exit_code, 0) << old.err;
    EXPECT_THAT(old.err, HasSubstr(note));
  }
  // what is promised beside that holds there too
  for (const char* name : {"archive.npz", "corrected.npz", "reevaluations.npz"}) {
    EXPECT_TRUE(bytes(std::string("1/") + name) == bytes(std::string("3/") + name)) << name;
  }
  const bool told = succeed(tiny_run("aria-me", "here")).err.find("no fused multiply-add") != std::string::npos;
  EXPECT_EQ(told, !simd_target().fused_multiply_add);
}

}  // namespace
}  // namespace aria::testing
