// Runs a test with several numbers of threads.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>

#include "aria/core/parallel.hpp"

namespace aria::testing {

// While it lives, `parallel_for` uses this many threads; afterwards one per core again.
class ScopedThreads {
 public:
  explicit ScopedThreads(std::size_t count) { set_threads(count); }
  ~ScopedThreads() { set_threads(0); }
  ScopedThreads(const ScopedThreads&) = delete;
  ScopedThreads& operator=(const ScopedThreads&) = delete;
};

inline constexpr std::size_t kThreadCounts[] = {1, 2, 3, 7};

template <class F>
void for_each_thread_count(const F& body) {
  for (const std::size_t count : kThreadCounts) {
    SCOPED_TRACE(::testing::Message() << count << " threads");
    const ScopedThreads scope(count);
    body(count);
  }
}

}  // namespace aria::testing
