// Puts the robots of all worlds back to their start.
#pragma once

#include <cstddef>

#include "aria/physics/physics_state.hpp"
#include "aria/physics/tables.hpp"

namespace aria {

// `angle_noise` and `rate_noise` are (joints x state.stride).
void reset_worlds(const PhysicsTables& tables, PhysicsState& state, const float* angle_noise, const float* rate_noise);

// Worlds in a vector of the kernels.
std::size_t kernel_lanes();

}  // namespace aria
