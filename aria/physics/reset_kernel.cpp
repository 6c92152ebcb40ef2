#include "aria/physics/reset_kernel.hpp"

#include <numbers>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/physics/reset_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "aria/physics/contact-inl.h"
#include "aria/physics/hinge-inl.h"
#include "aria/physics/rigid-inl.h"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// One vector of worlds that start anew.
class StartingWorlds {
 public:
  StartingWorlds(const PhysicsTables& tables, PhysicsState& state, std::size_t lane)
      : tables_(tables), state_(state), lane_(lane) {}

  // Bodies hang on their parents; a body turns with its own joint only, which is what the original does.
  HWY_INLINE void Place(const float* angle_noise, const float* rate_noise) {
    const FloatTag d;
    const auto zero = hn::Zero(d);
    position_[0] = Space{zero, zero, Constant(tables_.start_height)};
    rotation_[0] = Quaternion{Constant(1.0f), zero, zero, zero};
    spin_[0] = ZeroSpace();
    axes_[0] = AxesOf(rotation_[0]);
    for (std::size_t j = 0; j < tables_.joints.size(); ++j) {
      const JointTable& joint = tables_.joints[j];
      const auto angle = hn::Add(Constant(joint.rest), hn::LoadU(d, angle_noise + j * state_.stride + lane_));
      const auto rate = hn::LoadU(d, rate_noise + j * state_.stride + lane_);
      const Quaternion bend = About(joint.axis, angle);
      const Axes bent = AxesOf(bend);
      const Axes parent = axes_[joint.parent];
      const Space anchor = {Constant(joint.parent_anchor[0]), Constant(joint.parent_anchor[1]),
                            Constant(joint.parent_anchor[2])};
      position_[joint.child] = position_[joint.parent] + Rotated(parent, anchor - Rotated(bent, joint.child_anchor));
      rotation_[joint.child] = Product(rotation_[joint.parent], bend);
      axes_[joint.child] = AxesOf(rotation_[joint.child]);
      spin_[joint.child] = rate * Rotated(parent, joint.axis);
    }
    if (!tables_.has_start_height) StandOnGround();
  }

  HWY_INLINE void Store() {
    const FloatTag d;
    const std::size_t stride = state_.stride;
    for (std::size_t b = 0; b < tables_.bodies.size(); ++b) {
      Space push;
      Space turn;
      TouchGround(tables_, tables_.bodies[b], position_[b].z, axes_[b], ZeroSpace(), spin_[b], push, turn);
      StoreSpace(position_[b], &state_.position[3 * b * stride + lane_], stride);
      StoreQuaternion(rotation_[b], &state_.rotation[4 * b * stride + lane_], stride);
      StoreSpace(ZeroSpace(), &state_.velocity[3 * b * stride + lane_], stride);
      StoreSpace(spin_[b], &state_.spin[3 * b * stride + lane_], stride);
      StoreSpace(push, &state_.contact_push[3 * b * stride + lane_], stride);
      StoreSpace(turn, &state_.contact_turn[3 * b * stride + lane_], stride);
    }
    for (std::size_t j = 0; j < tables_.joints.size(); ++j) {
      const JointTable& joint = tables_.joints[j];
      const auto angle = HingeAngle(axes_[joint.parent], axes_[joint.child], joint);
      const auto rate = Dot(spin_[joint.parent] - spin_[joint.child], Rotated(axes_[joint.parent], joint.axis));
      hn::StoreU(angle, d, &state_.joint_angle[j * stride + lane_]);
      hn::StoreU(rate, d, &state_.joint_rate[j * stride + lane_]);
    }
  }

 private:
  static HWY_INLINE Quaternion About(const float (&axis)[3], FloatVec angle) {
    FloatVec sine;
    FloatVec cosine;
    SinCosTurns(hn::Mul(angle, Constant(static_cast<float>(0.25 / std::numbers::pi))), sine, cosine);
    return {cosine, hn::Mul(sine, Constant(axis[0])), hn::Mul(sine, Constant(axis[1])),
            hn::Mul(sine, Constant(axis[2]))};
  }

  HWY_INLINE void StandOnGround() {
    auto lowest = Constant(1e30f);
    for (const SphereTable& sphere : tables_.reset_spheres) {
      const auto centre = hn::Add(position_[sphere.body].z, Rotated(axes_[sphere.body], sphere.centre).z);
      lowest = hn::Min(lowest, hn::Sub(centre, Constant(sphere.radius)));
    }
    for (std::size_t b = 0; b < tables_.bodies.size(); ++b) position_[b].z = hn::Sub(position_[b].z, lowest);
  }

  const PhysicsTables& tables_;
  PhysicsState& state_;
  std::size_t lane_;  // the first world of the vector
  StoredSpace position_[kMaxBodies], spin_[kMaxBodies];
  StoredQuaternion rotation_[kMaxBodies];
  StoredAxes axes_[kMaxBodies];
};

void ResetWorlds(const PhysicsTables& tables, PhysicsState& state, const float* angle_noise, const float* rate_noise) {
  for (std::size_t lane = 0; lane < state.worlds; lane += hn::Lanes(FloatTag())) {
    StartingWorlds worlds(tables, state, lane);
    worlds.Place(angle_noise, rate_noise);
    worlds.Store();
  }
}

std::size_t KernelLanes() { return hn::Lanes(FloatTag()); }

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aria {

HWY_EXPORT(ResetWorlds);
HWY_EXPORT(KernelLanes);

void reset_worlds(const PhysicsTables& tables, PhysicsState& state, const float* angle_noise, const float* rate_noise) {
  HWY_DYNAMIC_DISPATCH(ResetWorlds)(tables, state, angle_noise, rate_noise);
}

std::size_t kernel_lanes() { return HWY_DYNAMIC_DISPATCH(KernelLanes)(); }

}  // namespace aria
#endif  // HWY_ONCE
