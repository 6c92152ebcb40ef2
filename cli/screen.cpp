#include "cli/screen.hpp"

#include <unistd.h>

#include <cstdio>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "aria/core/parallel.hpp"
#include "aria/report/heat_map.hpp"
#include "aria/report/summary.hpp"
#include "aria/report/terminal.hpp"
#include "aria/report/units.hpp"
#include "cli/interrupt.hpp"

namespace aria::cli {

namespace {

// Often enough for a line that is redrawn ten times a second.
constexpr double kLookInterval = 0.05;  // s

void add_column(std::vector<ScoreColumn>& columns, const char* title, const std::optional<ArchiveScores>& scores) {
  if (scores) columns.push_back({title, *scores});
}

// Maps need a grid, and something believed in it.
void add_panel(std::vector<HeatMapPanel>& panels, const char* title, const std::optional<ArchiveTable>& table) {
  if (!table || !table->grid || table->objective.empty() || table->index.empty()) return;
  panels.push_back(archive_panel(title, *table, "objective"));
}

std::string maps(const std::vector<HeatMapPanel>& panels, const TerminalStyle& style) {
  if (panels.empty()) return "";
  return "\n" + draw_heat_maps(panels, {"fitness", value_range(panels)}, style);
}

std::string ranges_note(const ScoreRanges& ranges) {
  return fmt::format(
      "QD-Score and V-Score are normalised by the task's fixed ranges: fitness {:g} .. {:g}, minus "
      "variance {:g} .. {:g}.\n",
      ranges.fitness.lower, ranges.fitness.upper, ranges.negative_variance.lower, ranges.negative_variance.upper);
}

std::string failures_note(const RunSummary& summary) {
  if (summary.failed + summary.failed_reevaluations == 0) return "";
  std::string note = fmt::format("{} evaluations and {} re-evaluations failed and count as having left the cell",
                                 summary.failed, summary.failed_reevaluations);
  if (!summary.first_error.empty()) note += fmt::format("; the first said: {}", summary.first_error);
  return note + ".\n";
}

std::string symmetry_note(const RunSummary& summary) {
  return summary.use_symmetry ? "With the task's symmetry: only fundamental cells were solved, the others follow.\n"
                              : "";
}

std::string cost_line(const RunSummary& summary) {
  const double rate = summary.seconds > 0 ? static_cast<double>(summary.evaluations) / summary.seconds : 0;
  std::string line = fmt::format("{} evaluations in {} ({}, {} {})",
                                 human_count(static_cast<double>(summary.evaluations)), human_duration(summary.seconds),
                                 human_rate(rate, "evaluations"), threads(), threads() == 1 ? "thread" : "threads");
  if (summary.reevaluations > 0) {
    line +=
        fmt::format("\nMetrics from {} re-evaluations in {}", human_count(static_cast<double>(summary.reevaluations)),
                    human_duration(summary.reevaluation_seconds));
  }
  return line + "\n";
}

// The first figures, which are those to follow: a line has little room.
std::vector<std::string> details_of(const StageProgress& progress) {
  constexpr std::size_t kMost = 2;
  std::vector<std::string> parts;
  for (const auto& [name, value] : progress.figures) {
    if (parts.size() == kMost) break;
    std::string words = name;
    std::ranges::replace(words, '_', ' ');
    parts.push_back(fmt::format("{} {:.4g}", words, value));
  }
  return parts;
}

}  // namespace

ProgressScreen::ProgressScreen(bool quiet)
    : quiet_(quiet), display_(stderr, ProgressDisplay::mode_for(stderr, quiet), detect_terminal(STDERR_FILENO)) {}

void ProgressScreen::update(const std::function<StageProgress()>& make) {
  const double now = ProgressDisplay::steady_clock();
  if (now < next_) return;
  next_ = now + kLookInterval;
  const StageProgress progress = make();
  const bool followed = progress.phase_planned > 0 && progress.phase_planned < progress.planned;
  display_.update({progress.phase, progress.done, followed ? progress.phase_planned : progress.planned, progress.cells,
                   details_of(progress), followed});
}

ExperimentHooks screen_hooks(ProgressScreen& screen) {
  ExperimentHooks hooks;
  hooks.progress = [&screen](const std::function<StageProgress()>& make) { screen.update(make); };
  hooks.stop = interrupted;
  hooks.note = [&screen](const std::string& text) { screen.note("aria: " + text); };
  return hooks;
}

std::string experiment_screen(const Experiment& experiment, const std::string& folder) {
  const TerminalStyle style = detect_terminal(STDOUT_FILENO);
  const RunSummary& summary = experiment.summary;
  std::vector<ScoreColumn> columns;
  std::vector<HeatMapPanel> panels;
  if (summary.initial) {
    add_column(columns, "start, believed", summary.initial->illusory);
    add_column(columns, "start, really", summary.initial->corrected);
    add_panel(panels, "start, believed", experiment.initial);
    add_panel(panels, "start, really", experiment.initial_corrected);
  } else {
    add_panel(panels, "believed (illusory)", experiment.archive);
  }
  add_column(columns, summary.initial ? "result, believed" : "believed (illusory)", summary.result.illusory);
  add_column(columns, summary.initial ? "result, really" : "really (corrected)", summary.result.corrected);
  add_panel(panels, summary.initial ? "result, really" : "really (corrected)", experiment.corrected);

  std::string text =
      fmt::format("\n{} on {}, seed {}: {}\n", summary.algorithm, summary.task, summary.seed, cost_line(summary));
  text += symmetry_note(summary);
  text += score_table(columns, style);
  text += ranges_note(summary.ranges);
  text += failures_note(summary);
  text += maps(panels, style);
  return text + fmt::format("\nFiles: {}\n", folder);
}

std::string correction_screen(const RunSummary& summary, const ArchiveTable& claimed, const ArchiveTable& corrected,
                              const std::string& folder) {
  const TerminalStyle style = detect_terminal(STDOUT_FILENO);
  std::vector<ScoreColumn> columns;
  add_column(columns, "believed (illusory)", summary.result.illusory);
  add_column(columns, "really (corrected)", summary.result.corrected);
  std::vector<HeatMapPanel> panels;
  add_panel(panels, "believed (illusory)", claimed);
  add_panel(panels, "really (corrected)", corrected);
  std::string text = fmt::format("\n{} solutions on {}, {} re-evaluations in {}\n\n", claimed.size(), summary.task,
                                 human_count(static_cast<double>(summary.reevaluations)),
                                 human_duration(summary.reevaluation_seconds));
  text += score_table(columns, style);
  text += ranges_note(summary.ranges);
  text += failures_note(summary);
  text += maps(panels, style);
  return text + fmt::format("\nFiles: {}\n", folder);
}

}  // namespace aria::cli
