// The loop around any algorithm.
#include "aria/run/run_loop.hpp"

#include <stdexcept>

#include "run_helpers.hpp"
#include "tests/persistence/file_helpers.hpp"

namespace aria {
namespace {

using aria::testing::map_elites_on;
using aria::testing::QuadraticConfig;
using aria::testing::QuadraticTask;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::shared_ptr<const Task> quadratic(const QuadraticConfig& config = {}) {
  return std::make_shared<QuadraticTask>(config);
}

TEST(RunLoop, CountsTheBudget) {
  const auto task = quadratic();
  LocalEvaluator evaluator(task);
  AnyAlgorithm algorithm = map_elites_on(task, 250, 100);
  RunProgress progress;
  EXPECT_TRUE(run_loop(algorithm, evaluator, progress, {}));
  EXPECT_TRUE(algorithm.done());
  EXPECT_EQ(progress.evaluations, 250u);
  EXPECT_EQ(progress.failed, 0u);
  EXPECT_GT(progress.seconds, 0);
}

TEST(RunLoop, DoesNothingWhenAllIsDone) {
  const auto task = quadratic();
  LocalEvaluator evaluator(task);
  AnyAlgorithm algorithm = map_elites_on(task, 100, 100);
  RunProgress progress;
  run_loop(algorithm, evaluator, progress, {});
  const State before = algorithm.save();
  EXPECT_TRUE(run_loop(algorithm, evaluator, progress, {}));
  EXPECT_EQ(progress.evaluations, 100u);
  EXPECT_EQ(algorithm.save(), before);
}

TEST(RunLoop, TellsItsProgressAfterEveryStep) {
  const auto task = quadratic();
  LocalEvaluator evaluator(task);
  AnyAlgorithm algorithm = map_elites_on(task, 250, 100);
  RunProgress progress;
  std::vector<std::size_t> seen;
  RunHooks hooks;
  hooks.progress = [&](std::size_t evaluations, const AnyAlgorithm& shown) {
    seen.push_back(evaluations);
    EXPECT_GT(shown.status().cells, 0u);
  };
  run_loop(algorithm, evaluator, progress, hooks);
  EXPECT_THAT(seen, ElementsAre(100, 200, 250));
}

TEST(RunLoop, StopsWhenAskedAndGoesOn) {
  QuadraticConfig config;
  config.fitness_noise = 0.1f;
  const auto task = quadratic(config);
  LocalEvaluator evaluator(task);
  AnyAlgorithm whole = map_elites_on(task, 500, 100);
  RunProgress whole_progress;
  run_loop(whole, evaluator, whole_progress, {});

  AnyAlgorithm algorithm = map_elites_on(task, 500, 100);
  RunProgress progress;
  RunHooks hooks;
  std::size_t steps = 0;
  hooks.stop = [&] { return ++steps == 2; };
  EXPECT_FALSE(run_loop(algorithm, evaluator, progress, hooks));
  EXPECT_EQ(progress.evaluations, 200u);
  EXPECT_TRUE(run_loop(algorithm, evaluator, progress, {}));
  EXPECT_EQ(algorithm.save(), whole.save());
  EXPECT_EQ(progress.log.to_csv(), whole_progress.log.to_csv());
  EXPECT_EQ(progress.evaluations, whole_progress.evaluations);
}

TEST(RunLoop, IsDoneThoughAskedToStopAtTheLastStep) {
  const auto task = quadratic();
  LocalEvaluator evaluator(task);
  AnyAlgorithm algorithm = map_elites_on(task, 100, 100);
  RunProgress progress;
  RunHooks hooks;
  hooks.stop = [] { return true; };
  EXPECT_TRUE(run_loop(algorithm, evaluator, progress, hooks));
}

TEST(RunLoop, AddsUpTheTimeOfAllItsParts) {
  const auto task = quadratic();
  LocalEvaluator evaluator(task);
  AnyAlgorithm algorithm = map_elites_on(task, 100, 100);
  RunProgress progress;
  progress.seconds = 100;
  run_loop(algorithm, evaluator, progress, {});
  EXPECT_GT(progress.seconds, 100);
}

TEST(RunLoop, LogsTheLastStep) {
  const auto task = quadratic();
  LocalEvaluator evaluator(task);
  AnyAlgorithm algorithm = map_elites_on(task, 1000, 1);
  RunProgress progress;
  run_loop(algorithm, evaluator, progress, {});
  const std::string csv = progress.log.to_csv();
  EXPECT_THAT(csv, HasSubstr("\n1,"));
  EXPECT_THAT(csv, HasSubstr("\n1000,"));
  EXPECT_EQ(std::ranges::count(csv, '\n'), 202);  // the header, every fifth evaluation, the last one
}

TEST(RunLoop, CountsFailedEvaluations) {
  QuadraticConfig config;
  config.failure_rate = 0.25;
  const auto task = quadratic(config);
  LocalEvaluator evaluator(task);
  AnyAlgorithm algorithm = map_elites_on(task, 1000, 100);
  RunProgress progress;
  EXPECT_TRUE(run_loop(algorithm, evaluator, progress, {}));
  EXPECT_EQ(progress.evaluations, 1000u);
  EXPECT_NEAR(static_cast<double>(progress.failed), 250, 60);
  EXPECT_GT(algorithm.archive().size(), 0u);
}

TEST(RunLoop, EndsThoughEveryEvaluationFails) {
  QuadraticConfig config;
  config.before = [](std::uint32_t, std::size_t) { throw std::runtime_error("the simulator is gone"); };
  const auto task = quadratic(config);
  LocalEvaluator evaluator(task);
  AnyAlgorithm algorithm = map_elites_on(task, 300, 100);
  RunProgress progress;
  EXPECT_TRUE(run_loop(algorithm, evaluator, progress, {}));
  EXPECT_EQ(progress.failed, 300u);
  EXPECT_EQ(algorithm.archive().size(), 0u);
  EXPECT_EQ(evaluator.first_error(), "the simulator is gone");
}

TEST(RunLoop, WritesCheckpointsAtItsPaceFromWhichItGoesOn) {
  const auto task = quadratic();
  LocalEvaluator evaluator(task);
  AnyAlgorithm algorithm = map_elites_on(task, 500, 100);
  RunProgress progress;
  RunHooks hooks;
  hooks.pace = {.every = 0, .share = 1e9};  // whatever a checkpoint takes
  std::vector<std::size_t> seen;
  State state;
  RunProgress kept;
  hooks.checkpoint = [&](const AnyAlgorithm& shown, const RunProgress& so_far) {
    seen.push_back(so_far.evaluations);
    EXPECT_GT(so_far.seconds, 0);
    if (seen.size() != 2) return;
    state = shown.save();
    kept = so_far;
  };
  run_loop(algorithm, evaluator, progress, hooks);
  EXPECT_THAT(seen, ElementsAre(100, 200, 300, 400)) << "when all is done there is nothing to go on with";
  AnyAlgorithm continued = map_elites_on(task, 500, 100);
  continued.load(state);
  run_loop(continued, evaluator, kept, {});
  EXPECT_EQ(continued.save(), algorithm.save());
  EXPECT_EQ(kept.log.save(), progress.log.save());

  seen.clear();
  hooks.pace = {.every = 3600, .share = 0.01};
  AnyAlgorithm again = map_elites_on(task, 500, 100);
  RunProgress from_start;
  run_loop(again, evaluator, from_start, hooks);
  EXPECT_THAT(seen, ::testing::IsEmpty());
}

TEST(CheckpointPace, KeepsToItsShareOfTheTime) {
  const CheckpointPace pace;
  EXPECT_EQ(pace.pause(0.1), 60);
  EXPECT_DOUBLE_EQ(pace.pause(2), 200);
}

}  // namespace
}  // namespace aria
