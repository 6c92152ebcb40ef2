// A parallel loop over fixed blocks. What a block computes may depend on its number, never on the thread that runs it,
// so results do not depend on how many threads there are.
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

namespace aria {

// Limits how many threads `parallel_for` uses; 0 means one per core. Lives for the whole program.
void set_threads(std::size_t threads);
std::size_t threads();

// Calls body(i) for i in 0 .. count-1, in any order and at the same time. `grain` calls are kept together on one
// thread: choose it so that a grain takes some microseconds. Every call is made even if one throws; the exception of
// the lowest i is then thrown, whatever the number of threads.
template <class Body>
void parallel_for(std::size_t count, std::size_t grain, const Body& body);

// For jobs side by side, each on a thread of its own: while it lives, loops that this thread starts stay on this thread
// as long as `alone` is true, and are shared with idle threads again once it is false. Results are the same either way.
class ScopedAlone {
 public:
  explicit ScopedAlone(const std::atomic<bool>& alone);
  ~ScopedAlone();
  ScopedAlone(const ScopedAlone&) = delete;
  ScopedAlone& operator=(const ScopedAlone&) = delete;

 private:
  const std::atomic<bool>* before_;
};

// The loop itself, which is compiled once: call(body, i). No std::function, which may allocate at every loop.
using LoopCall = void (*)(const void* body, std::size_t i);
void parallel_loop(std::size_t count, std::size_t grain, LoopCall call, const void* body);

template <class Body>
void parallel_for(std::size_t count, std::size_t grain, const Body& body) {
  parallel_loop(
      count, grain, [](const void* b, std::size_t i) { (*static_cast<const Body*>(b))(i); }, &body);
}

// Adds up body(i) in the order of i, with the calls themselves made in parallel.
template <class T, class Body>
T parallel_ordered_sum(std::size_t count, std::size_t grain, T total, const Body& body) {
  std::vector<T> parts(count);
  parallel_for(count, grain, [&](std::size_t i) { parts[i] = body(i); });
  for (const T& part : parts) total = total + part;
  return total;
}

}  // namespace aria
