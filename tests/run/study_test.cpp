// Whole studies, in one go and in pieces.
#include "aria/run/study.hpp"

#include <atomic>
#include <mutex>

#include <nlohmann/json.hpp>

#include "aria/persistence/archive_file.hpp"
#include "aria/persistence/folder_lock.hpp"
#include "aria/run/study_files.hpp"
#include "study_helpers.hpp"
#include "tests/support/threads.hpp"

namespace aria {
namespace {

namespace fs = std::filesystem;

using aria::testing::error_of;
using aria::testing::for_each_thread_count;
using aria::testing::read_bytes;
using aria::testing::ScopedThreads;
using aria::testing::TemporaryFolder;
using aria::testing::tiny_study;
using aria::testing::without_seconds;
using aria::testing::write_bytes;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

using Json = nlohmann::ordered_json;

const std::vector<std::string> kThree = {"map-elites", "aria-me", "aria-es"};

class StudyTest : public ::testing::Test {
 protected:
  Study run(const std::string& folder, const StudyConfig& config = tiny_study(kThree), const StudyHooks& hooks = {},
            bool repair = false) const {
    return run_study(config, folder_ / folder, repair, hooks);
  }
  std::string refused(const std::string& folder, const StudyConfig& config = tiny_study(kThree)) const {
    return error_of([&] { run(folder, config); });
  }
  void expect_same(const std::string& a, const std::string& b) const {
    for (const char* name : {"study.json", "study.csv", "runs.csv", "study.toml"}) {
      EXPECT_EQ(without_seconds(folder_ / a / name), without_seconds(folder_ / b / name)) << name;
    }
  }
  fs::path file(const std::string& name) const { return folder_ / name; }

  TemporaryFolder folder_;
};

TEST_F(StudyTest, RunsEveryAlgorithmWithEverySeed) {
  std::vector<std::string> finished;
  StudyHooks hooks;
  hooks.finished = [&](const PlannedRun& planned, const RunSummary& summary, const StudyProgress& progress) {
    finished.push_back(planned.name());
    EXPECT_EQ(summary.seed, planned.config.seed);
    EXPECT_EQ(progress.done, finished.size());
    EXPECT_EQ(progress.runs, 6u);
  };
  const Study study = run("study", tiny_study(kThree), hooks);
  EXPECT_THAT(finished, UnorderedElementsAre("map-elites, seed 1", "map-elites, seed 2", "aria-me, seed 1",
                                             "aria-me, seed 2", "aria-es, seed 1", "aria-es, seed 2"));
  EXPECT_EQ(study.runs, 6u);
  EXPECT_EQ(study.finished, 6u);
  EXPECT_EQ(study.started, 6u);
  ASSERT_TRUE(study.data);
  EXPECT_EQ(study.data->algorithms.size(), 3u);
  EXPECT_EQ(read_bytes(file("study/study.json")), study_json(*study.data));
  EXPECT_EQ(read_bytes(file("study/study.csv")), study_csv(*study.data));
}

TEST_F(StudyTest, TellsHowMuchMemoryItsLearnersWillTakeSideBySide) {
  StudyConfig config = tiny_study({"pga-me"}, 3);
  config.task = "walker";
  config.settings = {{"grid", "3x3"}, {"hidden", "4"}, {"episode_length", "5"}};
  config.algorithm_settings["pga-me"] = {
      {"budget", "8"}, {"batch", "4"}, {"critic_steps", "1"}, {"critic_hidden", "4"}};
  std::vector<std::string> notes;
  StudyHooks hooks;
  hooks.note = [&](const std::string& text) { notes.push_back(text); };
  const ScopedThreads two(2);
  run("study", config, hooks);
  // two of 0.165 GB each
  EXPECT_THAT(notes, Contains(HasSubstr("will take up to 0.33 GB of memory")));
  notes.clear();
  run("study", config, hooks);
  EXPECT_THAT(notes, Not(Contains(HasSubstr("memory")))) << "nothing is left to run";
}

TEST_F(StudyTest, MakesTheRunsThatTheyWouldBeAlone) {
  run("study");
  const ResolvedStudy study = resolve_study(tiny_study(kThree));
  for (std::size_t a = 0; a < study.algorithms.size(); ++a) {
    const ResolvedConfig config = study.run(a, 1);
    run_experiment(request_of(config), nullptr, file("alone-" + config.algorithm), {});
    for (const char* name : {"run.toml", "archive.npz", "corrected.npz", "progress.csv"}) {
      EXPECT_TRUE(read_bytes(file("study/" + config.algorithm + "/seed-2/" + name)) ==
                  read_bytes(file("alone-" + config.algorithm + "/" + name)))
          << config.algorithm << " " << name;
    }
  }
}

TEST_F(StudyTest, GivesTheSameFilesForAnyNumberOfThreads) {
  run("first");
  for_each_thread_count([&](std::size_t count) {
    const std::string name = std::to_string(count);
    run(name);
    expect_same("first", name);
  });
  StudyConfig other = tiny_study(kThree);
  other.seed = 9;
  run("other", other);
  EXPECT_NE(without_seconds(file("first/study.json")), without_seconds(file("other/study.json")));
}

TEST_F(StudyTest, GoesOnWhereItWasInterrupted) {
  run("whole");
  for (const std::size_t threads : {1u, 2u}) {
    const ScopedThreads scope(threads);
    const std::string name = "in-pieces-" + std::to_string(threads);
    StudyHooks hooks;
    std::atomic<int> asked = 0;
    std::size_t pieces = 0;
    bool interrupted = true;
    for (; interrupted && pieces < 200; ++pieces) {
      asked = 0;
      hooks.stop = [&] { return ++asked > 12; };
      const Study study = run(name, tiny_study(kThree), hooks);
      interrupted = study.interrupted;
      if (interrupted) {
        EXPECT_FALSE(study.data);
        EXPECT_FALSE(fs::exists(file(name + "/study.json")));
      }
    }
    EXPECT_GT(pieces, 2u);
    expect_same("whole", name);
  }
}

TEST_F(StudyTest, WritesTheCheckpointsOfAllThatAreUnderWay) {
  const ScopedThreads scope(2);
  StudyConfig config = tiny_study({"map-elites", "aria-me"});
  config.algorithm_settings["map-elites"].emplace_back("budget", "1e9");
  config.algorithm_settings["aria-me"].emplace_back("steps", "1e6");
  StudyHooks hooks;
  std::atomic<bool> both = false;
  hooks.progress = [&](const StudyProgress& progress) { both = both || progress.running.size() == 2; };
  hooks.stop = [&] { return both.load(); };
  EXPECT_TRUE(run("study", config, hooks).interrupted);
  for (const char* name : {"map-elites/seed-1", "aria-me/seed-1"}) {
    EXPECT_TRUE(fs::exists(file("study") / name / "checkpoint.npz")) << name;
  }
  EXPECT_FALSE(fs::exists(file("study/map-elites/seed-2"))) << "no other begins";
}

TEST_F(StudyTest, DoesNotRepeatWhatIsFinished) {
  run("study");
  const auto time = fs::last_write_time(file("study/aria-me/seed-1/archive.npz"));
  const auto results = fs::last_write_time(file("study/study.json"));
  const Study again = run("study");
  EXPECT_EQ(again.started, 0u);
  EXPECT_EQ(again.finished, 6u);
  EXPECT_TRUE(again.data);
  EXPECT_EQ(fs::last_write_time(file("study/aria-me/seed-1/archive.npz")), time);
  EXPECT_EQ(fs::last_write_time(file("study/study.json")), results);
}

TEST_F(StudyTest, IsGivenMoreAlgorithmsAndReplications) {
  run("whole", tiny_study(kThree, 3));
  run("grown", tiny_study({"aria-me"}, 2));
  EXPECT_EQ(run("grown", tiny_study({"map-elites", "aria-es"}, 1)).started, 4u) << "as many as the others have";
  EXPECT_EQ(run("grown", tiny_study({"aria-me"}, 3)).started, 3u);
  expect_same("whole", "grown");
}

// As several machines share the work.
TEST_F(StudyTest, TakesRunsThatWereMadeElsewhere) {
  run("whole", tiny_study(kThree, 3));
  run("here", tiny_study(kThree, 1));
  StudyConfig others = tiny_study(kThree, 2);
  others.seed = 2;
  run("elsewhere", others);
  for (const std::string& algorithm : kThree) {
    fs::copy(file("elsewhere") / algorithm, file("here") / algorithm, fs::copy_options::recursive);
  }
  EXPECT_EQ(run("here", tiny_study(kThree, 3)).started, 0u);
  expect_same("whole", "here");
}

TEST_F(StudyTest, IsRefusedWithOtherSettings) {
  run("study");
  const std::string before = read_bytes(file("study/study.toml"));
  StudyConfig config = tiny_study(kThree);
  config.algorithm_settings["aria-me"].emplace_back("pairs", "17");
  EXPECT_THAT(refused("study", config), AllOf(HasSubstr("holds a study with other settings"),
                                              HasSubstr("aria-me: pairs = 16 there, aria-me: pairs = 17 here")));
  EXPECT_EQ(read_bytes(file("study/study.toml")), before);
}

TEST_F(StudyTest, IsLeftAsItIsWhileAnotherProcessHasIt) {
  run("study", tiny_study({"map-elites"}));
  const std::string before = read_bytes(file("study/study.toml"));
  const FolderLock held(file("study"));
  EXPECT_THAT(refused("study"), HasSubstr("is being written by another process"));
  EXPECT_EQ(read_bytes(file("study/study.toml")), before);
  EXPECT_FALSE(fs::exists(file("study/aria-me")));
}

TEST_F(StudyTest, IsRefusedInAFolderOfSomethingElse) {
  fs::create_directory(file("thesis"));
  write_bytes(file("thesis/chapter.tex"), "mine");
  EXPECT_THAT(refused("thesis"), HasSubstr("--out must be a new folder, an empty one, or that of a study"));
  write_bytes(file("file"), "");
  EXPECT_THAT(refused("file"), HasSubstr("--out must be a folder"));
  run("study");
  write_bytes(file("study/study.toml"), "task = ");
  EXPECT_THAT(refused("study"), HasSubstr("study.toml:1: "));
  write_bytes(file("study/study.toml"), "task = \"swimmer\"\n");
  EXPECT_THAT(refused("study"), HasSubstr("study.toml: unknown task 'swimmer'"));
}

TEST_F(StudyTest, IsRefusedBeforeAnythingIsMade) {
  EXPECT_THAT(refused("study", tiny_study({"map-elite"})), HasSubstr("did you mean 'map-elites'?"));
  EXPECT_THAT(refused("study", tiny_study(kThree, 0)), HasSubstr("replications"));
  EXPECT_THAT(folder_.names(), IsEmpty());
}

// Every way in which a run can be damaged, each told with the file that is wrong.
class DamagedRun : public StudyTest {
 protected:
  void SetUp() override { run("study"); }

  // Spoils a run, expects the study to name it and change nothing, and to be as before once it was repaired.
  void expect_named_and_repaired(const std::string& name, const std::string& what) const {
    SCOPED_TRACE(name + ": " + what);
    const std::string results = without_seconds(file("study/study.json"));
    EXPECT_THAT(refused("study"), AllOf(HasSubstr(name + " is damaged"), HasSubstr(what), HasSubstr("--repair")));
    EXPECT_FALSE(fs::exists(file("study/" + name + ".damaged")));
    const Study repaired = run("study", tiny_study(kThree), {}, true);
    EXPECT_EQ(repaired.started, 1u);
    EXPECT_EQ(repaired.finished, 6u);
    EXPECT_TRUE(fs::exists(file("study/" + name + ".damaged"))) << "nothing is thrown away";
    EXPECT_EQ(without_seconds(file("study/study.json")), results);
    EXPECT_EQ(run("study").started, 0u);
  }
};

TEST_F(DamagedRun, IsNamedAndRunAnewOnlyWhenAsked) {
  write_bytes(file("study/aria-me/seed-1/summary.json"), "{}");
  expect_named_and_repaired("aria-me/seed-1", "summary.json");
  fs::remove(file("study/aria-es/seed-1/archive.npz"));
  expect_named_and_repaired("aria-es/seed-1", "archive.npz");
  std::string bytes = read_bytes(file("study/aria-es/seed-2/corrected.npz"));
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  write_bytes(file("study/aria-es/seed-2/corrected.npz"), bytes);
  expect_named_and_repaired("aria-es/seed-2", "corrected.npz");
  fs::remove(file("study/map-elites/seed-1/run.toml"));
  expect_named_and_repaired("map-elites/seed-1", "run.toml");
  fs::remove(file("study/map-elites/seed-2/summary.json"));
  write_bytes(file("study/map-elites/seed-2/checkpoint.npz"), "PK not a checkpoint");
  expect_named_and_repaired("map-elites/seed-2", "checkpoint.npz");
  // files that are whole in themselves, but of another run
  write_bytes(file("study/aria-me/seed-2/run.toml"), read_bytes(file("study/aria-me/seed-1/run.toml")));
  expect_named_and_repaired("aria-me/seed-2", "run.toml must be that of this study, got another");
}

TEST_F(DamagedRun, IsFoundByAnArchiveThatIsNotItsOwn) {
  const fs::path corrected = file("study/aria-me/seed-2/corrected.npz");
  const ArchiveTable good = read_archive(corrected);
  ASSERT_GT(good.size(), 1u);
  write_archive(corrected, good.select({0}));
  expect_named_and_repaired("aria-me/seed-2", "corrected.npz: its size must be");
  ArchiveTable bare = good;
  bare.measures_std = Matrix();
  write_archive(file("study/aria-es/seed-2/corrected.npz"), bare);
  expect_named_and_repaired("aria-es/seed-2", "corrected.npz: its columns must be");
  ArchiveTable other_grid = good;
  other_grid.grid = Grid({{4, 5}, {0, 0}, {1, 1}});
  write_archive(file("study/map-elites/seed-2/corrected.npz"), other_grid);
  expect_named_and_repaired("map-elites/seed-2", "corrected.npz: its grid must be that of the task");
  write_bytes(file("study/map-elites/seed-1/summary.json"), read_bytes(file("study/map-elites/seed-2/summary.json")));
  expect_named_and_repaired("map-elites/seed-1", "the summary must be of map-elites on arm, seed 1");
}

// Each is whole in itself and fits the grid, but is not what the run wrote.
TEST_F(DamagedRun, IsFoundByAFileOfAnotherRun) {
  for (const char* name : {"archive.npz", "progress.csv"}) {
    write_bytes(file("study/map-elites/seed-1") / name, read_bytes(file("study/map-elites/seed-2") / name));
    const std::string what = fmt::format("{}: its checksum must be", name);
    EXPECT_THAT(refused("study"), HasSubstr(what));
    EXPECT_THAT(error_of([&] { study_so_far(tiny_study(kThree), file("study")); }), HasSubstr(what));
    const Study repaired = run("study", tiny_study(kThree), {}, true);
    EXPECT_EQ(repaired.started, 1u);
    EXPECT_EQ(run("study").started, 0u);
  }
}

TEST_F(DamagedRun, IsCountedWithTheOthers) {
  write_bytes(file("study/aria-me/seed-1/summary.json"), "{}");
  write_bytes(file("study/aria-me/seed-2/summary.json"), "{}");
  EXPECT_THAT(refused("study"), AllOf(HasSubstr("aria-me/seed-1 is damaged"), HasSubstr(", and 1 more; ")));
}

TEST_F(DamagedRun, IsPutAsideUnderANameOfItsOwn) {
  for (int time = 0; time < 2; ++time) {
    write_bytes(file("study/aria-me/seed-1/summary.json"), "{}");
    std::vector<std::string> notes;
    StudyHooks hooks;
    hooks.note = [&](const std::string& text) { notes.push_back(text); };
    run("study", tiny_study(kThree), hooks, true);
    EXPECT_THAT(notes.front(), AllOf(HasSubstr("aria-me, seed 1 is damaged"), HasSubstr("summary.json"),
                                     HasSubstr("kept as aria-me/seed-1.damaged")));
  }
  EXPECT_TRUE(fs::exists(file("study/aria-me/seed-1.damaged")));
  EXPECT_TRUE(fs::exists(file("study/aria-me/seed-1.damaged-2")));
}

TEST_F(StudyTest, GoesOnWhenARunFails) {
  // a link that leads nowhere: no folder can be made there
  fs::create_directories(file("study/map-elites"));
  write_bytes(file("study/study.toml"), resolve_study(tiny_study(kThree)).to_toml());
  fs::create_symlink(file("nowhere/at/all"), file("study/map-elites/seed-2"));
  std::vector<std::string> told;
  StudyHooks hooks;
  hooks.failed = [&](const PlannedRun& planned, const std::string& why) {
    told.push_back(planned.name() + ": " + why);
  };
  const Study study = run("study", tiny_study(kThree), hooks);
  EXPECT_THAT(told, ElementsAre(AllOf(HasSubstr("map-elites, seed 2: "), HasSubstr("a folder that can be made"))));
  EXPECT_THAT(study.failed, ElementsAre("map-elites, seed 2"));
  EXPECT_EQ(study.finished, 5u);
  EXPECT_FALSE(study.interrupted);
  ASSERT_TRUE(study.data) << "what is finished is compared";
  EXPECT_EQ(study.data->algorithms[0].runs.size(), 1u);

  fs::remove(file("study/map-elites/seed-2"));
  EXPECT_EQ(run("study").started, 1u) << "it is tried again";
  run("whole");
  expect_same("whole", "study");
}

TEST_F(StudyTest, ComparesWhatIsFinishedSoFarAndChangesNothing) {
  StudyHooks hooks;
  std::atomic<std::size_t> finished = 0;
  hooks.finished = [&](const PlannedRun&, const RunSummary&, const StudyProgress&) { ++finished; };
  hooks.stop = [&] { return finished >= 2; };
  EXPECT_THAT(error_of([&] { study_so_far({}, file("study")); }),
              AllOf(HasSubstr("--out must be the folder of a study that has begun"), HasSubstr("study")));
  ASSERT_TRUE(run("study", tiny_study(kThree), hooks).interrupted);
  const Study so_far = study_so_far({}, file("study"));
  EXPECT_FALSE(fs::exists(file("study/study.json")));
  EXPECT_EQ(so_far.runs, 6u);
  EXPECT_EQ(so_far.finished, finished);
  ASSERT_TRUE(so_far.data);
  EXPECT_EQ(so_far.data->replications, 2u);
  std::size_t compared = 0;
  for (const StudyAlgorithm& algorithm : so_far.data->algorithms) compared += algorithm.runs.size();
  EXPECT_EQ(compared, finished);

  EXPECT_EQ(study_so_far(tiny_study(kThree), file("study")).finished, finished) << "asked for as it was begun";
  StudyConfig other = tiny_study(kThree);
  other.seed = 9;
  EXPECT_THAT(error_of([&] { study_so_far(other, file("study")); }), HasSubstr("seed = 1 there, seed = 9 here"));

  const Study whole = run("study");
  EXPECT_EQ(study_json(*study_so_far({}, file("study")).data), study_json(*whole.data)) << "at the end all of it";
}

TEST_F(StudyTest, NeedsAFinishedRunToCompareSoFar) {
  StudyHooks hooks;
  hooks.stop = [] { return true; };
  run("study", tiny_study(kThree), hooks);
  EXPECT_THAT(error_of([&] { study_so_far({}, file("study")); }), HasSubstr("must be one with a finished run"));
}

TEST_F(StudyTest, ShowsWhatRunsNow) {
  const ScopedThreads scope(2);
  StudyHooks hooks;
  std::size_t calls = 0;
  bool first_phase = false;
  std::mutex busy;
  hooks.progress = [&](const StudyProgress& progress) {
    ASSERT_TRUE(busy.try_lock()) << "never two at a time";
    ++calls;
    EXPECT_EQ(progress.runs, 6u);
    EXPECT_GE(progress.running.size(), 1u);
    EXPECT_LE(progress.running.size(), 2u);
    for (const auto& running : progress.running) {
      EXPECT_GE(running.share, 0);
      EXPECT_LE(running.share, 1);
      if (!running.phase_share) continue;
      first_phase = true;
      EXPECT_EQ(running.algorithm, "aria-me");
      EXPECT_GT(*running.phase_share, running.share) << "of the phase alone";
    }
    busy.unlock();
  };
  run("study", tiny_study(kThree), hooks);
  EXPECT_GE(calls, 6u) << "at least once for each run";
  EXPECT_TRUE(first_phase) << "how far ARIA's first archive is";
}

TEST_F(StudyTest, WritesWhatTheReportReads) {
  run("study");
  const Json data = Json::parse(read_bytes(file("study/study.json")));
  std::vector<std::string> keys;
  for (const auto& [key, value] : data.items()) keys.push_back(key);
  EXPECT_THAT(keys, ElementsAre("format", "task", "preset", "seed", "replications", "reevaluations", "metrics",
                                "algorithms", "ranges", "fixed_ranges", "thresholds", "tests"));
  EXPECT_EQ(data["format"], 1);
  const Json& algorithm = data["algorithms"][1];
  EXPECT_EQ(algorithm["name"], "aria-me");
  EXPECT_EQ(algorithm["label"], "ARIA-ME");
  EXPECT_TRUE(algorithm["published"].is_null()) << "an arm of five joints is not the published one";
  EXPECT_EQ(algorithm["runs"][1]["folder"], "aria-me/seed-2");
  EXPECT_EQ(algorithm["runs"][1]["seed"], 2);
  for (const Json& metric : data["metrics"]) {
    EXPECT_TRUE(algorithm["runs"][0]["metrics"].contains(metric["key"].get<std::string>())) << metric["key"];
  }
  EXPECT_EQ(algorithm["profile"]["median"].size(), data["thresholds"].size());
  EXPECT_EQ(data["tests"].size(), 15u);
  EXPECT_EQ(data["tests"][0]["a"], "map-elites");
  EXPECT_THAT(data["tests"][0]["method"].get<std::string>(), ::testing::AnyOf("exact", "normal"));
  // figures are those of the runs' own files
  const ArchiveTable corrected = read_archive(file("study/aria-me/seed-2/corrected.npz"));
  EXPECT_EQ(algorithm["runs"][1]["metrics"]["corrected.cells"], corrected.size());
  const Json summary = Json::parse(read_bytes(file("study/aria-me/seed-2/summary.json")));
  EXPECT_EQ(algorithm["runs"][1]["metrics"]["fixed.corrected.qd_score"], summary["corrected"]["qd_score"]);
  EXPECT_EQ(algorithm["runs"][1]["metrics"]["fixed.corrected.v_score"], summary["corrected"]["v_score"]);
  EXPECT_EQ(algorithm["runs"][1]["metrics"]["corrected.p_score"], summary["corrected"]["p_score"]);
  EXPECT_EQ(algorithm["runs"][1]["metrics"]["fixed.illusory.qd_score"], summary["illusory"]["qd_score"]);
  EXPECT_EQ(algorithm["runs"][1]["evaluations"], summary["evaluations"]);
  EXPECT_EQ(algorithm["runs"][1]["seconds"], summary["seconds"]);

  const std::string csv = read_bytes(file("study/study.csv"));
  EXPECT_THAT(
      csv, ::testing::StartsWith("algorithm,metric,runs,median,lower_quartile,upper_quartile,published,difference\n"));
  EXPECT_THAT(csv, AllOf(HasSubstr("\naria-me,coverage_gain,2,"), Not(HasSubstr("\nmap-elites,coverage_gain"))));
  const std::string runs = read_bytes(file("study/runs.csv"));
  EXPECT_THAT(runs, ::testing::StartsWith("algorithm,seed,metric,value\nmap-elites,1,"));
  EXPECT_THAT(runs, HasSubstr(fmt::format("\naria-me,2,corrected.cells,{}\n", corrected.size())));
  EXPECT_THAT(runs, AllOf(HasSubstr("\naria-me,1,coverage_gain,"), Not(HasSubstr("\nmap-elites,1,coverage_gain"))));
}

}  // namespace
}  // namespace aria
