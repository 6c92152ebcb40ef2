// What a person sees of a study: one display for all its runs, tables in the end.
#pragma once

#include <string>

#include "aria/report/progress.hpp"
#include "aria/run/study.hpp"

namespace aria::cli {

// Progress on standard error: a line for every run that ends, and one that is redrawn for the whole.
class StudyScreen {
 public:
  explicit StudyScreen(bool quiet);

  // Hooks that show progress here and stop when the user asks to. Faults are told also when quiet.
  StudyHooks hooks();
  void finish() { display_.finish(); }

 private:
  void finished(const PlannedRun& run, const RunSummary& summary, const StudyProgress& progress);

  bool quiet_;
  TerminalStyle style_;
  ProgressDisplay display_;
};

}  // namespace aria::cli
