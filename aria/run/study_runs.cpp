#include "aria/run/study_runs.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <list>
#include <mutex>
#include <thread>
#include <utility>

#include "aria/core/parallel.hpp"
#include "aria/run/study_forecast.hpp"

namespace aria {

namespace {

// Often enough for a line that is redrawn ten times a second.
constexpr double kLookInterval = 0.05;  // s

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// A run that is under way, on a thread of its own.
struct Lane {
  const PlannedRun* run = nullptr;
  double start = 0;  // s
  double next = 0;   // s, when to look again
  std::string phase = {};
  double share = 0;                 // of its evaluations that is done
  std::optional<double> from = {};  // the first share that was seen: a run may be continued
  // of the metrics, and of a first phase with a rate of its own
  double stage_start = 0;                  // s
  std::size_t stage_begin = 0;             // evaluations done by then
  double stage_left = 0;                   // s, once it is under way
  std::optional<double> phase_share = {};  // that is done of such a phase
  double before = 0;                       // s, that such a phase took
  bool metrics = false;

  void look(const StageProgress& stage, double time);
  double shown_share(double seconds) const;
};

double part(std::size_t done, std::size_t planned) {
  return std::min(1.0, static_cast<double>(done) / static_cast<double>(planned));
}

void Lane::look(const StageProgress& stage, double time) {
  metrics = stage.metrics;
  if (stage.phase != phase) {
    stage_start = time;
    stage_begin = metrics ? 0 : stage.done;
  }
  phase = stage.phase;
  if (stage.planned == 0) return;
  const bool first_phase = stage.phase_planned > 0 && stage.phase_planned < stage.planned;
  const std::size_t end = metrics ? stage.planned : stage.phase_planned;
  stage_left = 0;
  if ((metrics || first_phase) && stage.done > stage_begin) {
    const double gained = part(stage.done - stage_begin, end - stage_begin);
    stage_left = (time - stage_start) * (1 - gained) / gained;
  }
  // the metrics, which come last, count anew: what is done stays done
  share = metrics ? 1 : part(stage.done, stage.planned);
  if (!from || first_phase) from = share;
  phase_share = first_phase ? std::optional(part(stage.done, stage.phase_planned)) : std::nullopt;
  if (first_phase) before = time - start;
}

// The metrics may take longer than all before them.
double Lane::shown_share(double seconds) const {
  return metrics && stage_left > 0 ? seconds / (seconds + stage_left) : share;
}

class Workshop {
 public:
  Workshop(std::vector<PlannedRun>& runs, const std::filesystem::path& root, const StudyHooks& hooks)
      : runs_(runs), root_(root), hooks_(hooks) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (runs[i].state == PlannedRun::State::kFinished) {
        forecast_.finished(runs[i].config.algorithm, runs[i].seconds);
        ++result_.finished;
      } else {
        waiting_.push_back(i);
      }
    }
  }

  StudyRuns work() {
    lanes_ = std::min(threads(), waiting_.size());
    share_threads();
    std::vector<std::thread> workers;
    workers.reserve(lanes_);
    for (std::size_t i = 0; i < lanes_; ++i) workers.emplace_back([this] { work_on_runs(); });
    for (std::thread& worker : workers) worker.join();
    std::ranges::sort(result_.failed);
    return result_;
  }

 private:
  bool stopped() const { return hooks_.stop && hooks_.stop(); }

  // What one thread does.
  void work_on_runs() {
    const ScopedAlone scope(alone_);
    while (true) {
      std::unique_lock lock(mutex_);
      if (waiting_.empty()) return;
      if (stopped()) {
        result_.interrupted = true;
        return;
      }
      const std::size_t index = waiting_.front();
      waiting_.pop_front();
      ++result_.started;
      const auto lane = under_way_.insert(under_way_.end(), Lane{.run = &runs_[index], .start = now()});
      lock.unlock();

      do_run(index, *lane);

      lock.lock();
      under_way_.erase(lane);
      share_threads();
    }
  }

  // Holds the lock, or is alone. As soon as there is less to do than there are threads, loops may use the others.
  void share_threads() { alone_ = under_way_.size() + waiting_.size() >= threads(); }

  void do_run(std::size_t index, Lane& lane) {
    PlannedRun& run = runs_[index];
    try {
      const Experiment experiment = run_experiment(request_of(run.config), nullptr, root_ / run.folder, hooks_of(lane));
      const std::lock_guard lock(mutex_);
      if (experiment.outcome == Experiment::Outcome::kInterrupted) {
        run.state = PlannedRun::State::kUnfinished;
        result_.interrupted = true;
        return;
      }
      run.state = PlannedRun::State::kFinished;
      run.seconds = experiment.summary.seconds + experiment.summary.reevaluation_seconds;
      forecast_.finished(run.config.algorithm, run.seconds);
      ++result_.finished;
      lane.share = 1;
      if (hooks_.finished) hooks_.finished(run, experiment.summary, progress(&lane));
    } catch (const std::exception& error) {
      const std::lock_guard lock(mutex_);
      result_.failed.push_back(index);
      if (hooks_.failed) hooks_.failed(run, error.what());
    }
  }

  ExperimentHooks hooks_of(Lane& lane) {
    ExperimentHooks hooks;
    hooks.stop = hooks_.stop;
    hooks.pace = hooks_.pace;
    hooks.progress = [this, &lane](const std::function<StageProgress()>& make) {
      const double time = now();
      if (time < lane.next) return;
      lane.next = time + kLookInterval;
      const StageProgress stage = make();
      const std::lock_guard lock(mutex_);
      lane.look(stage, time);
      if (hooks_.progress) hooks_.progress(progress(nullptr));
    };
    return hooks;
  }

  // Holds the lock. `left_out` is a lane whose run is over.
  StudyProgress progress(const Lane* left_out) const {
    StudyProgress result;
    result.runs = runs_.size();
    result.done = result_.finished;
    std::vector<StudyForecast::Running> running;
    for (const Lane& lane : under_way_) {
      if (&lane == left_out) continue;
      const double seconds = now() - lane.start;
      const std::string& algorithm = lane.run->config.algorithm;
      result.running.push_back(
          {algorithm, lane.run->config.seed, lane.phase, lane.shown_share(seconds), lane.phase_share});
      running.push_back({algorithm, seconds, lane.share, lane.from.value_or(0), lane.stage_left, lane.before});
    }
    std::vector<std::string> waiting;
    for (const std::size_t index : waiting_) waiting.push_back(runs_[index].config.algorithm);
    result.seconds_left = forecast_.seconds_left(running, waiting, lanes_);
    return result;
  }

  std::vector<PlannedRun>& runs_;
  const std::filesystem::path& root_;
  const StudyHooks& hooks_;
  std::size_t lanes_ = 0;
  std::atomic<bool> alone_ = true;
  std::mutex mutex_;  // of everything below, and of calls to the hooks
  std::deque<std::size_t> waiting_;
  std::list<Lane> under_way_;
  StudyForecast forecast_;
  StudyRuns result_;
};

}  // namespace

StudyRuns do_runs(std::vector<PlannedRun>& runs, const std::filesystem::path& root, const StudyHooks& hooks) {
  return Workshop(runs, root, hooks).work();
}

}  // namespace aria
