// Slopes of several outputs of an evaluation (fitness, each coordinate of the descriptor) along the parameters,
// estimated apart from the same mirrored samples and remembered from step to step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "aria/core/key.hpp"
#include "aria/core/matrix.hpp"

namespace aria {

// The mirrored samples around one solution. A pair that is not `usable` is left out: one of its evaluations failed.
struct PairSamples {
  Key key;               // of the request, names the noise
  std::uint32_t id = 0;  // of the centre, likewise
  double sigma = 0;
  MatrixView differences;                // (pairs x outputs) half of value(+noise) - value(-noise)
  std::span<const std::uint8_t> usable;  // (pairs)
};

// Moves `slopes` (outputs x parameters) to what explains the samples best, where what was believed before counts as
// much as `memory` pairs: ridge regression around the old slopes. With many parameters for few pairs, where pairs are
// nearly orthogonal, its solution has a closed form that needs no matrix.
void update_slopes(const PairSamples& samples, double memory, MutableMatrixView slopes);

}  // namespace aria
