// Steps robots of four straight legs.
#pragma once

#include "aria/physics/legged_tables.hpp"
#include "aria/physics/physics_state.hpp"

namespace aria {

// One environment step of all worlds. `actions` is (joints x state.stride).
void legged_step(const LeggedTables& tables, PhysicsState& state, const float* actions);

}  // namespace aria
