#include "cli/interrupt.hpp"

#include <atomic>
#include <csignal>
#include <ctime>

namespace aria::cli {

namespace {

// When it was asked to stop, ms of the steady clock; 0: not yet. Read by threads that the signal does not interrupt.
std::atomic<std::int64_t> stop_asked = 0;
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "a signal handler may touch nothing else");

// Signals that come so soon after the first are the same wish: timeout(1) sends one to the program and one to its
// group.
constexpr std::int64_t kOneWish = 500;  // ms

std::int64_t now() {
  struct timespec time = {};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1'000'000;
}

void on_signal(int number) {
  const std::int64_t first = stop_asked;
  if (first == 0) {
    stop_asked = now();
  } else if (now() - first >= kOneWish) {
    // a second wish does not wait for the checkpoint: what was done since the program started is lost, while files that
    // are there stay whole, since each is replaced as a whole
    std::signal(number, SIG_DFL);
    std::raise(number);
  }
}

}  // namespace

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // a file that grows beyond the limit of the system is told like a disk that is full
  std::signal(SIGXFSZ, SIG_IGN);
}

bool interrupted() { return stop_asked != 0; }

}  // namespace aria::cli
