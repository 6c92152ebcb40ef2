// Runs whose bytes were recorded: every build meets them, with optimisation or without, with assertions, with
// sanitizers, and so does every machine with fused multiply-add. Where one is to change, that is a breaking change.
#include <span>

#include "aria/core/simd_target.hpp"
#include "aria/persistence/checksum.hpp"
#include "aria/run/experiment.hpp"
#include "run_helpers.hpp"
#include "tests/persistence/file_helpers.hpp"
#include "tests/support/every_algorithm.hpp"

namespace aria {
namespace {

using aria::testing::algorithm_of_test;
using aria::testing::brought_archive;
using aria::testing::every_algorithm;
using aria::testing::TemporaryFolder;
using aria::testing::tiny_config;

const std::map<std::string, std::string> kRecorded = {
    {"map-elites", "d64e6c2c7deb356e"}, {"me-sa", "520a6312683e106f"},     {"me-sa-r", "520a6312683e106f"},
    {"mome-r", "fa40a47965a979c2"},     {"pga-me", "e72dedfae481e5de"},    {"es", "9042f837e8003bcf"},
    {"aria-me", "6ba7fee529593a28"},    {"aria-pga", "42834183ab571cd2"},  {"aria-linear", "c5fc43c3aea87f21"},
    {"aria-es", "6308edf4e76b3779"},    {"aria-goal", "3efc2fa6832dee1b"}, {"aria-gn", "3cc9f12998990133"},
    {"aria", "27877a2b7037d82c"},
};

// Of every number of a run, but not of the names of its settings, which may come to be more.
std::string checksum_of(const Experiment& run) {
  Checksum sum;
  const auto add = [&](const auto& values) { sum.add(std::as_bytes(std::span(values))); };
  add(run.archive->solution.values());
  add(run.archive->objective);
  add(run.archive->measures.values());
  const Reevaluation& again = *run.reevaluation;
  for (const auto* values : {&again.objective_mean, &again.objective_std, &again.cell_probability,
                             &again.cell_probability_lower, &again.cell_probability_upper}) {
    add(*values);
  }
  add(again.measures_mean.values());
  add(again.descriptor_variance);
  return fmt::format("{:016x}", sum.value());
}

class RecordedBytes : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Algorithms, RecordedBytes, ::testing::ValuesIn(every_algorithm()), algorithm_of_test);

TEST_P(RecordedBytes, AreMetByThisBuild) {
  if (!simd_target().fused_multiply_add) GTEST_SKIP() << "not promised without fused multiply-add";
  const TemporaryFolder folder;
  const ArchiveTable archive = brought_archive();
  const Experiment run =
      run_experiment(tiny_config(GetParam()), GetParam() == "aria" ? &archive : nullptr, folder / "run", {});
  const auto recorded = kRecorded.find(GetParam());
  EXPECT_EQ(checksum_of(run), recorded == kRecorded.end() ? "nothing recorded yet" : recorded->second);
}

}  // namespace
}  // namespace aria
