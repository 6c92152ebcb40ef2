// The step of a search that is to bring some outputs to given values and raise another one: a damped Gauss-Newton step
// for the former, and for the latter a step along the part of its slope that leaves them as they are.
#pragma once

#include <span>

#include "aria/core/matrix.hpp"

namespace aria {

struct StepLimits {
  double damping = 0.01;  // of the Gauss-Newton step, relative to the mean squared length of the slopes
  double radius = 1;      // the longest Gauss-Newton step
  double climb = 0;       // length of the other one
};

// `slopes` has one row per output, the one to raise first; `missing` is what the others lack, each in units of its own
// `scale`. Writes the step and gives the part of the wanted output's slope that is free to climb, its length.
double gauss_newton_step(MatrixView slopes, std::span<const double> missing, std::span<const double> scale,
                         const StepLimits& limits, std::span<float> step);

}  // namespace aria
