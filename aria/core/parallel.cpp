#include "aria/core/parallel.hpp"

#include <exception>
#include <memory>
#include <mutex>
#include <utility>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace aria {

namespace {

// ThreadSanitizer cannot see how TBB, which is not instrumented, orders a loop's start, bodies and end: tell it.
char loop_started, loop_ended;  // only their addresses matter
void tsan_release([[maybe_unused]] char& event) {
#if defined(__SANITIZE_THREAD__)
  __tsan_release(&event);
#endif
}
void tsan_acquire([[maybe_unused]] char& event) {
#if defined(__SANITIZE_THREAD__)
  __tsan_acquire(&event);
#endif
}

// For what runs before it could tell: a compiler may read what a lambda captured ahead of the call that tells.
#if defined(__SANITIZE_THREAD__)
#define ARIA_UNSEEN_BY_TSAN __attribute__((no_sanitize_thread))
#else
#define ARIA_UNSEEN_BY_TSAN
#endif

// One arena for the whole program, made anew when the number of threads changes.
struct Pool {
  std::mutex mutex;
  std::size_t threads = 0;
  std::unique_ptr<tbb::global_control> limit;
  std::unique_ptr<tbb::task_arena> arena;

  Pool() { start(0); }

  void start(std::size_t wanted) {
    threads = wanted != 0 ? wanted : static_cast<std::size_t>(tbb::info::default_concurrency());
    limit = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, threads);
    arena = std::make_unique<tbb::task_arena>(static_cast<int>(threads));
  }
};

Pool& pool() {
  static Pool instance;
  return instance;
}

thread_local const std::atomic<bool>* thread_alone = nullptr;

bool keeps_to_itself() { return thread_alone != nullptr && thread_alone->load(std::memory_order_relaxed); }

// The exception of the lowest index, from calls that may fail in any order.
class FirstError {
 public:
  void keep(std::size_t index, std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (error_ == nullptr || index < index_) {
      index_ = index;
      error_ = std::move(error);
    }
  }
  void rethrow() const {
    if (error_ != nullptr) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::size_t index_ = 0;
  std::exception_ptr error_;
};

}  // namespace

void set_threads(std::size_t wanted) {
  Pool& p = pool();
  const std::lock_guard lock(p.mutex);
  p.start(wanted);
}

std::size_t threads() { return pool().threads; }

ScopedAlone::ScopedAlone(const std::atomic<bool>& alone) : before_(std::exchange(thread_alone, &alone)) {}
ScopedAlone::~ScopedAlone() { thread_alone = before_; }

void parallel_loop(std::size_t count, std::size_t grain, LoopCall call, const void* body) {
  FirstError first_error;
  const auto run_range = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      try {
        call(body, i);
      } catch (...) {
        first_error.keep(i, std::current_exception());
      }
    }
  };
  Pool& p = pool();
  if (p.threads == 1 || count <= grain || keeps_to_itself()) {
    run_range(0, count);
  } else {
    tsan_release(loop_started);
    // where threads that start loops are many, the arena may hand this to another one
    p.arena->execute([&]() ARIA_UNSEEN_BY_TSAN {
      tsan_acquire(loop_started);
      tsan_release(loop_started);
      tbb::parallel_for(
          tbb::blocked_range<std::size_t>(0, count, grain),
          [&](const tbb::blocked_range<std::size_t>& range) ARIA_UNSEEN_BY_TSAN {
            tsan_acquire(loop_started);
            run_range(range.begin(), range.end());
            tsan_release(loop_ended);
          },
          tbb::simple_partitioner());
      tsan_acquire(loop_ended);
      tsan_release(loop_ended);
    });
    tsan_acquire(loop_ended);
  }
  first_error.rethrow();
}

}  // namespace aria
