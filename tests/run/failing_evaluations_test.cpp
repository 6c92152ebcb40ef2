// Evaluations that fail, at any rate, in every algorithm there is: counted, told, never in an archive, never the end.
#include <nlohmann/json.hpp>

#include "aria/algorithm/registry.hpp"
#include "aria/core/draws.hpp"
#include "aria/core/finite.hpp"
#include "aria/persistence/archive_file.hpp"
#include "aria/persistence/checksum.hpp"
#include "aria/run/experiment.hpp"
#include "aria/run/finished_run.hpp"
#include "tests/persistence/file_helpers.hpp"
#include "tests/support/every_algorithm.hpp"
#include "tests/support/quadratic_task.hpp"
#include "tests/support/small_walker.hpp"

namespace aria {
namespace {

using aria::testing::algorithm_of_test;
using aria::testing::every_algorithm;
using aria::testing::needs_policy;
using aria::testing::QuadraticConfig;
using aria::testing::QuadraticTask;
using aria::testing::read_bytes;
using aria::testing::small_walker;
using aria::testing::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;

using Json = nlohmann::ordered_json;

std::shared_ptr<const Task> failing(double rate) {
  QuadraticConfig config;
  config.fitness_noise = 0.05f;
  config.descriptor_noise = 0.05f;
  config.failure_rate = rate;
  config.fails_in_many_ways = true;
  return std::make_shared<QuadraticTask>(config);
}

// A Walker whose simulator breaks down now and then, for the algorithms that need policies.
class FragileWalker : public Task {
 public:
  explicit FragileWalker(double rate) : rate_(rate), walker_(small_walker(20)) {}

  const TaskInfo& info() const override { return walker_->info(); }
  void evaluate(const SampleRequest& request, std::size_t first, const EvaluationRows& out) const override {
    walker_->evaluate(request, first, out);
    for (std::size_t i = 0; i < out.fitness.size(); ++i) {
      const std::uint32_t id = request.ids[(first + i) / request.samples];
      const auto sample = static_cast<std::uint32_t>((first + i) % request.samples);
      const std::uint32_t fate = request.key.bits(Purpose::kTaskNoise, id, sample, 1000)[0];
      if (uniform_from(fate) < rate_) out.fitness[i] = std::numeric_limits<float>::quiet_NaN();
    }
  }
  void initial_genotype(Key key, std::uint32_t id, std::span<float> genotype) const override {
    walker_->initial_genotype(key, id, genotype);
  }

 private:
  double rate_;
  std::shared_ptr<const RobotTask> walker_;
};

ArchiveTable brought() {
  ArchiveTable table;
  table.solution = Matrix(4, 3, {0.5f, 0.5f, 0, -0.5f, 0.5f, 0, 0.5f, -0.5f, 0, 0.1f, 0.2f, 0.3f});
  return table;
}

// A run of the algorithm, as small as it can be made, on a task that no registry knows.
ResolvedRun small_run(const std::string& algorithm, double rate) {
  const std::shared_ptr<const Task> task =
      needs_policy(algorithm) ? std::make_shared<FragileWalker>(rate) : failing(rate);
  AlgorithmPlan plan = plan_algorithm(algorithm, task->info(), Preset::kLite);
  for (const auto& [name, value] : std::vector<std::pair<const char*, const char*>>{{"budget", "1200"},
                                                                                    {"batch", "32"},
                                                                                    {"samples", "4"},
                                                                                    {"pairs", "16"},
                                                                                    {"steps", "4"},
                                                                                    {"initial_steps", "6"},
                                                                                    {"initial_budget", "300"},
                                                                                    {"training_share", "0.002"},
                                                                                    {"retarget_samples", "8"},
                                                                                    {"critic_steps", "2"},
                                                                                    {"critic_hidden", "8"},
                                                                                    {"gradient_steps", "2"},
                                                                                    {"mean_evaluations", "16"}}) {
    if (plan.settings.contains(name)) plan.settings.set(name, value);
  }
  const ArchiveTable archive = brought();
  ResolvedConfig config;
  config.task = task->info().name;
  config.algorithm = algorithm;
  config.preset = "lite";
  config.reevaluations = 32;
  const bool needs_archive = algorithm == "aria";
  if (needs_archive) config.input_checksum = checksum_text(archive.solution);
  AnyAlgorithm built = plan.build(task, Key(1).child(0), needs_archive ? &archive : nullptr);
  return {config, task, std::move(built)};
}

void expect_finite(const ArchiveTable& table) {
  EXPECT_TRUE(all_finite(table.solution.values()));
  EXPECT_TRUE(all_finite(table.objective));
  EXPECT_TRUE(all_finite(table.measures.values()));
}

class FailingEvaluations : public ::testing::TestWithParam<std::string> {
 protected:
  TemporaryFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(Algorithms, FailingEvaluations, ::testing::ValuesIn(every_algorithm()), algorithm_of_test);

TEST_P(FailingEvaluations, AreCountedAndNeverKept) {
  for (const double rate : {0.05, 0.5, 0.9}) {
    SCOPED_TRACE(rate);
    const auto folder = folder_ / std::to_string(rate);
    const Experiment run = run_experiment(small_run(GetParam(), rate), folder, {});
    EXPECT_EQ(run.outcome, Experiment::Outcome::kDone);
    const auto share = [](std::size_t failed, std::size_t all) {
      return static_cast<double>(failed) / static_cast<double>(all);
    };
    EXPECT_NEAR(share(run.summary.failed, run.summary.evaluations), rate, 0.1);
    EXPECT_NEAR(share(run.summary.failed_reevaluations, run.summary.reevaluations), rate, 0.15);
    expect_finite(*run.archive);
    if (run.corrected && run.corrected->size() > 0) expect_finite(*run.corrected);
    // a failed evaluation has left the cell
    for (std::size_t row = 0; row < run.reevaluation->size(); ++row) {
      const double kept = 1 - share(static_cast<std::size_t>(run.reevaluation->non_finite[row]), 32);
      EXPECT_LE(run.reevaluation->cell_probability[row], kept + 1e-6);
    }
    // what is told is what is written, and all of it can be read again
    const Json told = Json::parse(read_bytes(folder / "summary.json"));
    EXPECT_EQ(told["failed_evaluations"], run.summary.failed);
    EXPECT_EQ(told["failed_reevaluations"], run.summary.failed_reevaluations);
    expect_finite(read_archive(folder / "archive.npz"));
  }
}

TEST_P(FailingEvaluations, EndWithAClearMessageWhereThereIsNothingElse) {
  try {
    const Experiment run = run_experiment(small_run(GetParam(), 1), folder_ / "run", {});
    // whoever brings an archive, or starts from one solution, has something to keep; what is real is nothing
    FAIL() << "kept " << run.archive->size() << " solutions";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("no solution could be kept"), HasSubstr("evaluations failed")));
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "run/archive.npz"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "run/summary.json"));
}

}  // namespace
}  // namespace aria
