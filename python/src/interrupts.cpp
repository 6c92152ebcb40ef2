#include "python/src/interrupts.hpp"

#include <exception>
#include <thread>
#include <utility>

#include <nanobind/stl/string.h>

namespace aria::python {

namespace {

constexpr auto kPause = std::chrono::milliseconds(50);

}  // namespace

void Watch::note(const StageProgress& progress) {
  const std::lock_guard lock(mutex_);
  latest_ = progress;
  due_ = false;
}

ExperimentHooks Watch::hooks() {
  ExperimentHooks hooks;
  hooks.stop = [this] { return stopped(); };
  hooks.progress = [this](const std::function<StageProgress()>& make) {
    if (due()) note(make());
  };
  return hooks;
}

void Watch::show() {
  std::optional<StageProgress> progress;
  {
    const std::lock_guard lock(mutex_);
    progress = std::exchange(latest_, std::nullopt);
  }
  due_ = true;
  if (progress && !show_.is_none()) show_(progress->phase, progress->done, progress->planned, progress->cells);
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

void Watch::run_beside(const std::function<void()>& work) {
  bool ended = false;
  std::exception_ptr failure;
  std::exception_ptr here;
  {
    const nb::gil_scoped_release without_lock;
    std::thread worker([&] {
      try {
        work();
      } catch (...) {
        failure = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      ended = true;
      changed_.notify_one();
    });
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, kPause, [&] { return ended; })) {
      if (here) continue;
      lock.unlock();
      try {
        const nb::gil_scoped_acquire with_lock;
        show();
      } catch (...) {
        here = std::current_exception();
        stop_ = true;
      }
      lock.lock();
    }
    lock.unlock();
    worker.join();
  }
  if (here) std::rethrow_exception(here);
  if (failure) std::rethrow_exception(failure);
  show();
}

void Watch::look(const std::function<StageProgress()>& make) {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_look_) return;
  next_look_ = now + kPause;
  note(make());
  const nb::gil_scoped_acquire with_lock;
  show();
}

}  // namespace aria::python
