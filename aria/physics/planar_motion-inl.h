// Bodies of a planar robot: how they turn, and how they meet the ground. A body turned by an angle t about y has the
// quaternion (cos t/2, 0, sin t/2, 0), takes (x, z) to (x cos t + z sin t, z cos t - x sin t), and moves a point of it,
// (x, z) from its centre, by (spin z, -spin x).

// Included once per SIMD target.
#if defined(ARIA_PHYSICS_PLANAR_MOTION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ARIA_PHYSICS_PLANAR_MOTION_INL_H_
#undef ARIA_PHYSICS_PLANAR_MOTION_INL_H_
#else
#define ARIA_PHYSICS_PLANAR_MOTION_INL_H_
#endif

#include <hwy/highway.h>

#include "aria/physics/contact-inl.h"
#include "aria/physics/planar_tables.hpp"
#include "aria/physics/rigid-inl.h"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

struct PlanarMotion {
  FloatVec x, z;
  FloatVec velocity_x, velocity_z, spin;
  FloatVec half_cosine, half_sine;  // of half the angle, times any factor
  FloatVec scale;                   // 2 over the square of that factor
  FloatVec cosine, sine;
  FloatVec half_angle;  // by which it turned in this substep
};

// What the ground does to a body.
struct PlanarContacts {
  FloatVec push_x, push_z;  // changes of velocity
  FloatVec turn;            // change of spin
};

// Cosine and sine of the angle from those of its half.
HWY_INLINE void TakeAxes(PlanarMotion& body) {
  const auto scaled = hn::Mul(body.half_sine, body.scale);
  body.cosine = hn::NegMulAdd(body.half_sine, scaled, Constant(1.0f));
  body.sine = hn::Mul(body.half_cosine, scaled);
}

HWY_INLINE void Rotate(const PlanarMotion& body, float x, float z, FloatVec& to_x, FloatVec& to_z) {
  to_x = hn::MulAdd(Constant(x), body.cosine, hn::Mul(Constant(z), body.sine));
  to_z = hn::NegMulAdd(Constant(x), body.sine, hn::Mul(Constant(z), body.cosine));
}

// Both spheres of a body. Worlds in which none touches are left alone to the bit.
HWY_INLINE void TouchGround(const GroundTable& ground, const PlanarBody& table, PlanarMotion& body,
                            PlanarContacts& sums) {
  const FloatTag d;
  const auto zero = hn::Zero(d);
  FloatVec arm_x[2];
  FloatVec arm_z[2];
  FloatVec bottom[2];
  FloatVec speed_x[2];
  FloatVec speed_z[2];
  FloatMask near[2];
  for (std::size_t i = 0; i < 2; ++i) {
    const PlanarSphere& sphere = table.spheres[i];
    Rotate(body, sphere.x, sphere.z, arm_x[i], arm_z[i]);
    arm_z[i] = hn::Sub(arm_z[i], Constant(sphere.radius));
    bottom[i] = hn::Add(body.z, arm_z[i]);
  }
  if (hn::AllFalse(d, hn::Lt(hn::Min(bottom[0], bottom[1]), zero))) return;
  for (std::size_t i = 0; i < 2; ++i) {
    speed_x[i] = hn::MulAdd(body.spin, arm_z[i], body.velocity_x);
    speed_z[i] = hn::NegMulAdd(body.spin, arm_x[i], body.velocity_z);
    near[i] = hn::And(hn::Lt(bottom[i], zero), hn::Lt(speed_z[i], zero));
  }
  FloatMask active[2];
  FloatVec impulse_x[2];
  FloatVec impulse_z[2];
  for (std::size_t i = 0; i < 2; ++i) {
    // two quotients by one division
    const auto give = hn::MulAdd(arm_x[i], arm_x[i], Constant(table.spheres[i].least_give));
    const auto slip = hn::Abs(speed_x[i]);
    const auto guarded = hn::Add(slip, Constant(kSlipGuard));
    const auto inverse = hn::Div(Constant(1.0f), hn::Mul(give, guarded));
    const auto inverse_give = hn::Mul(inverse, guarded);
    const auto inverse_slip = hn::Mul(inverse, give);
    // on the ground, not on the body: what is nothing then becomes a negative zero, which changes no number that
    // it is added to
    const auto normal = hn::Mul(hn::MulAdd(Constant(ground.push_out), bottom[i], speed_z[i]), inverse_give);
    const auto tangent = hn::Min(hn::Mul(slip, inverse_give), hn::Mul(Constant(-ground.friction), normal));
    active[i] = hn::And(near[i], hn::Lt(normal, zero));
    const auto slides = hn::And(active[i], hn::Gt(slip, Constant(kLeastSlip)));
    impulse_x[i] = hn::IfThenElseZero(slides, hn::Mul(tangent, hn::Mul(inverse_slip, speed_x[i])));
    impulse_z[i] = hn::IfThenElseZero(active[i], normal);
  }
  // the mean where both touch
  const auto share = hn::IfThenElse(hn::And(active[0], active[1]), Constant(-0.5f), Constant(-1.0f));
  const auto mass_share = hn::Mul(share, Constant(table.inverse_mass));
  const auto push_x = hn::Mul(mass_share, hn::Add(impulse_x[0], impulse_x[1]));
  const auto push_z = hn::Mul(mass_share, hn::Add(impulse_z[0], impulse_z[1]));
  const auto lever_x = hn::MulAdd(arm_z[0], impulse_x[0], hn::Mul(arm_z[1], impulse_x[1]));
  const auto lever_z = hn::MulAdd(arm_x[0], impulse_z[0], hn::Mul(arm_x[1], impulse_z[1]));
  const auto turn = hn::Mul(share, hn::Sub(lever_x, lever_z));
  body.velocity_x = hn::Add(body.velocity_x, push_x);
  body.velocity_z = hn::Add(body.velocity_z, push_z);
  body.spin = hn::IfThenElse(hn::Or(active[0], active[1]), hn::Add(body.spin, turn), body.spin);
  sums.push_x = hn::Add(sums.push_x, push_x);
  sums.push_z = hn::Add(sums.push_z, push_z);
  sums.turn = hn::Add(sums.turn, turn);
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
