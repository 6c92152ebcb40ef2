// Work that lasts: the interpreter goes on beside it, shows its progress and hears Ctrl-C.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>

#include <nanobind/nanobind.h>

#include "aria/run/experiment.hpp"

namespace aria::python {

namespace nb = nanobind;

// Where work notes how far it is, and learns that it shall stop. The thread of the interpreter looks in from time to
// time: no other thread ever calls Python.
class Watch {
 public:
  // `show` is called with (phase, done, planned, cells); it may be None.
  explicit Watch(nb::object show) : show_(std::move(show)) {}

  // From any thread.
  bool stopped() const { return stop_; }
  bool due() const { return due_; }
  void note(const StageProgress& progress);

  // The hooks of an experiment that runs beside the interpreter, on a thread of its own.
  ExperimentHooks hooks();

  // Runs `work` on a thread of its own, without the interpreter's lock. An exception of `work`, of a signal's handler
  // or of `show` is thrown here; `work` has ended by then.
  void run_beside(const std::function<void()>& work);

  // For work on the interpreter's own thread, which calls Python itself: shows progress and hears signals, at most some
  // times a second. Takes the interpreter's lock. An exception of a signal's handler or of `show` is thrown.
  void look(const std::function<StageProgress()>& make);

 private:
  void show();

  nb::object show_;
  std::atomic<bool> stop_ = false;
  std::atomic<bool> due_ = true;  // whether a note would be looked at
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<StageProgress> latest_;
  std::chrono::steady_clock::time_point next_look_{};
};

}  // namespace aria::python
