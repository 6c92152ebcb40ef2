#include "aria/core/simd_target.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/core/simd_target.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// Asks the arithmetic itself: (1 + e)(1 - e) - 1 is -e^2 if fused, 0 if rounded in between.
bool Fuses() {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<float, 1> d;
  const float epsilon = 0x1p-20f;
  const auto result = hn::MulAdd(hn::Set(d, 1.0f + epsilon), hn::Set(d, 1.0f - epsilon), hn::Set(d, -1.0f));
  return hn::GetLane(result) != 0.0f;
}

const char* Name() { return hwy::TargetName(HWY_TARGET); }

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aria {

HWY_EXPORT(Fuses);
HWY_EXPORT(Name);

SimdTarget simd_target() { return {HWY_DYNAMIC_DISPATCH(Name)(), HWY_DYNAMIC_DISPATCH(Fuses)()}; }

}  // namespace aria
#endif  // HWY_ONCE
