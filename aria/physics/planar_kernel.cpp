#include "aria/physics/planar_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/physics/planar_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "aria/physics/planar_motion-inl.h"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// One vector of worlds during an environment step.
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
      PlanarMotion& body = body_[b];
      body.x = hn::LoadU(d, position);
      body.z = hn::LoadU(d, position + 2 * stride);
      const auto half_cosine = hn::LoadU(d, rotation);
      const auto half_sine = hn::LoadU(d, rotation + 2 * stride);
      body.half_cosine = half_cosine;
      body.half_sine = half_sine;
      body.scale = hn::Div(Constant(2.0f), hn::MulAdd(half_cosine, half_cosine, hn::Mul(half_sine, half_sine)));
      TakeAxes(body);
      body.velocity_x = hn::LoadU(d, velocity);
      body.velocity_z = hn::LoadU(d, velocity + 2 * stride);
      body.spin = hn::LoadU(d, spin + stride);
      contacts_[b].push_x = contacts_[b].push_z = contacts_[b].turn = hn::Zero(d);
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
    FindAngles(angle_);
    pulls_[bodies].x = pulls_[bodies].z = pulls_[bodies].torque = hn::Zero(d);
  }

  HWY_INLINE void Substep() {
    Move();
    Bend();
    Pull();
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
      const PlanarContacts& contacts = contacts_[b];
      // about the other axes by the lever along y, which all spheres of a body have in common
      const auto lever = Constant(t_.bodies[b].lever);
      hn::StoreU(contacts.push_x, d, push + 3 * b * stride);
      hn::StoreU(contacts.push_z, d, push + (3 * b + 2) * stride);
      StoreSpace({hn::Mul(lever, contacts.push_z), contacts.turn, hn::Mul(hn::Neg(lever), contacts.push_x)},
                 turn + 3 * b * stride, stride);
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
  // What joints do to a body, over stiffness.
  struct Pulls {
    FloatVec x, z, torque;
  };

  // What is zero in every state of a planar robot is left alone: it would be a third of what there is to write.
  HWY_INLINE void StoreBodies(std::size_t bodies, std::size_t stride) {
    const FloatTag d;
    float* position = state_.position.data() + lane_;
    float* rotation = state_.rotation.data() + lane_;
    float* velocity = state_.velocity.data() + lane_;
    float* spin = state_.spin.data() + lane_;
    for (std::size_t b = 0; b < bodies; ++b) {
      const PlanarMotion& body = body_[b];
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
    auto fastest = hn::Zero(FloatTag());
    for (std::size_t b = 0; b < bodies; ++b) {
      PlanarMotion& body = body_[b];
      body.x = hn::MulAdd(substep, body.velocity_x, body.x);
      body.z = hn::MulAdd(substep, body.velocity_z, body.z);
      const auto half_turn = hn::Mul(half, body.spin);
      const auto square = hn::Mul(half_turn, half_turn);
      const auto cosine = hn::NegMulAdd(half_turn, body.half_sine, body.half_cosine);
      const auto sine = hn::MulAdd(half_turn, body.half_cosine, body.half_sine);
      body.half_cosine = cosine;
      body.half_sine = sine;
      body.scale = hn::Div(body.scale, hn::Add(square, one));
      TakeAxes(body);
      body.half_angle = SmallAtan(half_turn, square);
      fastest = hn::Max(fastest, square);
    }
    fastest_ = fastest;
  }

  // Angles of the joints as the bodies stand. Two at a time: one alone waits for itself.
  HWY_INLINE void FindAngles(FloatVec* angles) const {
    constexpr std::size_t kAtOnce = 2;
    const std::size_t joints = t_.joints.size();
    const PlanarJoint* table = t_.joints.data();
    for (std::size_t first = 0; first < joints; first += kAtOnce) {
      FloatVec y[kAtOnce];
      FloatVec x[kAtOnce];
      FloatVec angle[kAtOnce];
      for (std::size_t i = 0; i < kAtOnce; ++i) {
        const PlanarJoint& joint = table[first + i < joints ? first + i : first];
        const PlanarMotion& parent = body_[joint.parent];
        const PlanarMotion& child = body_[joint.child];
        // not fused, so that equal angles differ by nothing
        y[i] = hn::Sub(hn::Mul(parent.sine, child.cosine), hn::Mul(parent.cosine, child.sine));
        x[i] = hn::MulAdd(parent.cosine, child.cosine, hn::Mul(parent.sine, child.sine));
      }
      Atan2(y, x, angle);
      for (std::size_t i = 0; i < kAtOnce && first + i < joints; ++i) angles[first + i] = angle[i];
    }
  }

  // Angles of the joints follow the turns of their bodies, which takes a third of what finding them anew does; they are
  // found only where a turn is large or an angle comes round.
  HWY_INLINE void Bend() {
    const FloatTag d;
    const auto two = Constant(2.0f);
    const std::size_t joints = t_.joints.size();
    const PlanarJoint* table = t_.joints.data();
    auto widest = hn::Zero(d);
    for (std::size_t j = 0; j < joints; ++j) {
      const auto turn = hn::Sub(body_[table[j].parent].half_angle, body_[table[j].child].half_angle);
      angle_[j] = hn::MulAdd(two, turn, angle_[j]);
      widest = hn::Max(widest, hn::Abs(angle_[j]));
    }
    const auto follows =
        hn::And(hn::Le(fastest_, Constant(kSmallAtanLimit * kSmallAtanLimit)), hn::Le(widest, Constant(kPi)));
    if (!hn::AllTrue(d, follows)) FindAnglesUnless(follows);
  }

  HWY_NOINLINE void FindAnglesUnless(FloatMask follows) {
    FloatVec found[kMaxBodies];
    FindAngles(found);
    const std::size_t joints = t_.joints.size();
    for (std::size_t j = 0; j < joints; ++j) angle_[j] = hn::IfThenElse(follows, angle_[j], found[j]);
  }

  // Of a limit where the angle is beyond one, else of the motor; over stiffness.
  HWY_INLINE FloatVec Torque(std::size_t j, const PlanarJoint& joint) const {
    const auto within = hn::Min(hn::Max(angle_[j], Constant(joint.lower)), Constant(joint.upper));
    const auto beyond = hn::Sub(angle_[j], within);
    return hn::IfThenElse(hn::Eq(beyond, hn::Zero(FloatTag())), motor_[j], beyond);
  }

  // From the last joint to the first: a body is the child of one joint, which comes before those that it is the parent
  // of, so with it all that pulls at the body is known. A spring with damping acts as one without it between points
  // that run ahead by damping over stiffness.
  HWY_INLINE void Pull() {
    const auto lead = Constant(t_.spring_lead);
    const auto drag = Constant(t_.spin_drag);
    const PlanarJoint* table = t_.joints.data();
    const PlanarBody* bodies = t_.bodies.data();
    for (std::size_t j = t_.joints.size(); j-- > 0;) {
      const PlanarJoint& joint = table[j];
      const PlanarMotion& parent = body_[joint.parent];
      PlanarMotion& child = body_[joint.child];
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
      const auto torque = hn::MulAdd(drag, hn::Sub(parent.spin, child.spin), Torque(j, joint));
      const Pulls& before = pulls_[joint.parent_pulls];
      const auto parent_torque =
          hn::NegMulAdd(parent_z, pull_x, hn::MulAdd(parent_x, pull_z, hn::Sub(before.torque, torque)));
      const auto back_x = hn::Sub(before.x, pull_x);
      const auto back_z = hn::Sub(before.z, pull_z);
      Pulls& after = pulls_[joint.parent];
      after.x = back_x;
      after.z = back_z;
      after.torque = parent_torque;
      const Pulls& own = pulls_[joint.child_pulls];
      Accelerate(child, bodies[joint.child], hn::Add(own.x, pull_x), hn::Add(own.z, pull_z),
                 hn::NegMulAdd(child_x, pull_z, hn::MulAdd(child_z, pull_x, hn::Add(own.torque, torque))));
    }
    Accelerate(body_[0], bodies[0], pulls_[0].x, pulls_[0].z, pulls_[0].torque);
  }

  HWY_INLINE void Accelerate(PlanarMotion& body, const PlanarBody& table, FloatVec x, FloatVec z,
                             FloatVec torque) const {
    const auto push = Constant(table.push);
    const auto keep = Constant(t_.velocity_factor);
    body.velocity_x = hn::MulAdd(push, x, hn::Mul(keep, body.velocity_x));
    body.velocity_z = hn::MulAdd(push, z, hn::MulAdd(keep, body.velocity_z, Constant(t_.fall)));
    body.spin = hn::MulAdd(Constant(t_.turn), torque, hn::Mul(Constant(t_.spin_factor), body.spin));
  }

  // Most bodies are too high to touch the ground in any world.
  HWY_INLINE void MeetGround() {
    const std::size_t bodies = t_.bodies.size();
    const PlanarBody* tables = t_.bodies.data();
    for (std::size_t b = 0; b < bodies; ++b) {
      const PlanarBody& table = tables[b];
      if (!table.touches) continue;
      if (hn::AllTrue(FloatTag(), hn::Gt(body_[b].z, Constant(table.reach)))) continue;
      TouchGround(t_.ground, table, body_[b], contacts_[b]);
    }
  }

  const PlanarTables& t_;
  PhysicsState& state_;
  std::size_t lane_;  // the first world of the vector
  PlanarMotion body_[kMaxBodies];
  PlanarContacts contacts_[kMaxBodies];             // sums over the substeps
  Pulls pulls_[kMaxBodies + 1];                     // (bodies), then one of nothing
  FloatVec fastest_;                                // square of the largest tangent of half a turn in this substep
  FloatVec motor_[kMaxBodies], angle_[kMaxBodies];  // (joints)
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
