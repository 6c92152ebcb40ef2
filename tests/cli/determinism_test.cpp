// The same command gives the same bytes.
#include "program.hpp"

namespace aria::testing {
namespace {

using ::testing::Values;

class SameRun : public Program, public ::testing::WithParamInterface<const char*> {
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

std::string test_name(const ::testing::TestParamInfo<const char*>& parameter) {
  std::string name = parameter.param;
  std::erase(name, '-');
  return name;
}
INSTANTIATE_TEST_SUITE_P(EveryAlgorithm, SameRun,
                         Values("map-elites", "me-sa", "me-sa-r", "mome-r", "es", "aria-me", "aria-linear", "aria-es",
                                "aria-gn"),
                         test_name);

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

}  // namespace
}  // namespace aria::testing
