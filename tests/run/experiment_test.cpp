// Whole runs, in one go and in pieces.
#include "aria/run/experiment.hpp"

#include "aria/persistence/archive_file.hpp"
#include "run_helpers.hpp"
#include "tests/persistence/file_helpers.hpp"
#include "tests/support/every_algorithm.hpp"

namespace aria {
namespace {

namespace fs = std::filesystem;

using aria::testing::algorithm_of_test;
using aria::testing::brought_archive;
using aria::testing::error_of;
using aria::testing::every_algorithm;
using aria::testing::file_names;
using aria::testing::FileSizeLimit;
using aria::testing::read_bytes;
using aria::testing::TemporaryFolder;
using aria::testing::tiny_config;
using aria::testing::write_bytes;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

using Outcome = Experiment::Outcome;

// Says stop at the nth time of being asked.
std::function<bool()> stop_at(std::size_t n) {
  return [n, asked = std::make_shared<std::size_t>(0)] { return ++*asked == n; };
}

class ExperimentOf : public ::testing::TestWithParam<std::string> {
 protected:
  Experiment run(const std::string& folder, const ExperimentHooks& hooks = {}) const {
    return run_experiment(config_, archive(), folder_ / folder, hooks);
  }
  const ArchiveTable* archive() const { return config_.algorithm == "aria" ? &archive_ : nullptr; }

  // How often a run asks whether to stop.
  std::size_t questions() const {
    std::size_t asked = 0;
    ExperimentHooks hooks;
    hooks.stop = [&] {
      ++asked;
      return false;
    };
    run("counted", hooks);
    return asked;
  }

  void expect_same_bytes(const std::string& a, const std::string& b) const {
    for (const char* name : {"run.toml", "archive.npz", "corrected.npz", "reevaluations.npz", "progress.csv"}) {
      ASSERT_TRUE(fs::exists(folder_ / a / name)) << name;
      EXPECT_TRUE(read_bytes(folder_ / a / name) == read_bytes(folder_ / b / name)) << name;
    }
    for (const char* name : {"initial.npz", "initial_reevaluations.npz"}) {
      EXPECT_EQ(fs::exists(folder_ / a / name), fs::exists(folder_ / b / name)) << name;
      EXPECT_TRUE(read_bytes(folder_ / a / name) == read_bytes(folder_ / b / name)) << name;
    }
  }

  RunConfig config_ = tiny_config(GetParam());
  ArchiveTable archive_ = brought_archive();
  TemporaryFolder folder_;
};

TEST_P(ExperimentOf, GivesTheSameBytesWhereverItIsInterrupted) {
  const std::size_t questions = this->questions();
  ASSERT_GE(questions, 4u);
  std::size_t interruptions = 0;
  for (const std::size_t n : {std::size_t{1}, questions / 3, 2 * questions / 3, questions - 1, questions}) {
    SCOPED_TRACE(::testing::Message() << "stopped at question " << n << " of " << questions);
    const std::string name = "at" + std::to_string(n);
    ExperimentHooks hooks;
    hooks.stop = stop_at(n);
    std::vector<std::string> notes;
    hooks.note = [&](const std::string& text) { notes.push_back(text); };
    if (run(name, hooks).outcome == Outcome::kInterrupted) {
      ++interruptions;
      EXPECT_TRUE(fs::exists(folder_ / name / "checkpoint.npz"));
      EXPECT_FALSE(fs::exists(folder_ / name / "summary.json"));
      EXPECT_EQ(run(name, hooks).outcome, Outcome::kDone);
      EXPECT_THAT(notes, ElementsAre(AllOf(HasSubstr("continuing"), HasSubstr((folder_ / name).string()))));
    }
    EXPECT_FALSE(fs::exists(folder_ / name / "checkpoint.npz"));
    expect_same_bytes("counted", name);
  }
  EXPECT_GE(interruptions, 4u);
}

TEST_P(ExperimentOf, GivesTheSameBytesInManyPieces) {
  run("whole");
  ExperimentHooks hooks;
  std::size_t pieces = 0;
  Outcome outcome = Outcome::kInterrupted;
  while (outcome == Outcome::kInterrupted && pieces < 100) {
    hooks.stop = stop_at(3);  // metrics ask twice, and begin anew when they are interrupted
    outcome = run("pieces", hooks).outcome;
    ++pieces;
  }
  EXPECT_GT(pieces, 2u);
  expect_same_bytes("whole", "pieces");
}

TEST_P(ExperimentOf, LeavesAnArchiveThatIsReadWhenInterrupted) {
  ExperimentHooks hooks;
  hooks.stop = stop_at(questions() / 2);
  const Experiment experiment = run("part", hooks);
  ASSERT_EQ(experiment.outcome, Outcome::kInterrupted);
  if (experiment.archive->size() == 0) return;  // an evolution strategy has nothing before its end
  EXPECT_EQ(read_archive(folder_ / "part" / "archive.npz"), *experiment.archive);
}

TEST_P(ExperimentOf, WritesWhatItFound) {
  const Experiment experiment = run("run");
  EXPECT_EQ(experiment.outcome, Outcome::kDone);
  EXPECT_EQ(read_archive(folder_ / "run" / "archive.npz"), *experiment.archive);
  EXPECT_EQ(read_archive(folder_ / "run" / "corrected.npz"), *experiment.corrected);
  EXPECT_EQ(read_bytes(folder_ / "run" / "summary.json"), experiment.summary.to_json());
  std::vector<std::string> names = {"run.toml",          "archive.npz",  "corrected.npz",
                                    "reevaluations.npz", "summary.json", "progress.csv"};
  if (experiment.initial) names.insert(names.end(), {"initial.npz", "initial_reevaluations.npz"});
  EXPECT_THAT(file_names(folder_ / "run"), ::testing::UnorderedElementsAreArray(names));

  const RunSummary& summary = experiment.summary;
  EXPECT_EQ(summary.algorithm, GetParam());
  EXPECT_EQ(summary.cells_in_all, 16u);
  EXPECT_EQ(summary.result.illusory->cells, experiment.archive->size());
  EXPECT_EQ(summary.result.corrected->cells, experiment.corrected->size());
  EXPECT_EQ(summary.failed, 0u);
  const std::size_t initial = experiment.initial ? experiment.initial->size() : 0;
  EXPECT_EQ(summary.reevaluations, 16 * (experiment.archive->size() + initial));
  const std::string csv = read_bytes(folder_ / "run" / "progress.csv");
  EXPECT_THAT(csv, HasSubstr("\n" + std::to_string(summary.evaluations) + ","));
}

TEST_P(ExperimentOf, ChangesNothingOnceItIsDone) {
  const Experiment first = run("run");
  const auto time = fs::last_write_time(folder_ / "run" / "archive.npz");
  const Experiment again = run("run");
  EXPECT_EQ(again.outcome, Outcome::kWasDone);
  EXPECT_EQ(again.summary.to_json(), first.summary.to_json());
  EXPECT_EQ(again.archive, first.archive);
  EXPECT_EQ(again.corrected, first.corrected);
  EXPECT_EQ(again.initial, first.initial);
  EXPECT_EQ(again.initial_corrected, first.initial_corrected);
  // one policy for all cells has no archive that it starts from
  EXPECT_EQ(first.initial_corrected.has_value(), GetParam().starts_with("aria") && GetParam() != "aria-goal");
  EXPECT_EQ(fs::last_write_time(folder_ / "run" / "archive.npz"), time);
}

TEST_P(ExperimentOf, IsRepeatedFromItsOwnConfiguration) {
  run("run");
  run_experiment(read_config(folder_ / "run" / "run.toml"), archive(), folder_ / "again", {});
  expect_same_bytes("run", "again");
}

TEST_P(ExperimentOf, HasOtherBytesWithAnotherSeed) {
  run("run");
  config_.seed = 2;
  run("other");
  for (const char* name : {"archive.npz", "corrected.npz"}) {
    EXPECT_FALSE(read_bytes(folder_ / "run" / name) == read_bytes(folder_ / "other" / name)) << name;
  }
  EXPECT_NE(read_archive(folder_ / "run" / "archive.npz").solution,
            read_archive(folder_ / "other" / "archive.npz").solution);
}

INSTANTIATE_TEST_SUITE_P(Algorithms, ExperimentOf, ::testing::ValuesIn(every_algorithm()), algorithm_of_test);

class ExperimentTest : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
};

TEST_F(ExperimentTest, SpendsItsBudget) {
  const Experiment experiment = run_experiment(tiny_config("map-elites"), nullptr, folder_ / "run", {});
  EXPECT_EQ(experiment.summary.evaluations, 600u);
}

TEST_F(ExperimentTest, HasNoMetricsWhereNoneAreWanted) {
  RunConfig config = tiny_config("map-elites");
  config.reevaluations = 0;
  const Experiment experiment = run_experiment(config, nullptr, folder_ / "run", {});
  EXPECT_FALSE(experiment.corrected);
  EXPECT_FALSE(experiment.summary.result.corrected);
  EXPECT_TRUE(experiment.summary.result.illusory);
  EXPECT_THAT(file_names(folder_ / "run"),
              UnorderedElementsAre("run.toml", "archive.npz", "summary.json", "progress.csv"));
  EXPECT_EQ(run_experiment(config, nullptr, folder_ / "run", {}).outcome, Outcome::kWasDone);
}

TEST_F(ExperimentTest, TellsHowAnArchiveWasMade) {
  run_experiment(tiny_config("map-elites"), nullptr, folder_ / "run", {});
  const ArchiveTable table = read_archive(folder_ / "run" / "archive.npz");
  EXPECT_EQ(table.task, "arm");
  EXPECT_EQ(table.provenance.at("algorithm"), "map-elites");
  EXPECT_EQ(table.provenance.at("seed"), "1");
  EXPECT_EQ(table.provenance.at("preset"), "paper");
  EXPECT_EQ(table.provenance.at("setting.spread"), "deviation");
  EXPECT_EQ(table.provenance.at("setting.grid"), "[4, 4]");
  EXPECT_EQ(table.provenance.at("setting.budget"), "600");
}

TEST_F(ExperimentTest, ShowsEveryStage) {
  ExperimentHooks hooks;
  std::vector<std::string> phases;
  hooks.progress = [&](const std::function<StageProgress()>& make) {
    const StageProgress progress = make();
    if (phases.empty() || phases.back() != progress.phase) phases.push_back(progress.phase);
    EXPECT_LE(progress.done, progress.planned) << progress.phase;
  };
  run_experiment(tiny_config("aria-me"), nullptr, folder_ / "run", hooks);
  EXPECT_THAT(phases, ::testing::IsSupersetOf({"placing", "improving", "completing", "re-evaluating"}));
}

TEST_F(ExperimentTest, IsRefusedBeforeAnythingIsMade) {
  RunConfig config = tiny_config("map-elites");
  config.settings.emplace_back("batch", "0");
  EXPECT_THAT(error_of([&] { run_experiment(config, nullptr, folder_ / "run", {}); }), HasSubstr("batch"));
  EXPECT_THAT(folder_.names(), ::testing::IsEmpty());
}

TEST_F(ExperimentTest, IsRefusedWithADamagedCheckpoint) {
  ExperimentHooks hooks;
  hooks.stop = stop_at(2);
  run_experiment(tiny_config("aria-me"), nullptr, folder_ / "run", hooks);
  const fs::path checkpoint = folder_ / "run" / "checkpoint.npz";
  std::string bytes = read_bytes(checkpoint);
  bytes[bytes.size() / 2] ^= 1;
  write_bytes(checkpoint, bytes);
  EXPECT_THAT(error_of([&] { run_experiment(tiny_config("aria-me"), nullptr, folder_ / "run", {}); }),
              HasSubstr("checkpoint.npz"));
  EXPECT_EQ(read_bytes(checkpoint), bytes);
}

TEST_F(ExperimentTest, NamesASummaryThatIsDamaged) {
  run_experiment(tiny_config("map-elites"), nullptr, folder_ / "run", {});
  write_bytes(folder_ / "run" / "summary.json", "{}");
  EXPECT_THAT(error_of([&] { run_experiment(tiny_config("map-elites"), nullptr, folder_ / "run", {}); }),
              HasSubstr("summary.json: "));
}

TEST_F(ExperimentTest, IsNotContinuedWithAnotherArchive) {
  ArchiveTable archive = brought_archive();
  ExperimentHooks hooks;
  hooks.stop = stop_at(2);
  run_experiment(tiny_config("aria"), &archive, folder_ / "run", hooks);
  archive.solution(0, 0) = 0.5f;
  EXPECT_THAT(error_of([&] { run_experiment(tiny_config("aria"), &archive, folder_ / "run", {}); }),
              AllOf(HasSubstr("other settings"), HasSubstr("input_checksum")));
}

// An evaluator of the caller's, which breaks at the nth request, or is told to stop there.
class FragileEvaluator : public Evaluator {
 public:
  FragileEvaluator(std::shared_ptr<const Task> task, std::size_t breaks_at, bool stops)
      : inner_(std::move(task)), breaks_at_(breaks_at), stops_(stops) {}

  const TaskInfo& info() const override { return inner_.info(); }
  void evaluate(const SampleRequest& request, Evaluations& out) override {
    if (++requests_ == breaks_at_) {
      if (stops_) throw EvaluationStopped();
      throw std::domain_error("the simulator is gone");
    }
    inner_.evaluate(request, out);
  }
  std::string first_error() const override { return {}; }
  std::size_t requests() const { return requests_; }

 private:
  LocalEvaluator inner_;
  std::size_t breaks_at_;
  bool stops_;
  std::size_t requests_ = 0;
};

TEST_P(ExperimentOf, GivesTheSameBytesWhereverItsEvaluatorBreaksOrIsStopped) {
  run("whole");
  ResolvedRun resolved = resolve(config_, archive());
  FragileEvaluator counter(resolved.task, 0, false);
  run_experiment(resolve(config_, archive()), counter, folder_ / "counted", {});
  expect_same_bytes("whole", "counted");
  const std::size_t requests = counter.requests();
  for (const bool stops : {false, true}) {
    for (const std::size_t n : {std::size_t{1}, requests / 2, requests}) {
      SCOPED_TRACE(::testing::Message() << (stops ? "stopped" : "broken") << " at request " << n << " of " << requests);
      const std::string name = (stops ? "stopped" : "broken") + std::to_string(n);
      FragileEvaluator fragile(resolved.task, n, stops);
      const auto attempt = [&] { return run_experiment(resolve(config_, archive()), fragile, folder_ / name, {}); };
      if (stops) {
        EXPECT_EQ(attempt().outcome, Outcome::kInterrupted);
      } else {
        EXPECT_THROW(attempt(), std::domain_error);
      }
      EXPECT_TRUE(fs::exists(folder_ / name / "checkpoint.npz"));
      EXPECT_EQ(attempt().outcome, Outcome::kDone);
      expect_same_bytes("whole", name);
    }
  }
}

// The reason is told, not that the checkpoint could not be written either.
TEST_F(ExperimentTest, TellsWhatBrokeWhereThereIsNoRoomForACheckpoint) {
  ResolvedRun resolved = resolve(tiny_config("map-elites"), nullptr);
  FragileEvaluator fragile(resolved.task, 2, false);
  std::string notes;
  ExperimentHooks hooks;
  hooks.note = [&](const std::string& note) { notes += note; };
  fs::create_directory(folder_ / "run");
  write_bytes(folder_ / "run/run.toml", resolved.config.to_toml());
  const FileSizeLimit no_room(0);
  EXPECT_THROW(run_experiment(std::move(resolved), fragile, folder_ / "run", hooks), std::domain_error);
  EXPECT_THAT(notes, HasSubstr("checkpoint.npz: cannot write it"));
}

}  // namespace
}  // namespace aria
