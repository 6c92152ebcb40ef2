#include "cli/interrupt.hpp"

#include <atomic>
#include <csignal>

namespace aria::cli {

namespace {

// read by threads that the signal does not interrupt
std::atomic<bool> stop_asked = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch nothing else");

void on_signal(int number) {
  // a second signal does not wait for the checkpoint: what was done since the program started is lost, while files that
  // are there stay whole, since each is replaced as a whole
  if (stop_asked) {
    std::signal(number, SIG_DFL);
    std::raise(number);
  }
  stop_asked = true;
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

bool interrupted() { return stop_asked; }

}  // namespace aria::cli
