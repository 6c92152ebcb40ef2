// What both kernels do to a layer's sums.

// Included once per SIMD target.
#if defined(ARIA_POLICY_MLP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ARIA_POLICY_MLP_INL_H_
#undef ARIA_POLICY_MLP_INL_H_
#else
#define ARIA_POLICY_MLP_INL_H_
#endif

#include <hwy/highway.h>

#include "aria/core/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// Of a hidden layer. NaN stays NaN, so that it reaches the actions and is found there; a maximum would hide it.
HWY_INLINE FloatVec Rectified(FloatVec sum) {
  const auto zero = hn::Zero(FloatTag());
  return hn::IfThenZeroElse(hn::Lt(sum, zero), sum);
}

// Of the last layer. Whether an input of zero was left out can show in the sign of a sum that is zero, and nowhere
// else: adding 0 makes it positive.
HWY_INLINE FloatVec Action(FloatVec sum) { return Tanh(hn::Add(sum, hn::Zero(FloatTag()))); }

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
