// The angle of a joint, and what its limits and its motor do about the hinge.

// Included once per SIMD target.
#if defined(ARIA_PHYSICS_HINGE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ARIA_PHYSICS_HINGE_INL_H_
#undef ARIA_PHYSICS_HINGE_INL_H_
#else
#define ARIA_PHYSICS_HINGE_INL_H_
#endif

#include <hwy/highway.h>

#include "aria/physics/rigid-inl.h"
#include "aria/physics/tables.hpp"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

HWY_INLINE FloatVec HingeAngle(const Axes& parent, const Axes& child, const JointTable& joint) {
  const Space reference = Rotated(child, joint.reference);
  return Atan2(hn::Neg(Dot(Rotated(parent, joint.side), reference)), Dot(Rotated(parent, joint.reference), reference));
}

// Along the hinge, on the parent; the child gets the opposite. Beyond a limit the motor is off and a spring pulls back.
HWY_INLINE FloatVec HingeTorque(FloatVec angle, FloatVec action, const JointTable& joint) {
  const auto lower = Constant(joint.lower);
  const auto upper = Constant(joint.upper);
  const auto motor = hn::Mul(Constant(-joint.strength), action);
  const auto beyond = hn::Sub(angle, hn::Min(hn::Max(angle, lower), upper));
  const auto outside = hn::Or(hn::Lt(angle, lower), hn::Gt(angle, upper));
  return hn::IfThenElse(outside, hn::Mul(Constant(joint.stiffness), beyond), motor);
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
