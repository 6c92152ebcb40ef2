// The weights that a policy starts with.
#pragma once

#include <cstdint>
#include <span>

#include "aria/core/key.hpp"
#include "aria/policy/mlp_shape.hpp"

namespace aria {

// Weights uniform within +-sqrt(3 / inputs of the layer), so that a unit's variance is that of its inputs (LeCun 1998);
// biases 0. The values depend on key and id alone; `genotype` has shape.parameters() entries.
void initial_policy(const MlpShape& shape, Key key, std::uint32_t id, std::span<float> genotype);

}  // namespace aria
