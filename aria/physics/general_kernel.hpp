// Steps any model.
#pragma once

#include "aria/physics/physics_state.hpp"
#include "aria/physics/tables.hpp"

namespace aria {

// One environment step of all worlds. `actions` is (joints x state.stride).
void general_step(const PhysicsTables& tables, PhysicsState& state, const float* actions);

}  // namespace aria
