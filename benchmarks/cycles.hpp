// Cycles of one core, on machines whose clock wanders and that are shared with others: the clock is measured by a chain
// of additions, each waiting for the one before, right beside what is counted, and the best of many short runs counts.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>

namespace aria::benchmarks {

// Seconds that one cycle takes now: an addition takes one.
inline double seconds_per_cycle() {
  constexpr int kRounds = 256;
  constexpr int kAdditions = 16;
  std::uint64_t sum = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kRounds; ++i) {
#pragma GCC unroll 16
    for (int k = 0; k < kAdditions; ++k) {
      ++sum;
      __asm__ volatile("" : "+r"(sum));
    }
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / (kRounds * kAdditions);
}

// The fewest cycles per item that `run`, which does `items` of them in a few milliseconds or less, took in half a
// second. Runs during which the clock changed do not count.
template <class F>
double best_cycles(double items, const F& run) {
  constexpr double kClockTolerance = 0.03;
  double best = std::numeric_limits<double>::infinity();
  const auto begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(500)) {
    const double before = seconds_per_cycle();
    const auto start = std::chrono::steady_clock::now();
    run();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double after = seconds_per_cycle();
    if (std::abs(after - before) > kClockTolerance * before) continue;
    best = std::min(best, seconds / (0.5 * (before + after)));
  }
  return best / items;
}

}  // namespace aria::benchmarks
