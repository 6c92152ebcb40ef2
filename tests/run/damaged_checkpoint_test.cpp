// A checkpoint that is cut short or changed in any region of its file: the one before it serves, and where that is
// damaged too the run is refused. Never another result.
#include "aria/run/experiment.hpp"
#include "run_helpers.hpp"
#include "tests/persistence/file_helpers.hpp"
#include "tests/support/every_algorithm.hpp"

namespace aria {
namespace {

using aria::testing::algorithm_of_test;
using aria::testing::brought_archive;
using aria::testing::every_algorithm;
using aria::testing::FileSizeLimit;
using aria::testing::read_bytes;
using aria::testing::TemporaryFolder;
using aria::testing::tiny_config;
using aria::testing::write_bytes;
using ::testing::AllOf;
using ::testing::HasSubstr;

namespace fs = std::filesystem;

constexpr std::size_t kRegions = 24;

class DamagedCheckpoint : public ::testing::TestWithParam<std::string> {
 protected:
  // Interrupted twice, so that there are two checkpoints.
  void SetUp() override {
    run("whole", {});
    for (const std::size_t questions : {3u, 4u}) {
      ExperimentHooks hooks;
      std::size_t asked = 0;
      hooks.stop = [&] { return ++asked >= questions; };
      run("stopped", hooks);
    }
    newest_ = read_bytes(folder_ / "stopped/checkpoint.npz");
    previous_ = read_bytes(folder_ / "stopped/checkpoint.previous.npz");
    ASSERT_FALSE(newest_.empty());
    ASSERT_FALSE(previous_.empty());
  }

  Experiment run(const std::string& name, const ExperimentHooks& hooks) const {
    const bool brought = GetParam() == "aria";
    const ArchiveTable archive = brought_archive();
    return run_experiment(tiny_config(GetParam()), brought ? &archive : nullptr, folder_ / name, hooks);
  }

  void restore(const std::string& newest, const std::string& previous) const {
    fs::remove_all(folder_ / "again");
    fs::copy(folder_ / "stopped", folder_ / "again");
    write_bytes(folder_ / "again/checkpoint.npz", newest);
    write_bytes(folder_ / "again/checkpoint.previous.npz", previous);
  }

  // A byte changed in, and the file cut at, every region.
  static std::vector<std::string> damaged(const std::string& whole) {
    std::vector<std::string> result;
    for (std::size_t region = 0; region < kRegions; ++region) {
      const std::size_t at = whole.size() * region / kRegions;
      result.push_back(whole.substr(0, at));
      result.push_back(whole);
      result.back()[at] = static_cast<char>(whole[at] ^ 0x10);
    }
    return result;
  }

  void expect_same_bytes() const {
    for (const char* name : {"archive.npz", "corrected.npz", "reevaluations.npz", "progress.csv"}) {
      EXPECT_TRUE(read_bytes(folder_ / "whole" / name) == read_bytes(folder_ / "again" / name)) << name;
    }
  }

  TemporaryFolder folder_;
  std::string newest_;
  std::string previous_;
};

INSTANTIATE_TEST_SUITE_P(Algorithms, DamagedCheckpoint, ::testing::ValuesIn(every_algorithm()), algorithm_of_test);

TEST_P(DamagedCheckpoint, GivesWayToTheOneBefore) {
  for (const std::string& newest : damaged(newest_)) {
    restore(newest, previous_);
    std::string notes;
    ExperimentHooks hooks;
    hooks.note = [&](const std::string& note) { notes += note + "\n"; };
    EXPECT_EQ(run("again", hooks).outcome, Experiment::Outcome::kDone);
    EXPECT_THAT(notes, HasSubstr("continuing the run"));
    expect_same_bytes();
  }
}

// The next one that is due cannot be written: the one that served must still be there.
TEST_P(DamagedCheckpoint, DoesNotPushOutTheOneBefore) {
  restore(newest_.substr(0, newest_.size() / 2), previous_);
  ExperimentHooks often;
  often.pace.every = 0;
  {
    const FileSizeLimit no_room(0);
    EXPECT_THROW(run("again", often), InputError);
  }
  EXPECT_EQ(run("again", {}).outcome, Experiment::Outcome::kDone);
  expect_same_bytes();
}

TEST_P(DamagedCheckpoint, IsRefusedWhereBothAre) {
  std::size_t refused = 0;
  const std::vector<std::string> newest = damaged(newest_);
  const std::vector<std::string> previous = damaged(previous_);
  for (std::size_t i = 0; i < newest.size(); ++i) {
    restore(newest[i], previous[i]);
    // a byte that nothing depends on may be any: then the result is the same
    try {
      run("again", {});
      expect_same_bytes();
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr("checkpoint.npz"), HasSubstr("can only begin anew")));
      ++refused;
    }
  }
  EXPECT_GT(refused, newest.size() * 3 / 4);
}

}  // namespace
}  // namespace aria
