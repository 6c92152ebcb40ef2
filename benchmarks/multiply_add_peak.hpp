// The machine's multiply-add peak, measured in the same process as everything else.
#pragma once

#include <cstddef>

namespace aria::benchmarks {

// Runs `rounds` rounds of independent multiply-adds on one core; gives back how many floating-point operations (two per
// multiply-add) that were. `sink` keeps the compiler from leaving them out.
double multiply_adds(std::size_t rounds, float& sink);

}  // namespace aria::benchmarks
