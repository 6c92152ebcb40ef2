#include "aria/physics/general_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/physics/general_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "aria/physics/contact-inl.h"
#include "aria/physics/hinge-inl.h"
#include "aria/physics/rigid-inl.h"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// One vector of worlds during an environment step.
class GeneralWorlds {
 public:
  GeneralWorlds(const PhysicsTables& tables, PhysicsState& state, std::size_t lane)
      : tables_(tables), state_(state), lane_(lane), bodies_(tables.bodies.size()) {}

  HWY_INLINE void Load(const float* actions) {
    actions_ = actions;
    const std::size_t stride = state_.stride;
    for (std::size_t b = 0; b < bodies_; ++b) {
      position_[b] = LoadSpace(&state_.position[3 * b * stride + lane_], stride);
      rotation_[b] = LoadQuaternion(&state_.rotation[4 * b * stride + lane_], stride);
      velocity_[b] = InPlane(LoadSpace(&state_.velocity[3 * b * stride + lane_], stride));
      spin_[b] = AboutPlane(LoadSpace(&state_.spin[3 * b * stride + lane_], stride));
      push_[b] = ZeroSpace();
      turn_[b] = ZeroSpace();
    }
  }

  HWY_INLINE void Substep() {
    Move();
    for (std::size_t b = 0; b < bodies_; ++b) {
      acceleration_[b] = ZeroSpace();
      torque_[b] = ZeroSpace();
    }
    for (std::size_t j = 0; j < tables_.joints.size(); ++j) PullTogether(j);
    Accelerate();
    MeetGround();
  }

  HWY_INLINE void Store() {
    const FloatTag d;
    const std::size_t stride = state_.stride;
    for (std::size_t b = 0; b < bodies_; ++b) {
      StoreSpace(position_[b], &state_.position[3 * b * stride + lane_], stride);
      StoreQuaternion(rotation_[b], &state_.rotation[4 * b * stride + lane_], stride);
      StoreSpace(velocity_[b], &state_.velocity[3 * b * stride + lane_], stride);
      StoreSpace(spin_[b], &state_.spin[3 * b * stride + lane_], stride);
      StoreSpace(push_[b], &state_.contact_push[3 * b * stride + lane_], stride);
      StoreSpace(turn_[b], &state_.contact_turn[3 * b * stride + lane_], stride);
    }
    for (std::size_t j = 0; j < tables_.joints.size(); ++j) {
      const JointTable& joint = tables_.joints[j];
      const Space axis = Rotated(axes_[joint.parent], joint.axis);
      hn::StoreU(angle_[j], d, &state_.joint_angle[j * stride + lane_]);
      hn::StoreU(Dot(spin_[joint.parent] - spin_[joint.child], axis), d, &state_.joint_rate[j * stride + lane_]);
    }
  }

 private:
  // A planar robot neither leaves its plane nor turns out of it.
  HWY_INLINE Space InPlane(Space v) const {
    if (tables_.planar) v.y = hn::Zero(FloatTag());
    return v;
  }
  HWY_INLINE Space AboutPlane(Space w) const {
    if (tables_.planar) w.x = w.z = hn::Zero(FloatTag());
    return w;
  }

  HWY_INLINE void Move() {
    const auto substep = Constant(tables_.substep);
    const auto half = Constant(0.5f * tables_.substep);
    for (std::size_t b = 0; b < bodies_; ++b) {
      position_[b] = MulAdd(substep, velocity_[b], position_[b]);
      rotation_[b] = Normalized(Turned(rotation_[b], half * spin_[b]));
      axes_[b] = AxesOf(rotation_[b]);
    }
  }

  // The spring, the limits and the motor of one joint.
  HWY_INLINE void PullTogether(std::size_t j) {
    const JointTable& joint = tables_.joints[j];
    const std::size_t p = joint.parent;
    const std::size_t c = joint.child;
    const Space parent_arm = Rotated(axes_[p], joint.parent_anchor);
    const Space child_arm = Rotated(axes_[c], joint.child_anchor);
    const Space gap = (position_[p] - position_[c]) + (parent_arm - child_arm);
    const Space drift = CrossAdd(spin_[p], parent_arm, velocity_[p]) - CrossAdd(spin_[c], child_arm, velocity_[c]);
    const Space force = MulAdd(Constant(joint.stiffness), gap, Constant(joint.damping) * drift);
    const Space axis = Rotated(axes_[p], joint.axis);
    angle_[j] = HingeAngle(axes_[p], axes_[c], joint);
    const auto about_axis = HingeTorque(angle_[j], hn::LoadU(FloatTag(), actions_ + j * state_.stride + lane_), joint);
    Space torque = Constant(joint.stiffness) * Cross(axis, Rotated(axes_[c], joint.axis));
    torque = MulAdd(about_axis, axis, torque);
    torque = NegMulAdd(Constant(joint.angle_damping), spin_[p] - spin_[c], torque);
    acceleration_[p] = NegMulAdd(Constant(tables_.bodies[p].inverse_mass), force, acceleration_[p]);
    acceleration_[c] = MulAdd(Constant(tables_.bodies[c].inverse_mass), force, acceleration_[c]);
    torque_[p] = CrossSubtract(parent_arm, force, torque_[p] + torque);
    torque_[c] = CrossAdd(child_arm, force, torque_[c] - torque);
  }

  HWY_INLINE void Accelerate() {
    const auto substep = Constant(tables_.substep);
    for (std::size_t b = 0; b < bodies_; ++b) {
      acceleration_[b].z = hn::Add(acceleration_[b].z, Constant(tables_.gravity));
      velocity_[b] = InPlane(MulAdd(Constant(tables_.velocity_factor), velocity_[b], substep * acceleration_[b]));
      spin_[b] = AboutPlane(MulAdd(Constant(tables_.spin_factor), spin_[b], substep * torque_[b]));
    }
  }

  HWY_INLINE void MeetGround() {
    for (std::size_t b = 0; b < bodies_; ++b) {
      const BodyTable& body = tables_.bodies[b];
      if (body.first_sphere == body.end_sphere) continue;
      Space push;
      Space turn;
      TouchGround(tables_, body, position_[b].z, axes_[b], velocity_[b], spin_[b], push, turn);
      velocity_[b] = InPlane(velocity_[b] + push);
      spin_[b] = AboutPlane(spin_[b] + turn);
      push_[b] = push_[b] + push;
      turn_[b] = turn_[b] + turn;
    }
  }

  const PhysicsTables& tables_;
  PhysicsState& state_;
  std::size_t lane_;  // the first world of the vector
  std::size_t bodies_;
  const float* actions_ = nullptr;
  StoredSpace position_[kMaxBodies], velocity_[kMaxBodies], spin_[kMaxBodies];
  StoredQuaternion rotation_[kMaxBodies];
  StoredAxes axes_[kMaxBodies];
  StoredSpace acceleration_[kMaxBodies], torque_[kMaxBodies];
  StoredSpace push_[kMaxBodies], turn_[kMaxBodies];  // sums over the substeps
  FloatVec angle_[kMaxBodies];                       // (joints)
};

void GeneralStep(const PhysicsTables& tables, PhysicsState& state, const float* actions) {
  StepVectors<GeneralWorlds>(tables, state, actions);
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aria {

HWY_EXPORT(GeneralStep);

void general_step(const PhysicsTables& tables, PhysicsState& state, const float* actions) {
  HWY_DYNAMIC_DISPATCH(GeneralStep)(tables, state, actions);
}

}  // namespace aria
#endif  // HWY_ONCE
