// SIMD kernels that run perceptrons; see Mlp for what they are given.
#pragma once

#include <cstddef>
#include <span>

#include "aria/policy/mlp_workspace.hpp"

namespace aria {

// Lanes are a layer's outputs.
void run_own_policies(MlpWorkspace& workspace, std::span<const float* const> policies, const float* inputs,
                      float* outputs, std::size_t stride);

// Lanes are worlds.
void run_shared_policy(MlpWorkspace& workspace, const float* policy, const float* inputs, float* outputs,
                       std::size_t worlds, std::size_t stride);

}  // namespace aria
