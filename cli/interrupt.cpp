#include "cli/interrupt.hpp"

#include <csignal>

namespace aria::cli {

namespace {

volatile std::sig_atomic_t stop_asked = 0;

void on_signal(int number) {
  // a second signal does not wait for the checkpoint: what was done since the program started is lost, while files that
  // are there stay whole, since each is replaced as a whole
  if (stop_asked != 0) {
    std::signal(number, SIG_DFL);
    std::raise(number);
  }
  stop_asked = 1;
}

}  // namespace

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return stop_asked != 0; }

}  // namespace aria::cli
