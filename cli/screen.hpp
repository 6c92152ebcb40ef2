// What a person sees: progress while it runs, a table and heat maps in the end.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "aria/report/progress.hpp"
#include "aria/run/experiment.hpp"

namespace aria::cli {

// Progress on standard error. Most calls only look at the clock.
class ProgressScreen {
 public:
  explicit ProgressScreen(bool quiet);
  void update(const std::function<StageProgress()>& make);
  void note(const std::string& text) {
    if (!quiet_) display_.print_line(text);
  }
  void finish() { display_.finish(); }

 private:
  bool quiet_;
  ProgressDisplay display_;
  double next_ = 0;  // s
};

// Hooks that show progress on a screen and stop when the user asks to.
ExperimentHooks screen_hooks(ProgressScreen& screen);

// The table and the heat maps of a finished run.
std::string experiment_screen(const Experiment& experiment, const std::string& folder);

// The same for a correction: what an archive claims, and what is in it.
std::string correction_screen(const RunSummary& summary, const ArchiveTable& claimed, const ArchiveTable& corrected,
                              const std::string& folder);

}  // namespace aria::cli
