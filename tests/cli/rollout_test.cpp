// aria rollout, and robots from the command line
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace aria::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Robots with few cells, short episodes and a small policy: a run takes a tenth of a second.
Arguments tiny_robot(const std::string& task, const std::string& algorithm, const std::string& out) {
  return Arguments{"run", "--task", task, "--algorithm", algorithm, "--out", out, "--reevaluations", "8", "--quiet"} +
         set({"grid=3,3", "episode_length=8", "hidden=4"});
}

class Rollout : public Program {
 protected:
  void make_run(const std::string& task) const {
    std::filesystem::remove_all(folder_ / "run");
    succeed(tiny_robot(task, "map-elites", "run") + set({"budget=64", "batch=32"}));
  }
};

TEST_F(Rollout, RecordsASolutionStepByStep) {
  make_run("ant");
  const auto told = nlohmann::json::parse(succeed({"rollout", "run", "--index", "0", "--out", "t.npz", "--json"}).out);
  EXPECT_EQ(told["task"], "ant");
  EXPECT_EQ(python(R"(
t = np.load("t.npz", allow_pickle=False)
n = len(t["reward"])
assert t["state"].shape == (n + 1, 9, 13) and t["observation"].shape == (n + 1, 87), t["state"].shape
assert t["action"].shape == (n, 8) and t["contact"].shape == (n + 1, 9) and t["noise"].shape == (2, 8)
assert t["terminated"].shape == (n,) and np.isfinite(t["state"]).all()
assert np.abs(t["action"]).max() < 1
header = json.loads(t["header.json"])
assert header["bodies"][0].lower() == "torso" and len(header["joints"]) == 8, header
assert abs(header["fitness"] - t["reward"].sum()) < 1e-4
assert np.allclose(header["descriptor"], t["state"][n - 1, 0, :2])
print(n))"),
            std::to_string(told["length"].get<int>()) + "\n");
}

TEST_F(Rollout, DependsOnTheSeedAndNothingElse) {
  make_run("walker");
  succeed({"rollout", "run", "--index", "0", "--seed", "7", "--out", "a.npz"});
  succeed({"rollout", "run", "--index", "0", "--seed", "7", "--out", "b.npz"});
  succeed({"rollout", "run", "--index", "0", "--seed", "8", "--out", "c.npz"});
  EXPECT_TRUE(bytes("a.npz") == bytes("b.npz"));
  EXPECT_FALSE(bytes("a.npz") == bytes("c.npz"));
}

TEST_F(Rollout, ReplacesATrajectoryAndNothingElse) {
  make_run("walker");
  succeed({"rollout", "run", "--index", "0", "--out", "t.npz"});
  succeed({"rollout", "run", "--index", "0", "--seed", "8", "--out", "t.npz"});
  write("notes.txt", "mine");
  for (const char* file : {"notes.txt", "run/archive.npz"}) {
    expect_refused({"rollout", "run", "--index", "0", "--out", file},
                   HasSubstr("--out must be a new file or a trajectory to replace"));
  }
}

TEST_F(Rollout, FindsASolutionByItsCell) {
  make_run("ant");
  const std::string cell = python(R"(
i = int(np.load("run/archive.npz")["index"][-1])
print(f"{i // 3},{i % 3}", end=""))");
  const std::string last = python(R"(print(len(np.load("run/archive.npz")["index"]) - 1, end=""))");
  succeed({"rollout", "run", "--cell", cell, "--out", "by_cell.npz"});
  succeed({"rollout", "run/archive.npz", "--index", last, "--out", "by_index.npz"});
  EXPECT_EQ(python(R"(
a, b = np.load("by_cell.npz"), np.load("by_index.npz")
print(all((a[k] == b[k]).all() for k in ["state", "action", "reward"])))"),
            "True\n");
  expect_refused({"rollout", "run", "--cell", "3,0"}, HasSubstr("--cell must be 2 numbers below 3,3, got 3,0"));
  expect_refused({"rollout", "run", "--cell", "1"}, HasSubstr("--cell must be 2 numbers"));
  expect_refused({"rollout", "run", "--index", "999"}, HasSubstr("--index must be below"));
  expect_refused({"rollout", "run", "--cell", "1,1", "--index", "0"}, HasSubstr("--index"));
}

TEST_F(Rollout, DoesGivenActionsFromAGivenStart) {
  python(R"(
data = np.load(")" ARIA_TEST_DATA R"(/physics/ant_steps.npz")
np.save("actions.npy", data["actions"][0])
np.save("noise.npy", data["noise"][0]))");
  succeed({"rollout", "--task", "ant", "--actions", "actions.npy", "--reset-noise", "noise.npy", "--out", "t.npz"});
  EXPECT_EQ(python(R"(
data, t = np.load(")" ARIA_TEST_DATA R"(/physics/ant_steps.npz"), np.load("t.npz")
print(t["reward"].shape[0], np.abs(t["state"][:4] - data["state"][0][:4]).max() < 1e-3,
      np.abs(t["observation"][0] - data["obs"][0][0]).max() < 1e-4))"),
            "100 True True\n");
}

TEST_F(Rollout, SaysWhereTheSimulationBreaksOff) {
  python("np.save('huge.npy', np.full((10, 8), 1e30))");
  EXPECT_THAT(succeed({"rollout", "--task", "ant", "--actions", "huge.npy", "--out", "t.npz"}).out,
              HasSubstr("in which the simulation broke off"));
}

TEST_F(Rollout, RefusesWhatDoesNotFit) {
  python(R"(
np.save("six.npy", np.zeros((10, 6)))
np.save("eight.npy", np.zeros((10, 8)))
np.save("flat.npy", np.zeros(8))
np.save("nan.npy", np.full((10, 8), np.nan))
np.save("weights.npy", np.zeros((2, 11), np.float32)))");
  const Arguments ant = {"rollout", "--task", "ant"};
  expect_refused({"rollout"}, HasSubstr("what to roll out must be either an archive or --actions, got neither"));
  expect_refused({"rollout", "weights.npy", "--actions", "eight.npy"}, HasSubstr("got both"));
  expect_refused(ant + Arguments{"--actions", "six.npy"},
                 HasSubstr("six.npy must be of shape (1 to 1000000 steps, 8 joints) for task 'ant', got (10, 6)"));
  expect_refused(ant + Arguments{"--actions", "flat.npy"}, HasSubstr("flat.npy: the array must be a matrix"));
  expect_refused(ant + Arguments{"--actions", "nan.npy"}, HasSubstr("every number must be finite"));
  expect_refused(ant + Arguments{"--actions", "eight.npy", "--reset-noise", "six.npy"},
                 HasSubstr("six.npy must be of shape (2, 8)"));
  expect_refused(ant + Arguments{"--actions", "none.npy"}, HasSubstr("none.npy"));
  expect_refused({"rollout", "--task", "arm", "--actions", "eight.npy"}, HasSubstr("--task must be a robot"));
  expect_refused(ant + Arguments{"--actions", "eight.npy", "--set", "pairs=3"}, HasSubstr("unknown setting 'pairs'"));
  expect_refused(
      {"rollout", "weights.npy", "--task", "ant", "--index", "0"},
      HasSubstr(
          "a genotype must be 10312 parameters long for task 'ant' (the weights of a policy of layers 87-64-64-8)"));
  expect_refused({"rollout", "weights.npy", "--task", "ant"}, HasSubstr("--index or --cell must be given"));
}

TEST_F(Rollout, ReportsShowHowSolutionsMove) {
  make_run("ant");
  succeed({"report", "run", "--out", "ant.html", "--quiet"});
  EXPECT_THAT(bytes("ant.html"), AllOf(HasSubstr(R"("motion":{"kind":"path")"), HasSubstr(R"("rollouts":4)")));
  make_run("walker");
  succeed({"report", "run", "--out", "walker.html", "--quiet"});
  EXPECT_THAT(bytes("walker.html"), AllOf(HasSubstr(R"("motion":{"kind":"gait")"), HasSubstr("right foot")));
}

class Robots : public Program, public ::testing::WithParamInterface<const char*> {};

INSTANTIATE_TEST_SUITE_P(Tasks, Robots, ::testing::Values("ant", "walker"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(Robots, RunWithEveryAlgorithmWhateverTheThreads) {
  for (const char* algorithm : {"map-elites", "me-sa", "me-sa-r", "mome-r", "aria-me", "aria-es", "aria-linear"}) {
    SCOPED_TRACE(algorithm);
    Arguments settings;
    if (std::string(algorithm).starts_with("aria")) {
      settings = {"pairs=4", "steps=2", "mean_evaluations=4"};
      settings.push_back(std::string(algorithm) == "aria-es" ? "initial_steps=2" : "initial_budget=32");
      if (std::string(algorithm) != "aria-es") settings.push_back("batch=16");
    } else {
      settings = {"budget=64"};
      settings.push_back(std::string(algorithm) == "map-elites" ? "batch=32" : "batch=4");
      if (std::string(algorithm) != "map-elites") settings.push_back("samples=4");
    }
    const std::string name = algorithm;
    succeed(tiny_robot(GetParam(), name, name + "1") + set(settings) + Arguments{"--threads", "1"});
    succeed(tiny_robot(GetParam(), name, name + "3") + set(settings) + Arguments{"--threads", "3"});
    EXPECT_TRUE(bytes(name + "1/archive.npz") == bytes(name + "3/archive.npz"));
    EXPECT_TRUE(bytes(name + "1/corrected.npz") == bytes(name + "3/corrected.npz"));
  }
}

TEST_P(Robots, ImproveAndCorrectPoliciesFromElsewhere) {
  const std::string parameters = std::string(GetParam()) == "ant" ? "10312" : "5702";
  python("rng = np.random.default_rng(1); np.save('p.npy', rng.normal(0, .1, (3, " + parameters +
         ")).astype(np.float32)); np.save('q.npy', np.zeros((3, 17)))");
  const Arguments task = {"--task", GetParam(), "--reevaluations", "8", "--quiet"};
  succeed(Arguments{"correct", "p.npy", "--out", "c"} + task + set({"episode_length=10"}));
  succeed(Arguments{"improve", "p.npy", "--out", "i"} + task +
          set({"episode_length=10", "grid=2,2", "pairs=2", "steps=1", "mean_evaluations=2"}));
  expect_refused(Arguments{"correct", "q.npy", "--out", "d"} + task,
                 AllOf(HasSubstr("a genotype of the archive must be " + parameters + " parameters long"),
                       HasSubstr("the weights of a policy of layers")));
}

}  // namespace
}  // namespace aria::testing
