// Writes out the solutions that a request stands for, for tasks that take plain solutions.
#pragma once

#include <cstddef>

#include "aria/core/matrix.hpp"
#include "aria/task/sample_request.hpp"

namespace aria {

// Row i of `solutions` becomes the solution of evaluation first + i.
void draw_solutions(const SampleRequest& request, std::size_t first, MutableMatrixView solutions);

}  // namespace aria
