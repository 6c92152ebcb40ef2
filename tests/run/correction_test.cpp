// What is really in an archive, in one step.
#include "aria/run/correction.hpp"

#include <stdexcept>

#include "aria/persistence/reevaluation_file.hpp"
#include "run_helpers.hpp"
#include "tests/persistence/file_helpers.hpp"

namespace aria {
namespace {

using aria::testing::error_of;
using aria::testing::has_python;
using aria::testing::noisy_task;
using aria::testing::QuadraticConfig;
using aria::testing::QuadraticTask;
using aria::testing::run_python;
using aria::testing::TemporaryFolder;
using ::testing::HasSubstr;

ArchiveTable small_table() {
  ArchiveTable table;
  table.solution = Matrix(4, 3, {-0.9f, -0.9f, 0, 0.1f, 0.1f, 0, 0.1f, 0.15f, 0.25f, 0.9f, 0.9f, 0});
  return table;
}

LocalEvaluator noisy(double failure_rate = 0) { return LocalEvaluator(noisy_task(0.01f, 0.01f, failure_rate)); }

TEST(Correction, KeepsTheBestOfEachCell) {
  LocalEvaluator evaluator = noisy();
  const Correction correction = correct(small_table(), evaluator, {64, 0}, 1);
  EXPECT_EQ(correction.reevaluation.size(), 4u);
  EXPECT_EQ(correction.corrected.size(), 3u);  // rows 1 and 2 share a cell, and row 2 is better
  EXPECT_EQ(correction.corrected.solution(1, 2), 0.25f);
  EXPECT_EQ(correction.corrected.task, "quadratic");
  EXPECT_FALSE(correction.scores.illusory);
  EXPECT_EQ(correction.scores.corrected->cells, 3u);
}

TEST(Correction, DependsOnTheSeedAlone) {
  LocalEvaluator evaluator = noisy();
  const ArchiveTable first = correct(small_table(), evaluator, {64, 0}, 1).corrected;
  EXPECT_EQ(correct(small_table(), evaluator, {64, 64}, 1).corrected, first);
  EXPECT_NE(correct(small_table(), evaluator, {64, 0}, 2).corrected, first);
}

TEST(Correction, CountsFailures) {
  LocalEvaluator evaluator = noisy(0.5);
  const Correction correction = correct(small_table(), evaluator, {256, 0}, 1);
  EXPECT_NEAR(static_cast<double>(correction.reevaluation.failures()), 512, 64);
  for (const std::int64_t n : correction.corrected.n_evals) EXPECT_LT(n, 256);
}

TEST(Correction, IsEmptyWhereEveryEvaluationFails) {
  QuadraticConfig config;
  config.before = [](std::uint32_t, std::size_t) { throw std::runtime_error("gone"); };
  LocalEvaluator evaluator(std::make_shared<QuadraticTask>(config));
  const Correction correction = correct(small_table(), evaluator, {8, 0}, 1);
  EXPECT_EQ(correction.corrected.size(), 0u);
  EXPECT_EQ(correction.reevaluation.failures(), 32u);
  EXPECT_EQ(evaluator.first_error(), "gone");
}

TEST(Correction, RefusesGenotypesOfAnotherLength) {
  LocalEvaluator evaluator = noisy();
  ArchiveTable table;
  table.solution = Matrix(1, 2);
  EXPECT_THAT(error_of([&] {
                correct(table, evaluator, {8, 0}, 1);
              }),
              HasSubstr("3 parameters long for task 'quadratic', got 2"));
}

TEST(Correction, CanBeStopped) {
  LocalEvaluator evaluator = noisy();
  const Correction correction = correct(small_table(), evaluator, {8, 0}, 1, [](std::size_t) { return false; });
  EXPECT_LT(correction.reevaluation.size(), 4u);
}

TEST(Correction, IsWrittenWithOneRowPerSolution) {
  if (!has_python()) GTEST_SKIP() << "no Python with NumPy was given";
  LocalEvaluator evaluator = noisy(0.1);
  TemporaryFolder folder;
  write_reevaluation(folder / "r.npz", correct(small_table(), evaluator, {32, 32}, 1).reevaluation,
                     small_table().solution);
  run_python(R"(
import sys
import numpy as np
f = np.load(sys.argv[1], allow_pickle=False)
shapes = dict(objective_mean=(4,), objective_std=(4,), measures_mean=(4, 2), measures_std=(4, 2), cell_probability=(4,),
    cell_probability_lower=(4,), cell_probability_upper=(4,), index=(4,), non_finite=(4,), objective_samples=(4, 32),
    measures_samples=(4, 32, 2))
assert {name: f[name].shape for name in f.files if name != 'header.json'} == shapes, f.files
lost = np.isnan(f['objective_samples'])
assert (lost.sum(1) == f['non_finite']).all() and lost.any()
for row in range(4):
    kept = ~lost[row]
    objective = f['objective_samples'][row][kept].astype(float)
    measures = f['measures_samples'][row][kept].astype(float)
    assert np.allclose(objective.mean(), f['objective_mean'][row], rtol=1e-5, atol=1e-6)
    assert np.allclose(objective.std(ddof=1), f['objective_std'][row], rtol=1e-4, atol=1e-6)
    assert np.allclose(measures.mean(0), f['measures_mean'][row], rtol=1e-5, atol=1e-6)
    assert np.allclose(measures.std(0, ddof=1), f['measures_std'][row], rtol=1e-4, atol=1e-6)
)",
             folder / "r.npz");
}

}  // namespace
}  // namespace aria
