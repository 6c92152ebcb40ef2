// Floats that end where a page ends behind which nothing may be read or written: a kernel that goes one float too far
// is killed, on every instruction set, also by loads that a sanitiser does not see.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <new>
#include <span>

namespace aria::testing {

class GuardedFloats {
 public:
  explicit GuardedFloats(std::size_t count) : count_(count) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t bytes = (count * sizeof(float) + page - 1) / page * page;
    mapped_ = bytes + page;
    memory_ = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    auto* end = static_cast<std::byte*>(memory_) + bytes;
    if (mprotect(end, page, PROT_NONE) != 0) throw std::bad_alloc();
    first_ = reinterpret_cast<float*>(end) - count;
  }
  ~GuardedFloats() { munmap(memory_, mapped_); }
  GuardedFloats(const GuardedFloats&) = delete;
  GuardedFloats& operator=(const GuardedFloats&) = delete;

  std::span<float> values() { return {first_, count_}; }

 private:
  std::size_t count_;
  std::size_t mapped_ = 0;
  void* memory_ = nullptr;
  float* first_ = nullptr;
};

}  // namespace aria::testing
