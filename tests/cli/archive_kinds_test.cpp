// Archives go in as files of many kinds, and come out as files that NumPy opens.
#include "program.hpp"

namespace aria::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class ArchiveKinds : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    if (!has_python()) GTEST_SKIP() << "no Python with NumPy was given";
    if (!IsSkipped()) succeed(tiny_run("map-elites", "start") + Arguments{"--quiet"});
  }

  // The archive of `start` in the forms in which others would bring it. pandas writes its own row numbers first, and
  // pyribs names the columns like this; old versions had the columns in another order.
  void write_kinds() const {
    python(R"(
start = np.load('start/archive.npz')
solution, objective, measures = start['solution'], start['objective'], start['measures']
np.savez('plain.npz', solution=solution)
np.savez_compressed('packed.npz', solution=solution.astype(float), objective=objective, note=np.array(['a', 'b']))
np.save('matrix.npy', solution)
n, d = solution.shape
names = [f'solution_{i}' for i in range(d)] + ['objective', 'measures_0', 'measures_1', 'threshold', 'index']
rows = [[*map(float, solution[i]), float(objective[i]), *map(float, measures[i]), 0.0, int(start['index'][i])]
        for i in range(n)]
with open('pyribs.csv', 'w') as file:
    print('', *names, sep=',', file=file)
    for i, row in enumerate(rows): print(i, *map(repr, row), sep=',', file=file)
with open('reversed.csv', 'w') as file:
    print(*names[::-1], sep=',', file=file)
    for row in rows: print(*map(repr, row[::-1]), sep=',', file=file)
)");
  }
};

TEST_F(ArchiveKinds, AreImprovedAlike) {
  write_kinds();
  succeed(tiny_improvement("start/archive.npz", "ours") + Arguments{"--quiet"});
  for (const char* kind : {"plain.npz", "packed.npz", "matrix.npy", "pyribs.csv", "reversed.csv", "start"}) {
    const std::string out = std::string(kind) + ".out";
    succeed(tiny_improvement(kind, out) + Arguments{"--quiet"});
    for (const char* name : {"run.toml", "archive.npz", "corrected.npz", "progress.csv"}) {
      EXPECT_TRUE(bytes("ours/" + std::string(name)) == bytes(out + "/" + name)) << kind << " " << name;
    }
  }
}

TEST_F(ArchiveKinds, AreCorrectedAlike) {
  write_kinds();
  const Arguments task = Arguments{"--task", "arm", "--quiet"} + set({"grid=6x6", "fitness_noise=0.05"});
  for (const char* kind : {"start/archive.npz", "plain.npz", "packed.npz", "matrix.npy", "pyribs.csv"}) {
    succeed(Arguments{"correct", kind, "--reevaluations", "32"} + task);
  }
  for (const char* kind : {"plain", "packed", "matrix", "pyribs"}) {
    EXPECT_TRUE(bytes("start/archive.corrected/reevaluations.npz") ==
                bytes(std::string(kind) + ".corrected/reevaluations.npz"))
        << kind;
  }
}

TEST_F(ArchiveKinds, OfOursSayWhatTheyAreFor) {
  succeed({"correct", "start/archive.npz", "--reevaluations", "64", "--quiet"});
  EXPECT_TRUE(bytes("start/archive.corrected/corrected.npz") == bytes("start/corrected.npz"));
}

TEST_F(ArchiveKinds, OfOursAreImprovedWithoutNamingTheTask) {
  Arguments arguments = tiny_improvement("start/archive.npz", "better");
  std::erase(arguments, "--task");
  std::erase(arguments, "arm");
  EXPECT_THAT(succeed(arguments).out, HasSubstr("aria on arm, seed 1"));
}

TEST_F(ArchiveKinds, OfOursAreImprovedWithTheSettingsOfTheirTask) {
  const Arguments search =
      set({"pairs=32", "sigma=0.02", "steps=5", "mean_evaluations=32"}) + Arguments{"--reevaluations", "64", "--quiet"};
  succeed(Arguments{"improve", "start/archive.npz", "--out", "silent"} + search);
  succeed(tiny_improvement("start/archive.npz", "told") + Arguments{"--quiet"});
  EXPECT_EQ(bytes("silent/run.toml"), bytes("told/run.toml"));
  EXPECT_TRUE(bytes("silent/archive.npz") == bytes("told/archive.npz"));
  succeed(Arguments{"improve", "start/archive.npz", "--out", "other", "--set", "fitness_noise=0.5"} + search);
  EXPECT_THAT(bytes("other/run.toml"), AllOf(HasSubstr("fitness_noise = 0.5\n"), HasSubstr("grid = [6, 6]\n")));
}

TEST_F(ArchiveKinds, AreOpenedByNumPyWithoutPickle) {
  succeed(tiny_run("aria-me", "run") + Arguments{"--quiet"});
  python(R"(
names = ['solution', 'objective', 'measures', 'index', 'centroids', 'header.json']
statistics = ['objective_mean', 'objective_std', 'measures_mean', 'measures_std', 'cell_probability', 'n_evals']
for file, expected in [('archive', names + ['target_index']), ('initial', names), ('corrected', names + statistics),
                       ('reevaluations', statistics[:5] + ['index', 'non_finite', 'objective_samples']),
                       ('initial_reevaluations', statistics[:5] + ['measures_samples', 'header.json'])]:
    with np.load(f'run/{file}.npz', allow_pickle=False) as arrays:
        assert set(expected) <= set(arrays.files), (file, arrays.files)
        loaded = {name: arrays[name] for name in arrays.files}
    if 'solution' in loaded:
        n = len(loaded['solution'])
        assert loaded['solution'].dtype == np.float32 and loaded['index'].dtype == np.int32
        assert loaded['solution'].shape == (n, 8) and loaded['measures'].shape == (n, 2)
        assert loaded['centroids'].shape == (36, 2) and len(set(loaded['index'])) == n
        header = json.loads(loaded['header.json'])
        assert header['task'] == 'arm' and header['provenance']['algorithm'] == 'aria-me', header
)");
}

TEST_F(ArchiveKinds, HoldNoTimeAndNoPlace) {
  succeed(tiny_run("aria-me", "run") + Arguments{"--quiet"});
  for (const char* name :
       {"archive.npz", "corrected.npz", "reevaluations.npz", "initial.npz", "run.toml", "progress.csv"}) {
    EXPECT_EQ(bytes("run/" + std::string(name)).find(folder_.path().filename().string()), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace aria::testing
