// Counts what is allocated by `new`, to see that something allocates nothing.
#pragma once

#include <cstddef>

namespace aria::testing {

// Calls of `operator new` so far, by any thread.
std::size_t allocations();

}  // namespace aria::testing
