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
  double share = 0;                 // that is done
  std::optional<double> from = {};  // the first share that was seen: a run may be continued
  double metrics_start = 0;         // s, of their present stage
  double metrics_left = 0;          // s, once they are under way

  void look(const StageProgress& stage, double time);
};

void Lane::look(const StageProgress& stage, double time) {
  if (stage.metrics && stage.phase != phase) metrics_start = time;
  phase = stage.phase;
  if (stage.planned == 0) return;
  // the metrics, which come last, count anew: what is done stays done
  const double of_stage = std::min(1.0, static_cast<double>(stage.done) / static_cast<double>(stage.planned));
  share = std::max(share, of_stage);
  if (!from) from = share;
  if (stage.metrics && of_stage > 0) metrics_left = (time - metrics_start) * (1 - of_stage) / of_stage;
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
      // the metrics may take longer than all before them
      const double shown = lane.metrics_left > 0 ? seconds / (seconds + lane.metrics_left) : lane.share;
      result.running.push_back({lane.run->config.algorithm, lane.run->config.seed, lane.phase, shown});
      running.push_back({lane.run->config.algorithm, seconds, lane.share, lane.from.value_or(0), lane.metrics_left});
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
