#include "aria/run/run_loop.hpp"

#include <chrono>

#include "aria/core/require.hpp"

namespace aria {

State RunProgress::save() const {
  State state;
  state.put("evaluations", static_cast<std::int64_t>(evaluations));
  state.put("failed", static_cast<std::int64_t>(failed));
  state.put("seconds", std::vector<double>{seconds});
  state.put_part("log/", log.save());
  return state;
}

void RunProgress::load(const State& state) {
  const std::int64_t done = state.get_integer("evaluations");
  const std::int64_t lost = state.get_integer("failed");
  require(done >= 0 && lost >= 0 && lost <= done, "the counters of the saved run", "0 <= failed <= evaluations",
          fmt::format("{} and {}", lost, done));
  log.load(state.part("log/"));
  seconds = state.get<double>("seconds", 1).front();
  evaluations = static_cast<std::size_t>(done);
  failed = static_cast<std::size_t>(lost);
}

namespace {

using Clock = std::chrono::steady_clock;  // which no change of the date moves

struct Step {
  std::size_t evaluations;
  std::size_t failed;
};

// Ask, evaluate, tell.
Step make_step(AnyAlgorithm& algorithm, Evaluator& evaluator, Evaluations& memory) {
  const SampleRequest& request = algorithm.ask();
  Step step{.evaluations = request.evaluations(), .failed = 0};
  if (algorithm.takes_centres()) {
    step.failed = evaluator.evaluate_each(
        request, [&](std::size_t i, const CentreEvaluations& evaluations) { algorithm.tell_centre(i, evaluations); });
    algorithm.told_all();
  } else {
    evaluator.evaluate(request, memory);
    step.failed = memory.failed;
    algorithm.tell(memory);
  }
  return step;
}

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

bool run_loop(AnyAlgorithm& algorithm, Evaluator& evaluator, RunProgress& progress, const RunHooks& hooks) {
  const auto start = Clock::now();
  auto last_checkpoint = start;
  double pause = hooks.pace.every;
  const double seconds_before = progress.seconds;
  Evaluations evaluations;
  bool stopped = false;
  while (!algorithm.done() && !stopped) {
    try {
      const Step step = make_step(algorithm, evaluator, evaluations);
      progress.evaluations += step.evaluations;
      progress.failed += step.failed;
    } catch (const EvaluationStopped&) {
      break;
    }
    if (progress.log.due(progress.evaluations) || algorithm.done()) {
      progress.log.add(progress.evaluations, algorithm.status());
    }
    if (hooks.progress) hooks.progress(progress.evaluations, algorithm);
    stopped = hooks.stop && hooks.stop();
    if (hooks.checkpoint && !stopped && !algorithm.done() && seconds_since(last_checkpoint) >= pause) {
      progress.seconds = seconds_before + seconds_since(start);
      const auto begin = Clock::now();
      hooks.checkpoint(algorithm, progress);
      pause = hooks.pace.pause(seconds_since(begin));
      last_checkpoint = Clock::now();
    }
  }
  progress.seconds = seconds_before + seconds_since(start);
  return algorithm.done();
}

}  // namespace aria
