#include "aria/run/finished_run.hpp"

#include "aria/run/experiment.hpp"
#include "run_helpers.hpp"
#include "tests/persistence/file_helpers.hpp"

namespace aria {
namespace {

using aria::testing::error_of;
using aria::testing::read_bytes;
using aria::testing::TemporaryFolder;
using aria::testing::tiny_config;
using aria::testing::write_bytes;
using ::testing::AllOf;
using ::testing::HasSubstr;

class FinishedRunTest : public ::testing::Test {
 protected:
  void run(const std::string& algorithm) const { run_experiment(tiny_config(algorithm), nullptr, path_, {}); }
  std::string error() const {
    return error_of([&] { read_finished_run(path_); });
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "run";
};

TEST_F(FinishedRunTest, HasEverythingThatTheRunLeft) {
  const Experiment made = run_experiment(tiny_config("aria-me"), nullptr, path_, {});
  const FinishedRun read = read_finished_run(path_);
  EXPECT_EQ(read.config.algorithm, "aria-me");
  EXPECT_EQ(read.summary.to_json(), made.summary.to_json());
  EXPECT_EQ(read.archive, made.archive);
  EXPECT_EQ(read.initial, made.initial);
  EXPECT_EQ(read.reevaluation->index, made.reevaluation->index);
  EXPECT_EQ(read.reevaluation->measures_samples, made.reevaluation->measures_samples);
  EXPECT_EQ(read.initial_reevaluation->objective_mean, made.initial_reevaluation->objective_mean);
  EXPECT_EQ(read.reevaluation->kept_samples(), 16u);
}

TEST_F(FinishedRunTest, KeepsSixtyFourSamplesOfMany) {
  RunConfig config = tiny_config("map-elites");
  config.reevaluations = 100;
  run_experiment(config, nullptr, path_, {});
  const FinishedRun read = read_finished_run(path_);
  EXPECT_EQ(read.reevaluation->samples, 100u);
  EXPECT_EQ(read.reevaluation->kept_samples(), 64u);
  EXPECT_FALSE(read.initial || read.initial_reevaluation);
}

TEST_F(FinishedRunTest, IsOneThatIsFinished) {
  EXPECT_THAT(error(), HasSubstr("a run must be a folder with a run.toml, got " + path_.string()));
  ExperimentHooks hooks;
  hooks.stop = [] { return true; };
  run_experiment(tiny_config("map-elites"), nullptr, path_, hooks);
  EXPECT_THAT(error(), HasSubstr("the run in " + path_.string() + " must be finished"));
}

TEST_F(FinishedRunTest, NamesTheFileThatIsDamaged) {
  run("aria-me");
  for (const char* name :
       {"run.toml", "archive.npz", "initial.npz", "reevaluations.npz", "initial_reevaluations.npz", "summary.json"}) {
    const std::string good = read_bytes(path_ / name);
    // half of a configuration may be a whole one
    write_bytes(path_ / name, good.substr(0, good.size() / 2) + "=");
    EXPECT_THAT(error(), HasSubstr((path_ / name).string() + ":")) << name;
    write_bytes(path_ / name, good);
  }
  std::filesystem::copy_file(path_ / "initial_reevaluations.npz", path_ / "reevaluations.npz",
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_THAT(error(), HasSubstr("reevaluations.npz: header.json: solutions must be the checksum of the archive's"));
}

// What an earlier process may leave when its folder is replaced under it.
TEST_F(FinishedRunTest, IsRefusedWithFilesOfAnotherRun) {
  run("aria-me");
  RunConfig other = tiny_config("aria-me");
  other.seed = 99;
  run_experiment(other, nullptr, folder_ / "other", {});
  for (const char* name : {"progress.csv", "corrected.npz"}) {
    const std::string own = read_bytes(path_ / name);
    write_bytes(path_ / name, read_bytes(folder_ / "other" / name));
    EXPECT_THAT(error(), AllOf(HasSubstr((path_ / name).string() + ": its checksum must be "),
                               HasSubstr("as summary.json says")));
    write_bytes(path_ / name, own);
  }
  std::filesystem::remove(path_ / "corrected.npz");
  EXPECT_NO_THROW(read_finished_run(path_)) << "nothing was read from it";
}

}  // namespace
}  // namespace aria
