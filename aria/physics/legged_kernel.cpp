#include "aria/physics/legged_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/physics/legged_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "aria/physics/contact-inl.h"
#include "aria/physics/rigid-inl.h"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// One vector of worlds during an environment step. Work goes in phases over all legs: within a phase the legs do not
// wait for each other, and a phase is short enough for the registers. Loops stay rolled for the same reason.
class LeggedWorlds {
 public:
  LeggedWorlds(const LeggedTables& tables, PhysicsState& state, std::size_t lane)
      : t_(tables), state_(state), lane_(lane) {}

  HWY_INLINE void Load(const float* actions) {
    const FloatTag d;
    const std::size_t stride = state_.stride;
    for (std::size_t b = 0; b < kBodies; ++b) {
      position_[b] = LoadSpace(&state_.position[3 * b * stride + lane_], stride);
      rotation_[b] = LoadQuaternion(&state_.rotation[4 * b * stride + lane_], stride);
      velocity_[b] = LoadSpace(&state_.velocity[3 * b * stride + lane_], stride);
      spin_[b] = LoadSpace(&state_.spin[3 * b * stride + lane_], stride);
    }
    for (std::size_t k = 0; k < kLegs; ++k) {
      for (const std::size_t b : {Upper(k), Lower(k)}) {
        rotation_[b] = AboutOwnZ(rotation_[b], t_.turn_cosine[k], t_.turn_sine[k]);
      }
      const float* action = actions + 2 * k * stride + lane_;
      motor_[2 * k] = hn::Mul(hn::LoadU(d, action), Constant(-t_.motor));
      motor_[2 * k + 1] = hn::Mul(hn::LoadU(d, action + stride), Constant(-t_.motor * t_.bend_sign[k]));
    }
    for (std::size_t i = 0; i <= kLegs; ++i) {
      push_[i] = ZeroSpace();
      turn_[i] = ZeroSpace();
    }
  }

  HWY_INLINE void Substep() {
    Move();
    Stretch();
    Bend();
    Accelerate();
    MeetGround();
  }

  HWY_INLINE void Store() {
    const FloatTag d;
    const std::size_t stride = state_.stride;
    for (std::size_t k = 0; k < kLegs; ++k) {
      const Space hip = spin_[0] - spin_[Upper(k)];
      const Space ankle = spin_[Upper(k)] - spin_[Lower(k)];
      const auto sign = Constant(t_.bend_sign[k]);
      const std::size_t at = 2 * k * stride + lane_;
      hn::StoreU(angle_[2 * k], d, &state_.joint_angle[at]);
      hn::StoreU(hn::Mul(sign, angle_[2 * k + 1]), d, &state_.joint_angle[at + stride]);
      hn::StoreU(Dot(hip, axes_[0].z), d, &state_.joint_rate[at]);
      hn::StoreU(hn::Mul(sign, Dot(ankle, axes_[Upper(k)].y)), d, &state_.joint_rate[at + stride]);
      for (const std::size_t b : {Upper(k), Lower(k)}) {
        rotation_[b] = AboutOwnZ(rotation_[b], t_.turn_cosine[k], -t_.turn_sine[k]);
      }
    }
    for (std::size_t b = 0; b < kBodies; ++b) {
      StoreSpace(position_[b], &state_.position[3 * b * stride + lane_], stride);
      StoreQuaternion(Normalized(rotation_[b]), &state_.rotation[4 * b * stride + lane_], stride);
      StoreSpace(velocity_[b], &state_.velocity[3 * b * stride + lane_], stride);
      StoreSpace(spin_[b], &state_.spin[3 * b * stride + lane_], stride);
      // torso and feet touch the ground, upper legs do not
      const bool touches = b % 2 == 0;
      StoreSpace(touches ? push_[b / 2] : ZeroSpace(), &state_.contact_push[3 * b * stride + lane_], stride);
      StoreSpace(touches ? turn_[b / 2] : ZeroSpace(), &state_.contact_turn[3 * b * stride + lane_], stride);
    }
  }

 private:
  static constexpr std::size_t kBodies = 1 + 2 * kLegs;
  static constexpr std::size_t Upper(std::size_t leg) { return 1 + 2 * leg; }
  static constexpr std::size_t Lower(std::size_t leg) { return 2 + 2 * leg; }

  // Turned about the body's own z axis, given cosine and sine of half the angle.
  static HWY_INLINE Quaternion AboutOwnZ(Quaternion q, float cosine, float sine) {
    const auto c = Constant(cosine);
    const auto s = Constant(sine);
    return {hn::NegMulAdd(q.z, s, hn::Mul(q.w, c)), hn::MulAdd(q.y, s, hn::Mul(q.x, c)),
            hn::NegMulAdd(q.x, s, hn::Mul(q.y, c)), hn::MulAdd(q.w, s, hn::Mul(q.z, c))};
  }

  // Quaternions keep any length during a step: only their axes are needed, which are divided by it.
  HWY_INLINE void Move() {
    const auto substep = Constant(t_.substep);
    const auto half = Constant(0.5f * t_.substep);
#pragma GCC unroll 1
    for (std::size_t b = 0; b < kBodies; ++b) {
      position_[b] = MulAdd(substep, velocity_[b], position_[b]);
      const Quaternion turned = Turned(rotation_[b], half * spin_[b]);
      rotation_[b] = turned;
      axes_[b] = AxesOf(turned, SquaredNorm(turned));
    }
  }

  // How far hips and ankles are pulled apart. A spring with damping acts as one without it between points that run
  // ahead by damping over stiffness: each end goes into that once for the body and once for its lever.
  HWY_INLINE void Stretch() {
    const auto lead = Constant(t_.spring_lead);
    const Space torso = MulAdd(lead, velocity_[0], position_[0]);
    const Space torso_spin = lead * spin_[0];
    const Space torso_x = CrossAdd(torso_spin, axes_[0].x, axes_[0].x);
    const Space torso_y = CrossAdd(torso_spin, axes_[0].y, axes_[0].y);
#pragma GCC unroll 1
    for (std::size_t k = 0; k < kLegs; ++k) {
      const Space upper = MulAdd(lead, velocity_[Upper(k)], position_[Upper(k)]);
      const Space lower = MulAdd(lead, velocity_[Lower(k)], position_[Lower(k)]);
      const Space upper_x = CrossAdd(lead * spin_[Upper(k)], axes_[Upper(k)].x, axes_[Upper(k)].x);
      const Space lower_x = CrossAdd(lead * spin_[Lower(k)], axes_[Lower(k)].x, axes_[Lower(k)].x);
      // differences of positions come first: they are small, and so are their roundings
      const auto upper_length = Constant(t_.upper_length);
      const Space hip = MulAdd(upper_length, upper_x, torso - upper);
      const Space ankle = MulAdd(upper_length, upper_x, upper - lower);
      hip_[k] = MulAdd(Constant(t_.anchor_x[k]), torso_x, MulAdd(Constant(t_.anchor_y[k]), torso_y, hip));
      ankle_[k] = MulAdd(Constant(t_.lower_length), lower_x, ankle);
    }
  }

  // Angles of the joints, and the torques of limits and motors about them, over stiffness.
  HWY_INLINE void Bend() {
#pragma GCC unroll 1
    for (std::size_t k = 0; k < kLegs; ++k) {
      const StoredAxes& upper = axes_[Upper(k)];
      // the torso's x axis, were it fixed to the upper leg
      const Space reference = NegMulAdd(Constant(t_.direction_y[k]), upper.y, Constant(t_.direction_x[k]) * upper.x);
      angle_[2 * k] = Atan2(Dot(axes_[0].y, reference), Dot(axes_[0].x, reference));
      const Space lower_z = axes_[Lower(k)].z;
      angle_[2 * k + 1] = Atan2(Dot(upper.x, lower_z), Dot(upper.z, lower_z));
      torque_[2 * k] = Torque(angle_[2 * k], motor_[2 * k], t_.hip_lower, t_.hip_upper);
      torque_[2 * k + 1] = Torque(angle_[2 * k + 1], motor_[2 * k + 1], t_.ankle_lower, t_.ankle_upper);
    }
  }

  static HWY_INLINE FloatVec Torque(FloatVec angle, FloatVec motor, float lower, float upper) {
    const auto beyond = hn::Sub(angle, hn::Min(hn::Max(angle, Constant(lower)), Constant(upper)));
    return hn::IfThenElse(hn::Eq(beyond, hn::Zero(FloatTag())), motor, beyond);
  }

  HWY_INLINE void Accelerate() {
    const auto turn = Constant(t_.turn);
    const auto drag = Constant(t_.spin_drag);
    Space torso_pull = ZeroSpace();
    Space torso_pull_x = ZeroSpace();
    Space torso_pull_y = ZeroSpace();
    Space torso_torque = ZeroSpace();
    const Space torso_z = axes_[0].z;
    const Space torso_spin = spin_[0];
#pragma GCC unroll 1
    for (std::size_t k = 0; k < kLegs; ++k) {
      const StoredAxes& upper = axes_[Upper(k)];
      const StoredAxes& lower = axes_[Lower(k)];
      const Space hip = hip_[k];
      const Space ankle = ankle_[k];
      torso_pull = torso_pull + hip;
      torso_pull_x = MulAdd(Constant(t_.anchor_x[k]), hip, torso_pull_x);
      torso_pull_y = MulAdd(Constant(t_.anchor_y[k]), hip, torso_pull_y);
      velocity_[Upper(k)] = Pulled(velocity_[Upper(k)], t_.upper_push, hip - ankle);
      velocity_[Lower(k)] = Pulled(velocity_[Lower(k)], t_.lower_push, ankle);

      const Space upper_spin = spin_[Upper(k)];
      const Space lower_spin = spin_[Lower(k)];
      Space hip_torque = CrossAdd(torso_z, upper.z, torque_[2 * k] * torso_z);
      hip_torque = NegMulAdd(drag, torso_spin - upper_spin, hip_torque);
      Space ankle_torque = CrossAdd(upper.y, lower.y, torque_[2 * k + 1] * upper.y);
      ankle_torque = NegMulAdd(drag, upper_spin - lower_spin, ankle_torque);
      torso_torque = torso_torque + hip_torque;
      const Space upper_lever = Constant(t_.upper_length) * upper.x;
      const Space lower_lever = Constant(t_.lower_length) * lower.x;
      const Space upper_torque = CrossSubtract(upper_lever, hip + ankle, ankle_torque - hip_torque);
      const Space lower_torque = CrossAdd(lower_lever, ankle, ankle_torque);
      spin_[Upper(k)] = MulAdd(turn, upper_torque, Constant(t_.spin_factor) * upper_spin);
      spin_[Lower(k)] = NegMulAdd(turn, lower_torque, Constant(t_.spin_factor) * lower_spin);
    }
    torso_torque = CrossSubtract(axes_[0].x, torso_pull_x, torso_torque);
    torso_torque = CrossSubtract(axes_[0].y, torso_pull_y, torso_torque);
    velocity_[0] = Pulled(velocity_[0], -t_.torso_push, torso_pull);
    spin_[0] = MulAdd(turn, torso_torque, Constant(t_.spin_factor) * torso_spin);
  }

  HWY_INLINE Space Pulled(Space velocity, float push, Space pull) const {
    const auto factor = Constant(t_.velocity_factor);
    const Space kept = {hn::Mul(factor, velocity.x), hn::Mul(factor, velocity.y),
                        hn::MulAdd(factor, velocity.z, Constant(t_.fall))};
    return MulAdd(Constant(push), pull, kept);
  }

  HWY_INLINE void MeetGround() {
    const auto zero = hn::Zero(FloatTag());
#pragma GCC unroll 1
    for (std::size_t k = 0; k < kLegs; ++k) {
      Space arm = Constant(t_.foot_reach) * axes_[Lower(k)].x;
      arm.z = hn::Sub(arm.z, Constant(t_.foot_radius));
      Hit(Lower(k), t_.foot_inverse_mass, arm);
    }
    // a torso seldom touches the ground
    const Space arm = {zero, zero, Constant(-t_.torso_radius)};
    if (!hn::AllFalse(FloatTag(), hn::Lt(hn::Add(position_[0].z, arm.z), zero))) Hit(0, t_.torso_inverse_mass, arm);
  }

  HWY_INLINE void Hit(std::size_t b, float inverse_mass, Space arm) {
    const Impulse hit = Touch(t_.ground, Constant(inverse_mass), position_[b].z, velocity_[b], spin_[b], arm);
    velocity_[b] = velocity_[b] + hit.push;
    spin_[b] = spin_[b] + hit.turn;
    push_[b / 2] = push_[b / 2] + hit.push;
    turn_[b / 2] = turn_[b / 2] + hit.turn;
  }

  const LeggedTables& t_;
  PhysicsState& state_;
  std::size_t lane_;  // the first world of the vector
  StoredSpace position_[kBodies], velocity_[kBodies], spin_[kBodies];
  StoredQuaternion rotation_[kBodies];  // of legs: of the frame that looks along them
  StoredAxes axes_[kBodies];
  StoredSpace hip_[kLegs], ankle_[kLegs];                            // stretches of the springs
  FloatVec motor_[2 * kLegs], angle_[2 * kLegs], torque_[2 * kLegs];  // of hip and ankle of each leg
  StoredSpace push_[kLegs + 1], turn_[kLegs + 1];                    // of torso and feet, sums over the substeps
};

void LeggedStep(const LeggedTables& tables, PhysicsState& state, const float* actions) {
  for (std::size_t lane = 0; lane < state.worlds; lane += hn::Lanes(FloatTag())) {
    LeggedWorlds worlds(tables, state, lane);
    worlds.Load(actions);
    for (std::size_t i = 0; i < tables.substeps; ++i) worlds.Substep();
    worlds.Store();
  }
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aria {

HWY_EXPORT(LeggedStep);

void legged_step(const LeggedTables& tables, PhysicsState& state, const float* actions) {
  HWY_DYNAMIC_DISPATCH(LeggedStep)(tables, state, actions);
}

}  // namespace aria
#endif  // HWY_ONCE
