// Steps robots that move in a plane.
#pragma once

#include "aria/physics/physics_state.hpp"
#include "aria/physics/planar_tables.hpp"

namespace aria {

// One environment step of all worlds. `actions` is (joints x state.stride).
void planar_step(const PlanarTables& tables, PhysicsState& state, const float* actions);

}  // namespace aria
