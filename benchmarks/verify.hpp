// A benchmark of something wrong is worth nothing.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace aria::benchmarks {

inline void verify(bool ok, const char* what) {
  if (ok) return;
  std::fprintf(stderr, "benchmark: %s is wrong\n", what);
  std::abort();
}

}  // namespace aria::benchmarks
