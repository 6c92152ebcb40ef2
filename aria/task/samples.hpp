// Writes out the solutions that a request stands for, for tasks that take plain solutions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "aria/core/matrix.hpp"
#include "aria/task/sample_request.hpp"

namespace aria {

// The stream of noise that a sample takes, which mirrored ones share by twos, and what its noise is multiplied by.
inline std::uint32_t noise_stream(const SampleRequest& request, std::size_t sample) {
  return static_cast<std::uint32_t>(request.mirrored ? sample / 2 : sample);
}
inline float noise_scale(const SampleRequest& request, std::size_t sample) {
  return request.mirrored && sample % 2 == 1 ? -request.sigma : request.sigma;
}

// Row i of `solutions` becomes the solution of evaluation first + i.
void draw_solutions(const SampleRequest& request, std::size_t first, MutableMatrixView solutions);

}  // namespace aria
