// Runs a test on every SIMD target that this CPU has and the kernels were compiled for, the portable one included.
#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cstdint>
#include <vector>

#include "aria/core/simd_target.hpp"

namespace aria::testing {

// While it lives, kernels use this target; afterwards the best one again.
class ScopedSimdTarget {
 public:
  explicit ScopedSimdTarget(std::int64_t target) { hwy::SetSupportedTargetsForTest(target); }
  ~ScopedSimdTarget() { hwy::SetSupportedTargetsForTest(0); }
  ScopedSimdTarget(const ScopedSimdTarget&) = delete;
  ScopedSimdTarget& operator=(const ScopedSimdTarget&) = delete;
};

// Best first. The portable target is always there, though a CPU does not list it among what it supports.
inline std::vector<std::int64_t> simd_targets() {
  std::vector<std::int64_t> result;
  const std::int64_t usable = (hwy::SupportedTargets() | HWY_SCALAR | HWY_EMU128) & HWY_TARGETS;
  for (std::int64_t rest = usable; rest != 0; rest &= rest - 1) result.push_back(rest & -rest);
  return result;
}

// Calls body(fused), where `fused` tells whether the target has fused multiply-add: those must agree bit for bit.
template <class F>
void for_each_simd_target(const F& body) {
  for (const std::int64_t target : simd_targets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    const ScopedSimdTarget scope(target);
    ASSERT_EQ(simd_target().name, hwy::TargetName(target));
    body(simd_target().fused_multiply_add);
  }
}

}  // namespace aria::testing
