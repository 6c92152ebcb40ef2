// Thirty kills at any moment for each family of algorithms, and for a study: the bytes of a run that was left alone.
#include <random>

#include "tests/cli/killed_runs.hpp"
#include "tests/run/study_helpers.hpp"
#include "tests/support/every_algorithm.hpp"

namespace aria::testing {
namespace {

constexpr int kKills = 30;

// Another family of algorithms is another name here.
const std::vector<std::string> kFamilies = {"map-elites", "me-sa",    "me-sa-r",     "mome-r",  "pga-me",    "es",
                                            "aria-me",    "aria-pga", "aria-linear", "aria-es", "aria-goal", "aria-gn"};

class KilledOften : public KilledRun, public ::testing::WithParamInterface<std::string> {
 protected:
  // Kills it at moments spread over the time that it takes; a run that got to its end meanwhile begins anew, elsewhere,
  // so that every kill meets one that is under way. Gives the folders that there were.
  std::vector<std::string> kill_often(const std::function<Arguments(const std::string& out)>& command, double seconds,
                                      const std::string& finished) const {
    std::mt19937 random(1);
    std::vector<std::string> folders = {"killed-0"};
    for (int kills = 0; kills < kKills;) {
      if (std::filesystem::exists(folder_ / folders.back() / finished)) {
        folders.push_back("killed-" + std::to_string(folders.size()));
      }
      const double moment = seconds * std::uniform_real_distribution(0.02, 0.6)(random);
      kills += run_for(moment, command(folders.back())).exit_code == 0 ? 0 : 1;
    }
    return folders;
  }

  double seconds_of(const Arguments& arguments) const {
    const auto begin = std::chrono::steady_clock::now();
    succeed(arguments);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
};

INSTANTIATE_TEST_SUITE_P(Families, KilledOften, ::testing::ValuesIn(kFamilies), algorithm_of_test);

TEST_P(KilledOften, GoesOnToTheSameBytes) {
  const auto command = [&](const std::string& out) { return killable_run(GetParam(), out); };
  const double seconds = seconds_of(command("whole"));
  const auto folders = kill_often(command, seconds, "summary.json");
  for (const std::string& folder : folders) {
    succeed(command(folder));
    expect_same_results("whole", folder);
  }
  RecordProperty("kills", kKills);
  RecordProperty("runs", static_cast<int>(folders.size()));
}

class KilledStudy : public KilledOften {};

INSTANTIATE_TEST_SUITE_P(Study, KilledStudy, ::testing::Values("study"));

TEST_P(KilledStudy, GoesOnToTheSameRuns) {
  const auto command = [](const std::string& out) {
    return Arguments{"study",
                     "--task",
                     "arm",
                     "--algorithms",
                     "map-elites,aria-me",
                     "--replications",
                     "2",
                     "--out",
                     out,
                     "--quiet",
                     "--threads",
                     "2",
                     "--reevaluations",
                     "32",
                     "--checkpoint-every",
                     "0.01"} +
           set({"grid=16,16", "budget=1e6", "pairs=64", "steps=30", "mean_evaluations=64", "initial_budget=20000"});
  };
  const double seconds = seconds_of(command("whole"));
  for (const std::string& folder : kill_often(command, seconds, "study.json")) {
    succeed(command(folder));
    for (const char* run : {"map-elites/seed-1", "map-elites/seed-2", "aria-me/seed-1", "aria-me/seed-2"}) {
      expect_same_results(std::string("whole/") + run, folder + "/" + run);
    }
    EXPECT_EQ(without_seconds(folder_ / "whole/study.csv"), without_seconds(folder_ / folder / "study.csv"));
    EXPECT_EQ(without_seconds(folder_ / "whole/study.json"), without_seconds(folder_ / folder / "study.json"));
    EXPECT_EQ(names_in(look_at(folder_ / "whole")), names_in(look_at(folder_ / folder))) << "nothing is left over";
  }
}

}  // namespace
}  // namespace aria::testing
