// aria run, aria improve
#include <filesystem>

#include "program.hpp"

namespace aria::testing {
namespace {

namespace fs = std::filesystem;

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

class Run : public Program {
 protected:
  std::vector<std::string> names(const std::string& folder) const { return names_in(look_at(folder_ / folder)); }
};

TEST_F(Run, LeavesAFolderOfItsResults) {
  succeed(tiny_run("map-elites", "runs/deep/a"));
  EXPECT_EQ(names("runs/deep/a"), (std::vector<std::string>{"archive.npz", "corrected.npz", "progress.csv",
                                                            "reevaluations.npz", "run.toml", "summary.json"}));
}

TEST_F(Run, NamesTheFolderItself) {
  Arguments command = tiny_run("map-elites", "out");
  std::erase(command, "--out");
  std::erase(command, "out");
  EXPECT_THAT(succeed(command + Arguments{"--seed", "12"}).out, HasSubstr("Files: runs/arm-map-elites-seed12"));
  EXPECT_THAT(names("runs/arm-map-elites-seed12"), IsSupersetOf({"archive.npz", "summary.json"}));
}

TEST_F(Run, MayUseAnEmptyFolder) {
  fs::create_directory(folder_ / "empty");
  succeed(tiny_run("map-elites", "empty"));
  EXPECT_THAT(names("empty"), IsSupersetOf({"archive.npz", "summary.json"}));
}

TEST_F(Run, TakesOptionsBeforeTheConfiguration) {
  write("mine.toml", R"(task = "arm"
algorithm = "es"
seed = 3
preset = "lite"
reevaluations = 8

[settings]
grid = [6, 6]
budget = 1000
batch = 100
iso_sigma = 0.03
)");
  succeed({"run", "--config", "mine.toml", "--algorithm", "map-elites", "--seed", "4", "--set", "batch=40", "--set",
           "batch=50", "--out", "run"});
  EXPECT_THAT(bytes("run/run.toml"),
              AllOf(HasSubstr("algorithm = \"map-elites\"\n"), HasSubstr("seed = 4\n"),
                    HasSubstr("preset = \"lite\"\n"), HasSubstr("reevaluations = 8\n"), HasSubstr("budget = 1000\n"),
                    HasSubstr("batch = 50\n"), HasSubstr("iso_sigma = 0.03\n"), HasSubstr("line_sigma = 0.1\n")));
}

TEST_F(Run, MayDoWithoutMetrics) {
  Arguments command = tiny_run("map-elites", "run");
  command[static_cast<std::size_t>(std::ranges::find(command, "64") - command.begin())] = "0";
  EXPECT_THAT(succeed(command).out, AllOf(HasSubstr("believed (illusory)"), Not(HasSubstr("really (corrected)"))));
  EXPECT_FALSE(fs::exists(folder_ / "run/corrected.npz"));
}

TEST_F(Run, KeepsWhatAnImprovementStartedFrom) {
  succeed(tiny_run("map-elites", "start"));
  succeed(tiny_improvement("start/archive.npz", "better"));
  EXPECT_TRUE(bytes("better/initial.npz") == bytes("start/archive.npz"));
  EXPECT_THAT(bytes("better/run.toml"), AllOf(HasSubstr("algorithm = \"aria\"\n"), HasSubstr("input_checksum = \"")));
}

TEST_F(Run, UsesSymmetryOnlyWhenAskedAndSaysSo) {
  EXPECT_THAT(succeed(tiny_run("aria-me", "plain")).out, Not(HasSubstr("symmetry")));
  EXPECT_THAT(bytes("plain/summary.json"), Not(HasSubstr("use_symmetry")));
  const Arguments with = tiny_run("aria-me", "with") + Arguments{"--use-symmetry"};
  EXPECT_THAT(succeed(with).out, HasSubstr("only fundamental cells were solved"));
  EXPECT_THAT(bytes("with/summary.json"), HasSubstr("\"use_symmetry\": true"));
  EXPECT_THAT(bytes("with/run.toml"), HasSubstr("use_symmetry = \"yes\""));
  const Finished other = aria(tiny_run("map-elites", "other") + Arguments{"--use-symmetry"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("use_symmetry"));
}

TEST_F(Run, LeavesNoFileOfTheWork) {
  succeed(tiny_run("aria-me", "run"));
  for (const std::string& name : names("run")) {
    EXPECT_THAT(name, Not(HasSubstr("tmp")));
    EXPECT_NE(name, "checkpoint.npz");
  }
}

}  // namespace
}  // namespace aria::testing
