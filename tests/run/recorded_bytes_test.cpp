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
    {"map-elites", "8e70d3ed1c65e9cd"}, {"me-sa", "85e991f8863eace2"},     {"me-sa-r", "85e991f8863eace2"},
    {"mome-r", "489d29d8eaf3e5c9"},     {"pga-me", "ae6fbeaaa16cb03a"},    {"es", "6bb1299f0704b372"},
    {"aria-me", "fc00e90f24be7955"},    {"aria-pga", "2aabbb14d942de03"},  {"aria-linear", "108d5ac0fc971645"},
    {"aria-es", "dfc687026a8c3123"},    {"aria-goal", "116ddd9f1189a303"}, {"aria-gn", "eea1aad4cb18881e"},
    {"aria", "b5fc717576e1c76d"},
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
