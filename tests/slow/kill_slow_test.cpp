// Thirty kills at any moment for each family of algorithms, and for a study: the bytes of a run that was left alone.
#include <random>

#include "tests/cli/killed_runs.hpp"
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
  const double seconds = seconds_of(killable_study("whole"));
  for (const std::string& folder : kill_often(killable_study, seconds, "study.json")) {
    succeed(killable_study(folder));
    expect_same_study("whole", folder);
  }
}

}  // namespace
}  // namespace aria::testing
