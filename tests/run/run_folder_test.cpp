// What the folder of a run may hold, and what it is left like.
#include "aria/run/run_folder.hpp"

#include "aria/persistence/folder_lock.hpp"
#include "aria/persistence/state_file.hpp"
#include "run_helpers.hpp"
#include "tests/persistence/file_helpers.hpp"

namespace aria {
namespace {

namespace fs = std::filesystem;

using aria::testing::error_of;
using aria::testing::map_elites_on;
using aria::testing::QuadraticTask;
using aria::testing::read_bytes;
using aria::testing::TemporaryFolder;
using aria::testing::tiny_config;
using aria::testing::write_bytes;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RunFolderTest : public ::testing::Test {
 protected:
  ResolvedConfig config_ = resolve(tiny_config("map-elites"), nullptr).config;
  TemporaryFolder outside_;
  fs::path path_ = outside_ / "run";
};

TEST_F(RunFolderTest, IsNewWhereNothingIsThere) {
  const RunFolder folder(path_, config_);
  EXPECT_EQ(folder.state(), RunFolder::State::kNew);
  EXPECT_FALSE(folder.has_checkpoint());
  EXPECT_FALSE(fs::exists(path_)) << "looking must not make anything";
}

TEST_F(RunFolderTest, IsNewWhereItIsEmpty) {
  fs::create_directory(path_);
  EXPECT_EQ(RunFolder(path_, config_).state(), RunFolder::State::kNew);
}

TEST_F(RunFolderTest, IsNewWhereItWasKilledAtTheVeryStart) {
  fs::create_directory(path_);
  write_bytes(path_ / ".aria-12-0.tmp", "task = ");
  EXPECT_EQ(RunFolder(path_, config_).state(), RunFolder::State::kNew);
}

TEST_F(RunFolderTest, IsUnfinishedOnceItIsMade) {
  RunFolder(path_, config_).create();
  EXPECT_EQ(read_bytes(path_ / "run.toml"), config_.to_toml());
  EXPECT_EQ(RunFolder(path_, config_).state(), RunFolder::State::kUnfinished);
}

TEST_F(RunFolderTest, IsFinishedWithASummary) {
  const RunFolder folder(path_, config_);
  folder.create();
  write_bytes(folder.summary(), "{}");
  EXPECT_EQ(RunFolder(path_, config_).state(), RunFolder::State::kFinished);
  EXPECT_EQ(folder.read_summary(), "{}");
}

TEST_F(RunFolderTest, IsRefusedWithOtherSettings) {
  RunFolder(path_, config_).create();
  RunConfig other = tiny_config("map-elites");
  other.seed = 5;
  EXPECT_THAT(error_of([&] { RunFolder(path_, resolve(other, nullptr).config); }),
              AllOf(HasSubstr(path_.string()), HasSubstr("other settings"),
                    HasSubstr("'seed = 1' there, 'seed = 5' here"), HasSubstr("choose another folder")));
  other = tiny_config("map-elites");
  other.settings.emplace_back("batch", "65");
  EXPECT_THAT(error_of([&] { RunFolder(path_, resolve(other, nullptr).config); }),
              HasSubstr("'batch = 64' there, 'batch = 65' here"));
}

TEST_F(RunFolderTest, NamesASettingThatIsMissingOnOneSide) {
  RunFolder(path_, config_).create();
  write_bytes(path_ / "run.toml", config_.to_toml() + "extra = 1\n");
  EXPECT_THAT(error_of([&] { RunFolder(path_, config_); }), HasSubstr("'extra = 1' there, '' here"));
}

TEST_F(RunFolderTest, ShowsEverySettingThatDiffers) {
  RunFolder(path_, config_).create();
  RunConfig other = tiny_config("map-elites");
  other.seed = 5;
  other.settings.emplace_back("batch", "65");
  EXPECT_THAT(error_of([&] { RunFolder(path_, resolve(other, nullptr).config); }),
              HasSubstr("('seed = 1' there, 'seed = 5' here; 'batch = 64' there, 'batch = 65' here)"));
}

TEST_F(RunFolderTest, IsRefusedWithForeignFiles) {
  fs::create_directory(path_);
  write_bytes(path_ / "thesis.tex", "mine");
  EXPECT_THAT(error_of([&] { RunFolder(path_, config_); }), AllOf(HasSubstr("--out"), HasSubstr(path_.string())));
  EXPECT_EQ(read_bytes(path_ / "thesis.tex"), "mine");
}

TEST_F(RunFolderTest, IsRefusedWhereItIsAFile) {
  write_bytes(path_, "mine");
  EXPECT_THAT(error_of([&] { RunFolder(path_, config_); }), HasSubstr("--out must be a folder, got " + path_.string()));
  EXPECT_EQ(read_bytes(path_), "mine");
}

TEST_F(RunFolderTest, MustHaveAName) {
  EXPECT_THAT(error_of([&] { RunFolder("", config_); }), HasSubstr("--out must be the name of a folder"));
}

TEST_F(RunFolderTest, IsMadeWithTheFoldersAboveIt) {
  RunFolder(path_ / "a" / "b", config_).create();
  EXPECT_TRUE(fs::exists(path_ / "a" / "b" / "run.toml"));
}

// Both found nothing there; the second must not put its settings over those of the first.
TEST_F(RunFolderTest, KeepsTheConfigurationOfWhoeverWasQuicker) {
  RunConfig other = tiny_config("map-elites");
  other.seed = 5;
  const ResolvedConfig second_config = resolve(other, nullptr).config;
  const RunFolder first(path_, config_);
  const RunFolder second(path_, second_config);
  first.create();
  second.create();
  EXPECT_EQ(read_bytes(path_ / "run.toml"), config_.to_toml());
  EXPECT_THAT(error_of([&] { RunFolder(path_, second_config); }), HasSubstr("'seed = 1' there, 'seed = 5' here"));
  const FolderLock held(path_);
  EXPECT_THAT(error_of([&] { second.create(); }), HasSubstr("is being written by another process"));
  EXPECT_EQ(read_bytes(path_ / "run.toml"), config_.to_toml());
}

TEST_F(RunFolderTest, LeavesNothingWhereItCannotBeMade) {
  write_bytes(path_, "a regular file");
  const RunFolder folder(path_ / "a" / "b", config_);
  EXPECT_THAT(error_of([&] { folder.create(); }), AllOf(HasSubstr("--out"), HasSubstr((path_ / "a" / "b").string())));
  EXPECT_THAT(outside_.names(), ElementsAre("run"));
  EXPECT_EQ(read_bytes(path_), "a regular file");
}

TEST_F(RunFolderTest, LeavesNothingWhereItsConfigurationCannotBeWritten) {
  // a name that is too long for the file system, below a folder that can be made
  const fs::path deep = path_ / "a" / std::string(300, 'b');
  const RunFolder folder(deep, config_);
  EXPECT_THAT(error_of([&] { folder.create(); }), HasSubstr("--out"));
  EXPECT_THAT(outside_.names(), IsEmpty());
}

TEST_F(RunFolderTest, KeepsACheckpoint) {
  const auto task = std::make_shared<QuadraticTask>();
  LocalEvaluator evaluator(task);
  AnyAlgorithm algorithm = map_elites_on(task, 500, 100);
  RunProgress progress;
  RunHooks hooks;
  hooks.stop = [&] { return progress.evaluations >= 200; };
  run_loop(algorithm, evaluator, progress, hooks);
  const RunFolder folder(path_, config_);
  folder.create();
  folder.write_checkpoint(algorithm, progress);
  EXPECT_TRUE(folder.has_checkpoint());

  AnyAlgorithm copy = map_elites_on(task, 500, 100);
  RunProgress copied;
  folder.read_checkpoint(copy, copied);
  EXPECT_EQ(copy.save(), algorithm.save());
  EXPECT_EQ(copied.evaluations, 200u);
  EXPECT_EQ(copied.save(), progress.save());

  folder.remove_checkpoint();
  EXPECT_FALSE(folder.has_checkpoint());
  EXPECT_NO_THROW(folder.remove_checkpoint());
}

TEST_F(RunFolderTest, RefusesADamagedCheckpoint) {
  const auto task = std::make_shared<QuadraticTask>();
  AnyAlgorithm algorithm = map_elites_on(task, 500, 100);
  RunProgress progress;
  const RunFolder folder(path_, config_);
  folder.create();
  folder.write_checkpoint(algorithm, progress);
  const std::string good = read_bytes(folder.checkpoint());
  write_bytes(folder.checkpoint(), good.substr(0, good.size() / 2));
  EXPECT_THAT(error_of([&] { folder.read_checkpoint(algorithm, progress); }), HasSubstr("checkpoint.npz"));
}

// At every region of the newest file: cut short, a bit turned, gone.
TEST_F(RunFolderTest, TakesThePreviousCheckpointWhereTheNewestIsDamaged) {
  const auto task = std::make_shared<QuadraticTask>();
  LocalEvaluator evaluator(task);
  AnyAlgorithm algorithm = map_elites_on(task, 500, 100);
  RunProgress progress;
  RunHooks hooks;
  const RunFolder folder(path_, config_);
  folder.create();
  std::size_t wanted = 0;
  hooks.stop = [&] { return progress.evaluations >= wanted; };
  for (const std::size_t evaluations : {100u, 200u}) {
    wanted = evaluations;
    run_loop(algorithm, evaluator, progress, hooks);
    folder.write_checkpoint(algorithm, progress);
  }
  const std::string good = read_bytes(folder.checkpoint());
  const auto read = [&](const std::string& newest) {
    write_bytes(folder.checkpoint(), newest);
    AnyAlgorithm copy = map_elites_on(task, 500, 100);
    RunProgress copied;
    const std::string damage = folder.read_checkpoint(copy, copied);
    return std::pair(copied.evaluations, damage);
  };
  EXPECT_EQ(read(good), std::pair(std::size_t{200}, std::string()));
  for (std::size_t region = 0; region < 40; ++region) {
    const std::size_t at = region * (good.size() - 1) / 39;
    EXPECT_EQ(read(good.substr(0, at)).first, 100u) << at;
    std::string turned = good;
    turned[at] = static_cast<char>(turned[at] ^ 4);
    // a bit that means nothing, such as a date in the zip, may go unnoticed: what is read is whole then
    const auto [evaluations, damage] = read(turned);
    EXPECT_EQ(evaluations, damage.empty() ? 200u : 100u) << at;
  }
  // whole, but of something else
  write_state(path_ / "other", State(), {});
  const auto [evaluations, damage] = read(read_bytes(path_ / "other"));
  EXPECT_EQ(evaluations, 100u);
  EXPECT_THAT(damage, HasSubstr("checkpoint.npz: "));
  fs::remove(folder.checkpoint());
  EXPECT_TRUE(folder.has_checkpoint());
  RunProgress copied;
  folder.read_checkpoint(algorithm, copied);
  EXPECT_EQ(copied.evaluations, 100u);
  write_bytes(folder.previous_checkpoint(), "nonsense");
  EXPECT_THAT(error_of([&] { folder.read_checkpoint(algorithm, copied); }),
              AllOf(HasSubstr("checkpoint.previous.npz"), HasSubstr("can only begin anew")));
}

}  // namespace
}  // namespace aria
