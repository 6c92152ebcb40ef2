// Cycles of one core, on machines whose clock wanders and that are shared with others: the clock is measured by a chain
// of additions, each waiting for the one before, right beside what is counted, and the best of many short runs count.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace aria::benchmarks {

// Seconds that one cycle takes now: an addition takes one. Of two registers: newer CPUs add constants while they rename
// registers, several in a cycle. The least of a few: what ran before may have pushed the clock's own code out of the
// cache, and fetching that takes as long as thousands of additions.
inline double seconds_per_cycle() {
  constexpr int kChains = 4;
  constexpr int kRounds = 256;
  constexpr int kAdditions = 16;
  std::uint64_t sum = 0;
  std::uint64_t one = 1;
  double least = std::numeric_limits<double>::infinity();
  for (int chain = 0; chain < kChains; ++chain) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kRounds; ++i) {
#pragma GCC unroll 16
      for (int k = 0; k < kAdditions; ++k) {
        __asm__ volatile("" : "+r"(sum), "+r"(one));
        sum += one;
      }
    }
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return least / (kRounds * kAdditions);
}

// The cycles per item that one in ten of the runs stays below; `run` does `items` of them in a few milliseconds or
// less, over and over for half a second or as long as wanted. Not the fewest: where the clock jumps right after it was
// measured, a run seems faster than it can be. Runs during which it changed do not count.
template <class F>
double best_cycles(double items, const F& run, std::chrono::milliseconds duration = std::chrono::milliseconds(500)) {
  constexpr double kClockTolerance = 0.03;
  std::vector<double> cycles;
  const auto begin = std::chrono::steady_clock::now();
  while (cycles.empty() || std::chrono::steady_clock::now() - begin < duration) {
    const double before = seconds_per_cycle();
    const auto start = std::chrono::steady_clock::now();
    run();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double after = seconds_per_cycle();
    if (std::abs(after - before) > kClockTolerance * before) continue;
    cycles.push_back(seconds / (0.5 * (before + after)));
  }
  const auto best = cycles.begin() + static_cast<std::ptrdiff_t>(cycles.size() / 10);
  std::ranges::nth_element(cycles, best);
  return *best / items;
}

}  // namespace aria::benchmarks
