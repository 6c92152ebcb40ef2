#include "cli/study_screen.hpp"

#include <unistd.h>

#include <cstdio>

#include <fmt/format.h>

#include "aria/report/study_progress.hpp"
#include "aria/report/units.hpp"
#include "cli/interrupt.hpp"

namespace aria::cli {

namespace {

// Short, as there may be many: the replication is told by its seed.
std::string run_text(const std::string& algorithm, std::uint64_t seed) { return fmt::format("{} {}", algorithm, seed); }

StudySample sample_of(const StudyProgress& progress) {
  StudySample sample{progress.runs, progress.done, {}, progress.seconds_left};
  for (const auto& run : progress.running) {
    sample.running.push_back({run_text(run.algorithm, run.seed), run.phase, run.share, run.phase_share});
  }
  return sample;
}

}  // namespace

StudyScreen::StudyScreen(bool quiet)
    : quiet_(quiet),
      style_(detect_terminal(STDERR_FILENO)),
      display_(stderr, ProgressDisplay::mode_for(stderr, quiet), style_) {}

void StudyScreen::finished(const PlannedRun& run, const RunSummary& summary, const StudyProgress& progress) {
  if (quiet_) return;
  const std::size_t believed = summary.result.illusory ? summary.result.illusory->cells : 0;
  const std::size_t width = fmt::format("{}", progress.runs).size();
  display_.print_line(fmt::format("[{:>{}}/{}] {:<14} {:>5} cells believed, {:>4} real, P-Score {:>5.1f}, {}",
                                  progress.done, width, progress.runs, run_text(run.config.algorithm, run.config.seed),
                                  believed, summary.result.corrected->cells,
                                  summary.result.corrected->p_score.value_or(0), human_duration(run.seconds)));
}

StudyHooks StudyScreen::hooks() {
  StudyHooks hooks;
  hooks.progress = [this](const StudyProgress& progress) {
    display_.update_line([&](std::optional<std::size_t> width) {
      const StudySample sample = sample_of(progress);
      return width ? study_bar_line(sample, style_, *width) : study_plain_line(sample);
    });
  };
  hooks.finished = [this](const PlannedRun& run, const RunSummary& summary, const StudyProgress& progress) {
    finished(run, summary, progress);
  };
  hooks.failed = [this](const PlannedRun& run, const std::string& why) {
    display_.print_line(fmt::format("aria: the run {} failed: {}", run.name(), why));
  };
  hooks.note = [this](const std::string& text) {
    if (!quiet_) display_.print_line("aria: " + text);
  };
  hooks.stop = interrupted;
  return hooks;
}

}  // namespace aria::cli
