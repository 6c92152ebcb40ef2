// Which SIMD instructions the kernels use on this machine.
#pragma once

#include <string>

namespace aria {

struct SimdTarget {
  std::string name;         // as Highway calls it, e.g. "AVX2"
  bool fused_multiply_add;  // without it, results may differ in the last bits from those of other machines
};

SimdTarget simd_target();

}  // namespace aria
