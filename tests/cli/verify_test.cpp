// aria verify: what holds of a run, and what does not.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "program.hpp"
#include "tests/support/every_algorithm.hpp"

namespace aria::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

using Json = nlohmann::ordered_json;

class Verify : public Program {
 protected:
  // Results by what was checked; the exit code must say the same.
  std::map<std::string, std::string> verify(const Arguments& more = {}) const {
    const Finished finished = aria(Arguments{"verify", "run", "--json", "--quiet"} + more);
    const Json found = Json::parse(finished.out);
    EXPECT_EQ(finished.exit_code, found["holds"] == true ? 0 : 1) << finished.out;
    EXPECT_EQ(finished.err, "");
    std::map<std::string, std::string> results;
    for (const Json& check : found["checks"]) results[check["what"]] = check["result"];
    return results;
  }

  // Changes one bit in the middle of a file.
  void flip_bit(const std::string& name) const {
    std::string all = bytes(name);
    all[all.size() / 2] = static_cast<char>(all[all.size() / 2] ^ 1);
    write(name, all);
  }

  void replace(const std::string& name, const std::string& old_text, const std::string& new_text) const {
    std::string all = bytes(name);
    ASSERT_NE(all.find(old_text), std::string::npos) << name;
    write(name, all.replace(all.find(old_text), old_text.size(), new_text));
  }
};

class VerifyRunOf : public Verify, public ::testing::WithParamInterface<std::string> {};

INSTANTIATE_TEST_SUITE_P(Algorithms, VerifyRunOf, ::testing::ValuesIn(every_algorithm_of_run()), algorithm_of_test);

TEST_P(VerifyRunOf, HoldsAndChangesNothing) {
  succeed(tiny_run(GetParam(), "run") + Arguments{"--quiet"});
  const FolderState before = look_at(folder_.path());
  for (const auto& [what, result] : verify()) EXPECT_EQ(result, "holds") << what;
  for (const auto& [what, result] : verify({"--all"})) EXPECT_EQ(result, "holds") << what;
  EXPECT_TRUE(look_at(folder_.path()) == before);
}

TEST_F(Verify, HoldsForAnArchiveThatWasBrought) {
  succeed(tiny_run("map-elites", "from") + Arguments{"--quiet"});
  succeed(tiny_improvement("from/archive.npz", "run") + Arguments{"--quiet"});
  for (const auto& [what, result] : verify()) EXPECT_EQ(result, "holds") << what;
  for (const auto& [what, result] : verify({"--all"})) EXPECT_EQ(result, "holds") << what;
}

TEST_F(Verify, ShowsATable) {
  succeed(tiny_run("map-elites", "run") + Arguments{"--quiet"});
  const Finished shown = succeed({"verify", "run", "--generations", "3"});
  EXPECT_THAT(shown.out, AllOf(HasSubstr("files"), HasSubstr("corrected.npz"), HasSubstr("the first 3 give the same"),
                               Not(HasSubstr("FAILS"))));
  EXPECT_EQ(succeed({"verify", "run", "--quiet"}).out, "");
}

TEST_F(Verify, TellsOfAChangedBitInAnyFile) {
  succeed(tiny_run("aria-me", "good") + Arguments{"--quiet"});
  for (const char* name : {"archive.npz", "corrected.npz", "reevaluations.npz", "initial.npz",
                           "initial_reevaluations.npz", "progress.csv", "run.toml", "summary.json"}) {
    SCOPED_TRACE(name);
    std::filesystem::remove_all(folder_ / "run");
    std::filesystem::copy(folder_ / "good", folder_ / "run");
    flip_bit(std::string("run/") + name);
    EXPECT_EQ(verify()["files"], "fails");
  }
}

// Whoever changes a file and its checksum is still told by what does not follow from the rest.
TEST_F(Verify, TellsOfFilesThatDoNotFollow) {
  succeed(tiny_run("map-elites", "run") + Arguments{"--quiet"});
  succeed(tiny_run("map-elites", "other") + Arguments{"--quiet", "--seed", "2"});
  const auto swap = [&](const std::string& name) {
    std::filesystem::copy_file(folder_ / "other" / name, folder_ / "run" / name,
                               std::filesystem::copy_options::overwrite_existing);
  };
  swap("corrected.npz");
  EXPECT_EQ(verify()["corrected.npz"], "fails");
  // with all the results of another seed everything follows but the run itself
  for (const char* name : {"archive.npz", "reevaluations.npz", "summary.json", "progress.csv"}) swap(name);
  auto results = verify();
  EXPECT_EQ(results["files"], "fails");
  EXPECT_EQ(results["configuration"], "fails");
  EXPECT_EQ(results["corrected.npz"], "holds");
  EXPECT_EQ(results["re-evaluations"], "fails");
  EXPECT_EQ(results["generations"], "fails");
}

TEST_F(Verify, TellsOfAnotherSeed) {
  succeed(tiny_run("map-elites", "run") + Arguments{"--quiet"});
  replace("run/run.toml", "seed = 1\n", "seed = 2\n");
  auto results = verify();
  for (const char* what : {"files", "configuration", "re-evaluations", "generations"}) {
    EXPECT_EQ(results[what], "fails") << what;
  }
  EXPECT_EQ(verify({"--all"})["the run"], "fails");
}

TEST_F(Verify, SaysWhatCannotBeChecked) {
  Arguments without_metrics = tiny_run("map-elites", "run") + Arguments{"--quiet"};
  std::ranges::replace(without_metrics, std::string("64"), std::string("0"));
  succeed(without_metrics);
  auto results = verify();
  EXPECT_EQ(results["corrected.npz"], "unknown");
  EXPECT_EQ(results["re-evaluations"], "unknown");
  EXPECT_EQ(results["generations"], "holds");
}

TEST_F(Verify, NeedsAFinishedRun) {
  expect_refused({"verify", "nowhere"}, HasSubstr("a run must be a folder with a run.toml, got nowhere"));
  std::filesystem::create_directory(folder_ / "begun");
  write("begun/run.toml", "task = \"arm\"\n");
  expect_refused({"verify", "begun"}, HasSubstr("must be finished"));
  expect_refused({"verify", "begun", "--generations", "0"}, HasSubstr("--generations must be at least 1, got 0"));
  expect_refused({"verify", "begun", "--generations", "2", "--all"}, HasSubstr("--generations must be given without"));
}

}  // namespace
}  // namespace aria::testing
