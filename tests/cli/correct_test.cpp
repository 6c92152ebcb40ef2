// aria correct
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace aria::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Correct : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    if (!IsSkipped()) succeed(tiny_run("map-elites", "run") + Arguments{"--seed", "3", "--quiet"});
  }
};

TEST_F(Correct, ReproducesWhatTheRunFound) {
  succeed({"correct", "run", "--quiet"});
  EXPECT_TRUE(bytes("run/correction-64-seed3/corrected.npz") == bytes("run/corrected.npz"));
  succeed({"correct", "run", "--out", "apart", "--quiet"});
  EXPECT_TRUE(bytes("apart/corrected.npz") == bytes("run/corrected.npz"));
  EXPECT_THAT(names_in(look_at(folder_ / "apart")), ElementsAre("corrected.npz", "reevaluations.npz"));
}

TEST_F(Correct, LeavesTheFilesOfARunAsTheyAre) {
  const FolderState before = look_at(folder_ / "run");
  succeed({"correct", "run", "--quiet"});
  succeed({"correct", "run", "--seed", "9", "--reevaluations", "10", "--quiet"});
  FolderState after = look_at(folder_ / "run");
  EXPECT_EQ(std::erase_if(after, [](const auto& file) { return file.first.starts_with("correction-"); }), 6u);
  EXPECT_TRUE(after == before);
  EXPECT_FALSE(bytes("run/correction-10-seed9/corrected.npz") == bytes("run/corrected.npz"));
  expect_refused({"correct", "run", "--out", "run"},
                 HasSubstr("--out must be another folder than that of a run, whose files stay, got run"));
}

TEST_F(Correct, ReproducesItFromTheFileAlone) {
  succeed({"correct", "run/archive.npz", "--reevaluations", "64", "--out", "apart", "--quiet"});
  EXPECT_TRUE(bytes("apart/corrected.npz") == bytes("run/corrected.npz"));
}

TEST_F(Correct, DependsOnTheSeed) {
  succeed({"correct", "run", "--out", "apart", "--seed", "4", "--quiet"});
  EXPECT_FALSE(bytes("apart/corrected.npz") == bytes("run/corrected.npz"));
}

TEST_F(Correct, TakesTheConfigurationOfARun) {
  succeed({"correct", "run/archive.npz", "--config", "run/run.toml", "--out", "apart", "--quiet"});
  EXPECT_TRUE(bytes("apart/corrected.npz") == bytes("run/corrected.npz"));
}

TEST_F(Correct, TakesARunThatHasNoMetrics) {
  succeed({"run", "--config", "run/run.toml", "--reevaluations", "0", "--out", "bare", "--quiet"});
  const Finished finished = succeed({"correct", "bare", "--json"});
  EXPECT_EQ(nlohmann::json::parse(finished.out)["illusory"]["cells"].get<int>() * 1024,
            nlohmann::json::parse(finished.out)["reevaluations"]);
}

TEST_F(Correct, CountsNoEvaluationsOfAnAlgorithm) {
  const auto object = nlohmann::json::parse(succeed({"correct", "run", "--json"}).out);
  EXPECT_EQ(object["evaluations"], 0);
  EXPECT_EQ(object["algorithm"], "map-elites");
  EXPECT_EQ(object["seed"], 3);
  EXPECT_EQ(object["reevaluations"], 64 * object["illusory"]["cells"].get<int>());
}

TEST_F(Correct, GivesTheScoresOfTheRun) {
  const auto run = nlohmann::json::parse(bytes("run/summary.json"));
  const auto again = nlohmann::json::parse(succeed({"correct", "run", "--json"}).out);
  EXPECT_EQ(again["illusory"], run["illusory"]);
  EXPECT_EQ(again["corrected"], run["corrected"]);
  EXPECT_EQ(again["ranges"], run["ranges"]);
}

TEST_F(Correct, ShowsTheArchiveBeforeAndAfter) {
  EXPECT_THAT(succeed({"correct", "run"}).out,
              AllOf(HasSubstr("illusory"), HasSubstr("corrected"), HasSubstr("P-Score"),
                    HasSubstr("Files: run/correction-64-seed3")));
}

TEST_F(Correct, GivesTheSameArchiveWhetherSamplesAreKeptOrNot) {
  succeed({"correct", "run", "--out", "without", "--quiet"});
  succeed({"correct", "run", "--keep-samples", "--out", "kept", "--quiet"});
  EXPECT_TRUE(bytes("without/corrected.npz") == bytes("kept/corrected.npz"));
}

TEST_F(Correct, KeepsEverySampleThatIsAskedFor) {
  if (!has_python()) GTEST_SKIP() << "no Python with NumPy was given";
  succeed({"correct", "run", "--reevaluations", "100", "--keep-samples", "--out", "kept", "--quiet"});
  python(R"(
f = np.load('kept/reevaluations.npz', allow_pickle=False)
n = len(np.load('run/archive.npz')['solution'])
fitness, measures = f['objective_samples'].astype(float), f['measures_samples'].astype(float)
assert fitness.shape == (n, 100) and measures.shape == (n, 100, 2), (fitness.shape, measures.shape)
close = dict(rtol=1e-4, atol=1e-6)
assert np.allclose(fitness.mean(1), f['objective_mean'], **close)
assert np.allclose(fitness.std(1, ddof=1), f['objective_std'], **close)
assert np.allclose(measures.mean(1), f['measures_mean'], **close)
assert np.allclose(measures.std(1, ddof=1), f['measures_std'], **close)

def cell(m):
    at = np.clip(np.floor(np.asarray(m) * 6).astype(int), 0, 5)
    return at[..., 0] * 6 + at[..., 1]
assert (cell(f['measures_mean']) == f['index']).all()
stayed = cell(f['measures_samples']) == f['index'][:, None]
assert np.allclose(stayed.mean(1), f['cell_probability'])
assert (f['cell_probability_lower'] <= f['cell_probability']).all()
assert (f['cell_probability'] <= f['cell_probability_upper']).all()
assert (f['non_finite'] == 0).all()

# the corrected archive: in each cell the best of those that are really there
c = np.load('kept/corrected.npz')
for index, mean in zip(c['index'], c['objective_mean']):
    assert mean == f['objective_mean'][f['index'] == index].max()
assert sorted(set(f['index'])) == list(c['index'])
)");
}

TEST_F(Correct, KeepsTheOrderOfTheInput) {
  if (!has_python()) GTEST_SKIP() << "no Python with NumPy was given";
  python(R"(
solution = np.load('run/archive.npz')['solution']
order = np.random.default_rng(1).permutation(len(solution))
np.save('order.npy', order)
np.save('sorted.npy', solution)
np.save('shuffled.npy', solution[order])
)");
  // without noise the mean does not depend on the draws
  for (const char* name : {"sorted.npy", "shuffled.npy"}) {
    succeed(Arguments{"correct", name, "--task", "arm", "--reevaluations", "4", "--keep-samples", "--quiet"} +
            set({"grid=6x6", "fitness_noise=0", "descriptor_noise=0"}));
  }
  python(R"(
order = np.load('order.npy')
a, b = np.load('sorted.corrected/reevaluations.npz'), np.load('shuffled.corrected/reevaluations.npz')
for name in set(a.files) - {'header.json'}:
    assert (a[name][order] == b[name]).all(), name
assert len(np.unique(a['objective_mean'])) == len(order) > 10
)");
}

TEST_F(Correct, WritesBesideTheFile) {
  std::filesystem::create_directory(folder_ / "elsewhere");
  std::filesystem::copy_file(folder_ / "run/archive.npz", folder_ / "elsewhere/mine.npz");
  succeed({"correct", "elsewhere/mine.npz", "--quiet"});
  EXPECT_THAT(names_in(look_at(folder_ / "elsewhere")), ElementsAre("mine.corrected", "mine.corrected/corrected.npz",
                                                                    "mine.corrected/reevaluations.npz", "mine.npz"));
  succeed({"correct", "elsewhere/mine.npz", "--seed", "8", "--quiet"});  // an earlier correction gives way
}

TEST_F(Correct, RecordsTheSettingsThatItMeasuredUnder) {
  succeed({"correct", "run", "--set", "descriptor_noise=0.2", "--out", "noisy", "--quiet"});
  EXPECT_THAT(bytes("noisy/corrected.npz"), HasSubstr("\"setting.descriptor_noise\": \"0.2\""));
  EXPECT_THAT(bytes("run/corrected.npz"), HasSubstr("\"setting.descriptor_noise\": \"0.01\""));
  succeed({"correct", "run", "--set", "descriptor_noise=0.01", "--quiet"});
  EXPECT_TRUE(bytes("run/correction-64-seed3/corrected.npz") == bytes("run/corrected.npz"));
}

TEST_F(Correct, PutsWhatIsOfOtherSettingsWhereItIsTold) {
  std::filesystem::copy_file(folder_ / "run/archive.npz", folder_ / "mine.npz");
  for (const char* archive : {"run", "mine.npz"}) {
    expect_refused({"correct", archive, "--set", "descriptor_noise=0.2"},
                   HasSubstr("--out must be given where settings differ from those the archive was made with"));
  }
}

TEST_F(Correct, ReplacesAnEarlierCorrectionAndNothingElse) {
  succeed({"correct", "run", "--out", "apart", "--quiet"});
  expect_refused({"correct", "apart/corrected.npz", "--out", "apart"},
                 HasSubstr("--out must be another folder than that of the archive, which would be replaced"));
  std::filesystem::create_directory(folder_ / "other");
  for (const char* file : {"other/corrected.npz", "other/reevaluations.npz"}) {
    write(file, "mine");
    expect_refused({"correct", "run", "--out", "other"},
                   HasSubstr("--out must be a new folder or that of an earlier correction, got other"));
  }
  write("other/study.toml", "");
  expect_refused({"correct", "run", "--out", "other"}, HasSubstr("--out must be another folder than that of a study"));
}

// Root may write everywhere.
TEST_F(Correct, IsRefusedBeforeTheWorkWhereNothingCanBeWritten) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  std::filesystem::create_directory(folder_ / "closed");
  std::filesystem::permissions(folder_ / "closed", std::filesystem::perms::owner_read);
  expect_refused({"correct", "run", "--out", "closed/apart"},
                 HasSubstr("--out must be where files can be written, got closed/apart"));
  std::filesystem::permissions(folder_ / "closed", std::filesystem::perms::owner_all);
}

}  // namespace
}  // namespace aria::testing
