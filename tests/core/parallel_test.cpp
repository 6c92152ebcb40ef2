#include "aria/core/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/threads.hpp"

namespace aria {
namespace {

using aria::testing::for_each_thread_count;

TEST(Threads, AreAsManyAsWereSet) {
  for_each_thread_count([](std::size_t count) { EXPECT_EQ(threads(), count); });
  EXPECT_GE(threads(), 1u);
}

TEST(ParallelFor, CallsEveryIndexOnce) {
  for_each_thread_count([](std::size_t) {
    for (const std::size_t count : {0u, 1u, 2u, 3u, 17u, 1000u}) {
      for (const std::size_t grain : {1u, 2u, 7u, 5000u}) {
        std::vector<std::atomic<int>> calls(count);
        parallel_for(count, grain, [&](std::size_t i) { ++calls[i]; });
        for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(calls[i].load(), 1) << i << " of " << count;
      }
    }
  });
}

TEST(ParallelFor, ThrowsWhatTheLowestIndexThrew) {
  for_each_thread_count([](std::size_t) {
    for (int repetition = 0; repetition < 20; ++repetition) {
      std::string said;
      try {
        parallel_for(500, 1, [](std::size_t i) {
          if (i % 100 == 37) throw std::runtime_error(std::to_string(i));
        });
      } catch (const std::runtime_error& error) {
        said = error.what();
      }
      ASSERT_EQ(said, "37");
    }
  });
}

TEST(ParallelFor, MakesEveryCallThoughSomeThrow) {
  for_each_thread_count([](std::size_t) {
    std::vector<std::atomic<int>> calls(300);
    EXPECT_THROW(parallel_for(300, 4,
                              [&](std::size_t i) {
                                ++calls[i];
                                if (i % 3 == 0) throw std::logic_error("third");
                              }),
                 std::logic_error);
    for (const auto& count : calls) ASSERT_EQ(count.load(), 1);
  });
}

TEST(ParallelFor, CanBeUsedInsideItself) {
  for_each_thread_count([](std::size_t) {
    std::vector<std::atomic<int>> calls(20 * 30);
    parallel_for(20, 1, [&](std::size_t i) { parallel_for(30, 1, [&](std::size_t j) { ++calls[30 * i + j]; }); });
    for (const auto& count : calls) ASSERT_EQ(count.load(), 1);
  });
}

TEST(ParallelFor, PassesOnWhatAnInnerLoopThrew) {
  for_each_thread_count([](std::size_t) {
    std::string said;
    try {
      parallel_for(10, 1, [](std::size_t i) {
        parallel_for(10, 1, [&](std::size_t j) {
          if (i >= 4 && j >= 6) throw std::runtime_error(std::to_string(10 * i + j));
        });
      });
    } catch (const std::runtime_error& error) {
      said = error.what();
    }
    EXPECT_EQ(said, "46");
  });
}

TEST(ScopedAlone, KeepsLoopsOnTheirThreadAsLongAsItIsAskedTo) {
  for_each_thread_count([](std::size_t) {
    std::atomic<bool> alone = true;
    const ScopedAlone scope(alone);
    const auto self = std::this_thread::get_id();
    std::atomic<int> here = 0;
    parallel_for(200, 1, [&](std::size_t) { here += std::this_thread::get_id() == self ? 1 : 0; });
    EXPECT_EQ(here.load(), 200);
    alone = false;
    std::atomic<int> calls = 0;
    parallel_for(200, 1, [&](std::size_t) { ++calls; });
    EXPECT_EQ(calls.load(), 200);
  });
}

TEST(ScopedAlone, IsForItsOwnThreadAlone) {
  const aria::testing::ScopedThreads threads(2);
  const std::atomic<bool> alone = true;
  const ScopedAlone scope(alone);
  // two calls that wait for each other can only meet on two threads
  std::atomic<int> arrived = 0;
  std::atomic<int> met = 0;
  std::thread([&] {
    parallel_for(2, 1, [&](std::size_t) {
      ++arrived;
      const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (arrived < 2 && std::chrono::steady_clock::now() < patience) std::this_thread::yield();
      met += arrived == 2 ? 1 : 0;
    });
  }).join();
  EXPECT_EQ(met.load(), 2);
}

TEST(ScopedAlone, LetsThreadsShareTheOthersWhenItEnds) {
  const aria::testing::ScopedThreads threads(3);
  std::atomic<bool> alone = true;
  std::vector<std::atomic<int>> calls(4);
  std::vector<std::thread> jobs;
  for (std::size_t job = 0; job < calls.size(); ++job) {
    jobs.emplace_back([&, job] {
      const ScopedAlone scope(alone);
      for (int loop = 0; loop < 200; ++loop) parallel_for(50, 1, [&](std::size_t) { ++calls[job]; });
    });
  }
  alone = false;
  for (std::thread& job : jobs) job.join();
  for (const auto& count : calls) EXPECT_EQ(count.load(), 200 * 50);
}

// Numbers of different size, so that another order of adding gives other bits.
TEST(ParallelOrderedSum, HasTheSameBitsForEveryNumberOfThreads) {
  const auto term = [](std::size_t i) { return 1.0f / static_cast<float>(i + 1); };
  float expected = 0.5f;
  float reversed = 0.5f;
  for (std::size_t i = 0; i < 1000; ++i) expected += term(i);
  for (std::size_t i = 1000; i-- > 0;) reversed += term(i);
  ASSERT_NE(expected, reversed);
  for_each_thread_count([&](std::size_t) {
    for (const std::size_t grain : {1u, 3u, 64u}) EXPECT_EQ(parallel_ordered_sum(1000, grain, 0.5f, term), expected);
  });
}

TEST(ParallelOrderedSum, OfNothingIsTheStart) {
  EXPECT_EQ(parallel_ordered_sum(0, 1, 3, [](std::size_t) { return 1; }), 3);
}

}  // namespace
}  // namespace aria
