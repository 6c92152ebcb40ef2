// Spheres of a body against the ground, the plane z = 0: impulses that stop them and push them out, with friction.

// Included once per SIMD target.
#if defined(ARIA_PHYSICS_CONTACT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ARIA_PHYSICS_CONTACT_INL_H_
#undef ARIA_PHYSICS_CONTACT_INL_H_
#else
#define ARIA_PHYSICS_CONTACT_INL_H_
#endif

#include <hwy/highway.h>

#include "aria/physics/rigid-inl.h"
#include "aria/physics/tables.hpp"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

inline constexpr float kLeastSlip = 0.01f;  // m/s; slower contacts feel no friction
inline constexpr float kSlipGuard = 1e-6f;  // m/s; keeps the direction of a slip finite

// What one sphere does to its body. All is zero where `active` is not.
struct Impulse {
  FloatMask active;
  Space push;  // change of velocity
  Space turn;  // change of spin
};

// How a sphere moves where it may touch.
struct Meeting {
  Space speed;
  FloatVec slip;                        // along the ground
  FloatVec inverse_give, inverse_slip;  // give: change of speed per impulse
};

struct StoredMeeting {
  StoredSpace speed;
  FloatVec slip, inverse_give, inverse_slip;

  HWY_INLINE operator Meeting() const { return {speed, slip, inverse_give, inverse_slip}; }  // NOLINT
  HWY_INLINE void operator=(const Meeting& meeting) {                                        // NOLINT
    speed = meeting.speed;
    slip = meeting.slip;
    inverse_give = meeting.inverse_give;
    inverse_slip = meeting.inverse_slip;
  }
};

// `arm` goes from the centre of mass to the lowest point of the sphere.
HWY_INLINE Meeting Meet(FloatVec inverse_mass, Space velocity, Space spin, Space arm) {
  const auto speed = CrossAdd(spin, arm, velocity);
  const auto give = hn::MulAdd(arm.x, arm.x, hn::MulAdd(arm.y, arm.y, inverse_mass));
  const auto slip = hn::Sqrt(hn::MulAdd(speed.x, speed.x, hn::Mul(speed.y, speed.y)));
  // two quotients by one division
  const auto guarded = hn::Add(slip, Constant(kSlipGuard));
  const auto inverse = hn::Div(Constant(1.0f), hn::Mul(give, guarded));
  return {speed, slip, hn::Mul(inverse, guarded), hn::Mul(inverse, give)};
}

HWY_INLINE Impulse Touch(const GroundTable& ground, FloatVec inverse_mass, FloatVec height, Space arm,
                         const Meeting& meeting) {
  const auto zero = hn::Zero(FloatTag());
  const auto [speed, slip, inverse_give, inverse_slip] = meeting;
  const auto bottom = hn::Add(height, arm.z);
  const auto wanted = hn::MulAdd(Constant(ground.push_out), bottom, speed.z);
  const auto normal = hn::Mul(hn::Neg(wanted), inverse_give);
  const auto tangent = hn::Min(hn::Mul(slip, inverse_give), hn::Mul(Constant(ground.friction), normal));
  const auto active = hn::And(hn::And(hn::Lt(bottom, zero), hn::Lt(speed.z, zero)), hn::Gt(normal, zero));
  const auto slides = hn::And(active, hn::Gt(slip, Constant(kLeastSlip)));
  const auto drag = hn::IfThenElseZero(slides, hn::Mul(hn::Neg(tangent), inverse_slip));
  const Space impulse = {hn::Mul(drag, speed.x), hn::Mul(drag, speed.y), hn::IfThenElseZero(active, normal)};
  return {active, inverse_mass * impulse, Cross(arm, impulse)};
}

// The mean of the impulses of those spheres of a body that touch.
HWY_INLINE void TouchGround(const PhysicsTables& tables, const BodyTable& body, FloatVec height, const Axes& axes,
                            Space velocity, Space spin, Space& push, Space& turn) {
  const auto one = Constant(1.0f);
  auto count = hn::Zero(FloatTag());
  push = turn = ZeroSpace();
  for (std::size_t i = body.first_sphere; i < body.end_sphere; ++i) {
    const SphereTable& sphere = tables.spheres[i];
    Space arm = Rotated(axes, sphere.centre);
    arm.z = hn::Sub(arm.z, Constant(sphere.radius));
    const auto inverse_mass = Constant(body.inverse_mass);
    const Impulse impulse = Touch(tables.ground, inverse_mass, height, arm, Meet(inverse_mass, velocity, spin, arm));
    push = push + impulse.push;
    turn = turn + impulse.turn;
    count = hn::Add(count, hn::IfThenElseZero(impulse.active, one));
  }
  const auto share = hn::Div(one, hn::Max(count, one));
  push = share * push;
  turn = share * turn;
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
