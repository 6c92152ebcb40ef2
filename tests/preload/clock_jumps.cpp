// A clock that jumps a century back and forth each time somebody looks at the date. Loaded before the C library; the
// steady clock stays as it is.
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

namespace {

constexpr time_t kPast = 641520000;     // in 1990
constexpr time_t kFuture = 3797280000;  // in 2090

time_t jumped() {
  static std::atomic<unsigned> looks = 0;
  return looks++ % 2 == 0 ? kPast : kFuture;
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, struct timespec* now) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE) {
    return static_cast<int>(::syscall(SYS_clock_gettime, clock, now));
  }
  *now = {jumped(), 0};
  return 0;
}

int gettimeofday(struct timeval* now, void*) noexcept {
  *now = {jumped(), 0};
  return 0;
}

time_t time(time_t* now) noexcept {
  const time_t result = jumped();
  if (now != nullptr) *now = result;
  return result;
}
}
