#include "aria/policy/mlp.hpp"

#include <cassert>

#include "aria/core/validated.hpp"
#include "aria/policy/mlp_kernels.hpp"

namespace aria {

Mlp::Mlp(const MlpShape& shape) : shape_(validated(shape)), workspace_(shape_) {}

void Mlp::run_own(std::span<const float* const> policies, const float* inputs, float* outputs, std::size_t stride) {
  assert(stride >= policies.size());
  run_own_policies(workspace_, policies, inputs, outputs, stride);
}

void Mlp::run_shared(const float* policy, const float* inputs, float* outputs, std::size_t worlds, std::size_t stride) {
  assert(stride >= worlds && stride % kSharedStride == 0);
  run_shared_policy(workspace_, policy, inputs, outputs, worlds, stride);
}

}  // namespace aria
