#include "aria/physics/planar_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/physics/planar_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "aria/physics/contact-inl.h"
#include "aria/physics/rigid-inl.h"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// One vector of worlds during an environment step. A body turned by an angle t about y has the quaternion
// (cos t/2, 0, sin t/2, 0), takes (x, z) to (x cos t + z sin t, z cos t - x sin t), and moves a point at (x, z) from
// its centre by (spin z, -spin x).
class PlanarWorlds {
 public:
  PlanarWorlds(const PlanarTables& tables, PhysicsState& state, std::size_t lane)
      : t_(tables), state_(state), lane_(lane) {}

  HWY_INLINE void Load(const float* actions) {
    const FloatTag d;
    const std::size_t stride = state_.stride;
    const float* position = state_.position.data() + lane_;
    const float* rotation = state_.rotation.data() + lane_;
    const float* velocity = state_.velocity.data() + lane_;
    const float* spin = state_.spin.data() + lane_;
    const std::size_t bodies = t_.bodies.size();
    for (std::size_t b = 0; b < bodies; ++b) {
      Body& body = body_[b];
      body.x = hn::LoadU(d, position);
      body.z = hn::LoadU(d, position + 2 * stride);
      const auto half_cosine = hn::LoadU(d, rotation);
      const auto half_sine = hn::LoadU(d, rotation + 2 * stride);
      body.half_cosine = half_cosine;
      body.half_sine = half_sine;
      body.scale = hn::Div(Constant(2.0f), hn::MulAdd(half_cosine, half_cosine, hn::Mul(half_sine, half_sine)));
      body.velocity_x = hn::LoadU(d, velocity);
      body.velocity_z = hn::LoadU(d, velocity + 2 * stride);
      body.spin = hn::LoadU(d, spin + stride);
      push_[b] = ZeroSpace();
      turn_[b] = ZeroSpace();
      position += 3 * stride;
      rotation += 4 * stride;
      velocity += 3 * stride;
      spin += 3 * stride;
    }
    const std::size_t joints = t_.joints.size();
    const auto motor = Constant(-t_.motor);
    for (std::size_t j = 0; j < joints; ++j) {
      motor_[j] = hn::Mul(hn::LoadU(d, actions + j * stride + lane_), motor);
    }
  }

  HWY_INLINE void Substep() {
    Move();
    Bend();
    Stretch();
    Accelerate();
    MeetGround();
  }

  HWY_INLINE void Store() {
    const FloatTag d;
    const std::size_t stride = state_.stride;
    const std::size_t bodies = t_.bodies.size();
    StoreBodies(bodies, stride);
    float* push = state_.contact_push.data() + lane_;
    float* turn = state_.contact_turn.data() + lane_;
    for (std::size_t b = 0; b < bodies; ++b) {
      hn::StoreU(push_[b].x, d, push + 3 * b * stride);
      hn::StoreU(push_[b].z, d, push + (3 * b + 2) * stride);
      StoreSpace(turn_[b], turn + 3 * b * stride, stride);
    }
    float* angle = state_.joint_angle.data() + lane_;
    float* rate = state_.joint_rate.data() + lane_;
    const std::size_t joints = t_.joints.size();
    const PlanarJoint* joint = t_.joints.data();
    for (std::size_t j = 0; j < joints; ++j) {
      const auto difference = hn::Sub(body_[joint[j].child].spin, body_[joint[j].parent].spin);
      hn::StoreU(angle_[j], d, angle + j * stride);
      hn::StoreU(difference, d, rate + j * stride);
    }
  }

 private:
  struct Body {
    FloatVec x, z;
    FloatVec velocity_x, velocity_z, spin;
    FloatVec half_cosine, half_sine;  // of half the angle, times any factor
    FloatVec scale;                   // 2 over the square of that factor
    FloatVec cosine, sine;
    FloatVec pull_x, pull_z, torque;  // of the springs, over stiffness
  };

  // What is zero in every state of a planar robot is left alone: it would be a third of what there is to write.
  HWY_INLINE void StoreBodies(std::size_t bodies, std::size_t stride) {
    const FloatTag d;
    float* position = state_.position.data() + lane_;
    float* rotation = state_.rotation.data() + lane_;
    float* velocity = state_.velocity.data() + lane_;
    float* spin = state_.spin.data() + lane_;
    for (std::size_t b = 0; b < bodies; ++b) {
      const Body& body = body_[b];
      const auto inverse_norm = hn::Sqrt(hn::Mul(body.scale, Constant(0.5f)));
      hn::StoreU(body.x, d, position);
      hn::StoreU(body.z, d, position + 2 * stride);
      hn::StoreU(hn::Mul(body.half_cosine, inverse_norm), d, rotation);
      hn::StoreU(hn::Mul(body.half_sine, inverse_norm), d, rotation + 2 * stride);
      hn::StoreU(body.velocity_x, d, velocity);
      hn::StoreU(body.velocity_z, d, velocity + 2 * stride);
      hn::StoreU(body.spin, d, spin + stride);
      position += 3 * stride;
      rotation += 4 * stride;
      velocity += 3 * stride;
      spin += 3 * stride;
    }
  }

  HWY_INLINE void Move() {
    const auto substep = Constant(t_.substep);
    const auto half = Constant(0.5f * t_.substep);
    const auto one = Constant(1.0f);
    const std::size_t bodies = t_.bodies.size();
    for (std::size_t b = 0; b < bodies; ++b) {
      Body& body = body_[b];
      body.x = hn::MulAdd(substep, body.velocity_x, body.x);
      body.z = hn::MulAdd(substep, body.velocity_z, body.z);
      const auto half_turn = hn::Mul(half, body.spin);
      const auto cosine = hn::NegMulAdd(half_turn, body.half_sine, body.half_cosine);
      const auto sine = hn::MulAdd(half_turn, body.half_cosine, body.half_sine);
      const auto scale = hn::Div(body.scale, hn::MulAdd(half_turn, half_turn, one));
      const auto scaled = hn::Mul(sine, scale);
      body.half_cosine = cosine;
      body.half_sine = sine;
      body.scale = scale;
      body.cosine = hn::NegMulAdd(sine, scaled, one);
      body.sine = hn::Mul(cosine, scaled);
    }
  }

  // Angles of the joints, and the torques of limits and motors, over stiffness. Two at a time: one alone waits
  // for itself.
  HWY_INLINE void Bend() {
    constexpr std::size_t kAtOnce = 2;
    const std::size_t joints = t_.joints.size();
    const PlanarJoint* table = t_.joints.data();
    for (std::size_t first = 0; first < joints; first += kAtOnce) {
      std::size_t j[kAtOnce];
      FloatVec y[kAtOnce];
      FloatVec x[kAtOnce];
      FloatVec angle[kAtOnce];
      for (std::size_t i = 0; i < kAtOnce; ++i) {
        j[i] = first + i < joints ? first + i : first;
        const PlanarJoint& joint = table[j[i]];
        const Body& parent = body_[joint.parent];
        const Body& child = body_[joint.child];
        // not fused, so that equal angles differ by nothing
        y[i] = hn::Sub(hn::Mul(parent.sine, child.cosine), hn::Mul(parent.cosine, child.sine));
        x[i] = hn::MulAdd(parent.cosine, child.cosine, hn::Mul(parent.sine, child.sine));
      }
      Atan2(y, x, angle);
      for (std::size_t i = 0; i < kAtOnce; ++i) {
        const PlanarJoint& joint = table[j[i]];
        const auto within = hn::Min(hn::Max(angle[i], Constant(joint.lower)), Constant(joint.upper));
        const auto beyond = hn::Sub(angle[i], within);
        const auto torque = hn::IfThenElse(hn::Eq(beyond, hn::Zero(FloatTag())), motor_[j[i]], beyond);
        angle_[j[i]] = angle[i];
        torque_[j[i]] = torque;
      }
    }
  }

  // A spring with damping acts as one without it between points that run ahead by damping over stiffness.
  HWY_INLINE void Stretch() {
    const auto lead = Constant(t_.spring_lead);
    body_[0].pull_x = body_[0].pull_z = body_[0].torque = hn::Zero(FloatTag());
    const auto drag = Constant(t_.spin_drag);
    const std::size_t joints = t_.joints.size();
    const PlanarJoint* table = t_.joints.data();
    for (std::size_t j = 0; j < joints; ++j) {
      const PlanarJoint& joint = table[j];
      Body& parent = body_[joint.parent];
      Body& child = body_[joint.child];
      const auto parent_x = hn::Mul(Constant(joint.parent_z), parent.sine);
      const auto parent_z = hn::Mul(Constant(joint.parent_z), parent.cosine);
      FloatVec child_x;
      FloatVec child_z;
      Rotate(child, joint.child_x, joint.child_z, child_x, child_z);
      // differences of positions come first: they are small, and so are their roundings
      const auto gap_x = hn::Add(hn::Sub(parent.x, child.x), hn::Sub(parent_x, child_x));
      const auto gap_z = hn::Add(hn::Sub(parent.z, child.z), hn::Sub(parent_z, child_z));
      const auto speed_x = hn::NegMulAdd(
          child.spin, child_z, hn::MulAdd(parent.spin, parent_z, hn::Sub(parent.velocity_x, child.velocity_x)));
      const auto speed_z = hn::MulAdd(
          child.spin, child_x, hn::NegMulAdd(parent.spin, parent_x, hn::Sub(parent.velocity_z, child.velocity_z)));
      const auto pull_x = hn::MulAdd(lead, speed_x, gap_x);
      const auto pull_z = hn::MulAdd(lead, speed_z, gap_z);
      // on the child; hinges turn against y
      const auto torque = hn::MulAdd(drag, hn::Sub(parent.spin, child.spin), torque_[j]);
      parent.pull_x = hn::Sub(parent.pull_x, pull_x);
      parent.pull_z = hn::Sub(parent.pull_z, pull_z);
      parent.torque = hn::NegMulAdd(parent_z, pull_x, hn::MulAdd(parent_x, pull_z, hn::Sub(parent.torque, torque)));
      // a body is child of one joint, which comes before those that it is the parent of
      child.pull_x = pull_x;
      child.pull_z = pull_z;
      child.torque = hn::NegMulAdd(child_x, pull_z, hn::MulAdd(child_z, pull_x, torque));
    }
  }

  static HWY_INLINE void Rotate(const Body& body, float x, float z, FloatVec& to_x, FloatVec& to_z) {
    to_x = hn::MulAdd(Constant(x), body.cosine, hn::Mul(Constant(z), body.sine));
    to_z = hn::NegMulAdd(Constant(x), body.sine, hn::Mul(Constant(z), body.cosine));
  }

  HWY_INLINE void Accelerate() {
    const auto keep = Constant(t_.velocity_factor);
    const auto fall = Constant(t_.fall);
    const auto turn = Constant(t_.turn);
    const auto keep_spin = Constant(t_.spin_factor);
    const std::size_t bodies = t_.bodies.size();
    const PlanarBody* table = t_.bodies.data();
    for (std::size_t b = 0; b < bodies; ++b) {
      Body& body = body_[b];
      const auto push = Constant(table[b].push);
      body.velocity_x = hn::MulAdd(push, body.pull_x, hn::Mul(keep, body.velocity_x));
      body.velocity_z = hn::MulAdd(push, body.pull_z, hn::MulAdd(keep, body.velocity_z, fall));
      body.spin = hn::MulAdd(turn, body.torque, hn::Mul(keep_spin, body.spin));
    }
  }

  // Most bodies are too high to touch the ground in any world.
  HWY_INLINE void MeetGround() {
    const std::size_t bodies = t_.bodies.size();
    const PlanarBody* tables = t_.bodies.data();
    for (std::size_t b = 0; b < bodies; ++b) {
      const PlanarBody& table = tables[b];
      if (!table.touches) continue;
      if (hn::AllTrue(FloatTag(), hn::Gt(body_[b].z, Constant(table.reach)))) continue;
      MeetGround(table, body_[b], push_[b], turn_[b]);
    }
  }

  // Both spheres of a body. Worlds in which none touches are left alone to the bit.
  HWY_INLINE void MeetGround(const PlanarBody& table, Body& body, StoredSpace& push_sum, StoredSpace& turn_sum) {
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
      const auto wanted = hn::MulAdd(Constant(t_.ground.push_out), bottom[i], speed_z[i]);
      const auto normal = hn::Mul(hn::Neg(wanted), inverse_give);
      const auto tangent = hn::Min(hn::Mul(slip, inverse_give), hn::Mul(Constant(t_.ground.friction), normal));
      active[i] = hn::And(near[i], hn::Gt(normal, zero));
      const auto slides = hn::And(active[i], hn::Gt(slip, Constant(kLeastSlip)));
      impulse_x[i] = hn::IfThenElseZero(slides, hn::Mul(hn::Neg(tangent), hn::Mul(inverse_slip, speed_x[i])));
      impulse_z[i] = hn::IfThenElseZero(active[i], normal);
    }
    // the mean where both touch
    const auto share = hn::IfThenElse(hn::And(active[0], active[1]), Constant(0.5f), Constant(1.0f));
    const auto any = hn::Or(active[0], active[1]);
    const auto mass_share = hn::Mul(share, Constant(table.inverse_mass));
    const Space push = {hn::Mul(mass_share, hn::Add(impulse_x[0], impulse_x[1])), zero,
                        hn::Mul(mass_share, hn::Add(impulse_z[0], impulse_z[1]))};
    const auto turn0 = hn::MulSub(arm_z[0], impulse_x[0], hn::Mul(arm_x[0], impulse_z[0]));
    const auto turn1 = hn::MulSub(arm_z[1], impulse_x[1], hn::Mul(arm_x[1], impulse_z[1]));
    const auto y0 = Constant(table.spheres[0].y);
    const auto y1 = Constant(table.spheres[1].y);
    const Space turn = {hn::Mul(share, hn::MulAdd(y0, impulse_z[0], hn::Mul(y1, impulse_z[1]))),
                        hn::Mul(share, hn::Add(turn0, turn1)),
                        hn::Mul(share, hn::NegMulAdd(y0, impulse_x[0], hn::Mul(hn::Neg(y1), impulse_x[1])))};
    body.velocity_x = hn::IfThenElse(any, hn::Add(body.velocity_x, push.x), body.velocity_x);
    body.velocity_z = hn::IfThenElse(any, hn::Add(body.velocity_z, push.z), body.velocity_z);
    body.spin = hn::IfThenElse(any, hn::Add(body.spin, turn.y), body.spin);
    push_sum = push_sum + push;
    turn_sum = turn_sum + turn;
  }

  const PlanarTables& t_;
  PhysicsState& state_;
  std::size_t lane_;  // the first world of the vector
  Body body_[kMaxBodies];
  StoredSpace push_[kMaxBodies], turn_[kMaxBodies];                      // sums over the substeps
  FloatVec motor_[kMaxBodies], angle_[kMaxBodies], torque_[kMaxBodies];  // (joints)
};

void PlanarStep(const PlanarTables& tables, PhysicsState& state, const float* actions) {
  StepVectors<PlanarWorlds>(tables, state, actions);
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aria {

HWY_EXPORT(PlanarStep);

void planar_step(const PlanarTables& tables, PhysicsState& state, const float* actions) {
  HWY_DYNAMIC_DISPATCH(PlanarStep)(tables, state, actions);
}

}  // namespace aria
#endif  // HWY_ONCE
