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
    const float* position = state_.position.data() + lane_;
    const float* rotation = state_.rotation.data() + lane_;
    const float* velocity = state_.velocity.data() + lane_;
    const float* spin = state_.spin.data() + lane_;
    for (std::size_t b = 0; b < kBodies; ++b) {
      position_[b] = LoadSpace(position + 3 * InState(b) * stride, stride);
      velocity_[b] = LoadSpace(velocity + 3 * InState(b) * stride, stride);
      spin_[b] = LoadSpace(spin + 3 * InState(b) * stride, stride);
      Quaternion q = LoadQuaternion(rotation + 4 * InState(b) * stride, stride);
      if (b != kTorso) q = AboutOwnZ(q, t_.turn_cosine[b % kLegs], t_.turn_sine[b % kLegs]);
      rotation_[b] = q;
      scale_[b] = ScaleOf(q);
    }
    const auto motor = Constant(-t_.motor);
    for (std::size_t k = 0; k < kLegs; ++k) {
      const float* action = actions + 2 * k * stride + lane_;
      hip_motor_[k] = hn::Mul(hn::LoadU(d, action), motor);
      ankle_motor_[k] = hn::Mul(hn::Mul(hn::LoadU(d, action + stride), motor), Constant(t_.bend_sign[k]));
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
    StoreBodies();
    StoreJoints();
  }

 private:
  static constexpr std::size_t kBodies = 1 + 2 * kLegs;
  // Bodies in the order in which a substep is done with them: what comes first need not wait.
  static constexpr std::size_t Upper(std::size_t leg) { return leg; }
  static constexpr std::size_t Lower(std::size_t leg) { return kLegs + leg; }
  static constexpr std::size_t kTorso = 2 * kLegs;
  // Where a body stands in a state.
  static constexpr std::size_t InState(std::size_t b) { return b == kTorso ? 0 : 2 * (b % kLegs) + 1 + b / kLegs; }

  HWY_INLINE void StoreBodies() {
    const std::size_t stride = state_.stride;
    float* position = state_.position.data() + lane_;
    float* rotation = state_.rotation.data() + lane_;
    float* velocity = state_.velocity.data() + lane_;
    float* spin = state_.spin.data() + lane_;
    float* push = state_.contact_push.data() + lane_;
    float* turn = state_.contact_turn.data() + lane_;
    for (std::size_t b = 0; b < kBodies; ++b) {
      StoreSpace(position_[b], position + 3 * InState(b) * stride, stride);
      StoreSpace(velocity_[b], velocity + 3 * InState(b) * stride, stride);
      StoreSpace(spin_[b], spin + 3 * InState(b) * stride, stride);
      Quaternion q = rotation_[b];
      if (b != kTorso) q = AboutOwnZ(q, t_.turn_cosine[b % kLegs], -t_.turn_sine[b % kLegs]);
      StoreQuaternion(hn::Sqrt(hn::Mul(scale_[b], Constant(0.5f))) * q, rotation + 4 * InState(b) * stride, stride);
      // torso and feet touch the ground, upper legs do not
      const bool touches = b >= kLegs;
      StoreSpace(touches ? push_[b - kLegs] : ZeroSpace(), push + 3 * InState(b) * stride, stride);
      StoreSpace(touches ? turn_[b - kLegs] : ZeroSpace(), turn + 3 * InState(b) * stride, stride);
    }
  }

  HWY_INLINE void StoreJoints() {
    const FloatTag d;
    const std::size_t stride = state_.stride;
    float* angle = state_.joint_angle.data() + lane_;
    float* rate = state_.joint_rate.data() + lane_;
    for (std::size_t k = 0; k < kLegs; ++k) {
      const Space hip = spin_[kTorso] - spin_[Upper(k)];
      const Space ankle = spin_[Upper(k)] - spin_[Lower(k)];
      const auto sign = Constant(t_.bend_sign[k]);
      const std::size_t at = 2 * k * stride;
      hn::StoreU(hip_angle_[k], d, angle + at);
      hn::StoreU(hn::Mul(sign, ankle_angle_[k]), d, angle + at + stride);
      hn::StoreU(Dot(hip, axes_[kTorso].z), d, rate + at);
      hn::StoreU(hn::Mul(sign, Dot(ankle, axes_[Upper(k)].y)), d, rate + at + stride);
    }
  }

  // Turned about the body's own z axis, given cosine and sine of half the angle.
  static HWY_INLINE Quaternion AboutOwnZ(Quaternion q, float cosine, float sine) {
    const auto c = Constant(cosine);
    const auto s = Constant(sine);
    return {hn::NegMulAdd(q.z, s, hn::Mul(q.w, c)), hn::MulAdd(q.y, s, hn::Mul(q.x, c)),
            hn::NegMulAdd(q.x, s, hn::Mul(q.y, c)), hn::MulAdd(q.w, s, hn::Mul(q.z, c))};
  }

  static HWY_INLINE FloatVec GrowthOf(Space half_turn) {
    const auto [x, y, z] = half_turn;
    return hn::Add(hn::MulAdd(x, x, Constant(1.0f)), hn::MulAdd(y, y, hn::Mul(z, z)));
  }

  // Quaternions keep any length during a step: only their axes are needed, which are divided by it.
  HWY_INLINE void Move() {
    const auto substep = Constant(t_.substep);
    const auto half = Constant(0.5f * t_.substep);
#pragma GCC unroll 1
    for (std::size_t b = 0; b < kBodies; ++b) {
      position_[b] = MulAdd(substep, velocity_[b], position_[b]);
      const Space half_turn = half * spin_[b];
      rotation_[b] = Turned(rotation_[b], half_turn);
#if HWY_NATIVE_FMA
      // the square of a quaternion's norm grows by this factor
      scale_[b] = hn::Div(scale_[b], GrowthOf(half_turn));
#else
      // with twice the roundings, those of the factors would add up to too much
      scale_[b] = ScaleOf(rotation_[b]);
#endif
    }
    // of lower legs the lever stands for the x axis
#pragma GCC unroll 1
    for (std::size_t k = 0; k < kLegs; ++k) {
      const Axes axes = AxesOf(rotation_[Lower(k)], scale_[Lower(k)]);
      lower_lever_[k] = Constant(t_.lower_length) * axes.x;
      axes_[Lower(k)].y = axes.y;
      axes_[Lower(k)].z = axes.z;
    }
#pragma GCC unroll 1
    for (std::size_t k = 0; k < kLegs; ++k) axes_[Upper(k)] = AxesOf(rotation_[Upper(k)], scale_[Upper(k)]);
    axes_[kTorso] = AxesOf(rotation_[kTorso], scale_[kTorso]);
  }

  // How far hips and ankles are pulled apart. A spring with damping acts as one without it between points that run
  // ahead by damping over stiffness.
  HWY_INLINE void Stretch() {
    const auto lead = Constant(t_.spring_lead);
    const Space torso = MulAdd(lead, velocity_[kTorso], position_[kTorso]);
    const Space torso_spin = lead * spin_[kTorso];
    const Space torso_x = CrossAdd(torso_spin, axes_[kTorso].x, axes_[kTorso].x);
    const Space torso_y = CrossAdd(torso_spin, axes_[kTorso].y, axes_[kTorso].y);
#pragma GCC unroll 1
    for (std::size_t k = 0; k < kLegs; ++k) {
      const Space lower_lever = lower_lever_[k];
      const Space ankle_speed = CrossAdd(lower_lever, spin_[Lower(k)], velocity_[Lower(k)]);
      const Space ankle_end = MulAdd(lead, ankle_speed, position_[Lower(k)] - lower_lever);

      const Space upper_lever = Constant(t_.upper_length) * axes_[Upper(k)].x;
      const Space upper = MulAdd(lead, velocity_[Upper(k)], position_[Upper(k)]);
      const Space upper_end = MulAdd(lead, Cross(spin_[Upper(k)], upper_lever), upper_lever);
      ankle_[k] = (upper - ankle_end) + upper_end;
      // differences of positions come first: they are small, and so are their roundings
      const Space hip = (torso - upper) + upper_end;
      hip_[k] = MulAdd(Constant(t_.anchor_x[k]), torso_x, MulAdd(Constant(t_.anchor_y[k]), torso_y, hip));
    }
  }

  // Angles of the joints, and the torques of limits and motors about them, over stiffness. Two legs at a time: an angle
  // waits for its own polynomial.
  HWY_INLINE void Bend() {
#pragma GCC unroll 1
    for (std::size_t k = 0; k < kLegs; k += 2) {
      const Space reference[2] = {Reference(k), Reference(k + 1)};
      const Space lower_z[2] = {axes_[Lower(k)].z, axes_[Lower(k + 1)].z};
      const StoredAxes& first = axes_[Upper(k)];
      const StoredAxes& second = axes_[Upper(k + 1)];
      const StoredAxes& torso = axes_[kTorso];
      const FloatVec y[4] = {Dot(torso.y, reference[0]), Dot(first.x, lower_z[0]), Dot(torso.y, reference[1]),
                             Dot(second.x, lower_z[1])};
      const FloatVec x[4] = {Dot(torso.x, reference[0]), Dot(first.z, lower_z[0]), Dot(torso.x, reference[1]),
                             Dot(second.z, lower_z[1])};
      FloatVec angle[4];
      Atan2(y, x, angle);
      KeepBend(k, angle[0], angle[1]);
      KeepBend(k + 1, angle[2], angle[3]);
    }
  }

  // The torso's x axis, were it fixed to the upper leg.
  HWY_INLINE Space Reference(std::size_t k) const {
    const StoredAxes& upper = axes_[Upper(k)];
    return NegMulAdd(Constant(t_.direction_y[k]), upper.y, Constant(t_.direction_x[k]) * upper.x);
  }

  HWY_INLINE void KeepBend(std::size_t k, FloatVec hip, FloatVec ankle) {
    hip_angle_[k] = hip;
    hip_torque_[k] = Torque(hip, hip_motor_[k], t_.hip_lower, t_.hip_upper);
    ankle_angle_[k] = ankle;
    ankle_torque_[k] = Torque(ankle, ankle_motor_[k], t_.ankle_lower, t_.ankle_upper);
  }

  static HWY_INLINE FloatVec Torque(FloatVec angle, FloatVec motor, float lower, float upper) {
    const auto beyond = hn::Sub(angle, hn::Min(hn::Max(angle, Constant(lower)), Constant(upper)));
    return hn::IfThenElse(hn::Eq(beyond, hn::Zero(FloatTag())), motor, beyond);
  }

  HWY_INLINE void Accelerate() {
    const auto turn = Constant(t_.turn);
    const auto drag = Constant(t_.spin_drag);
    const auto keep = Constant(t_.spin_factor);
#pragma GCC unroll 1
    for (std::size_t k = 0; k < kLegs; ++k) {
      velocity_[Lower(k)] = Pulled(velocity_[Lower(k)], t_.lower_push, ankle_[k]);
      velocity_[Upper(k)] = Pulled(velocity_[Upper(k)], t_.upper_push, hip_[k] - ankle_[k]);
    }
#pragma GCC unroll 1
    for (std::size_t k = 0; k < kLegs; ++k) {
      const StoredAxes& upper = axes_[Upper(k)];
      const Space ankle_drag = NegMulAdd(drag, spin_[Upper(k)] - spin_[Lower(k)], ankle_torque_[k] * upper.y);
      const Space ankle = CrossAdd(upper.y, axes_[Lower(k)].y, ankle_drag);
      const Space lower = CrossAdd(lower_lever_[k], ankle_[k], ankle);
      spin_[Lower(k)] = NegMulAdd(turn, lower, keep * spin_[Lower(k)]);
      const Space hip_drag = NegMulAdd(drag, spin_[kTorso] - spin_[Upper(k)], hip_torque_[k] * axes_[kTorso].z);
      const Space hip = CrossAdd(axes_[kTorso].z, upper.z, hip_drag);
      hip_turn_[k] = hip;
      const Space both = CrossSubtract(Constant(t_.upper_length) * upper.x, hip_[k] + ankle_[k], ankle - hip);
      spin_[Upper(k)] = MulAdd(turn, both, keep * spin_[Upper(k)]);
    }
    Space pull = hip_[0];
    Space pull_x = Constant(t_.anchor_x[0]) * hip_[0];
    Space pull_y = Constant(t_.anchor_y[0]) * hip_[0];
    Space torque = hip_turn_[0];
    for (std::size_t k = 1; k < kLegs; ++k) {
      pull = pull + hip_[k];
      pull_x = MulAdd(Constant(t_.anchor_x[k]), hip_[k], pull_x);
      pull_y = MulAdd(Constant(t_.anchor_y[k]), hip_[k], pull_y);
      torque = torque + hip_turn_[k];
    }
    torque = CrossSubtract(axes_[kTorso].x, pull_x, torque);
    torque = CrossSubtract(axes_[kTorso].y, pull_y, torque);
    velocity_[kTorso] = Pulled(velocity_[kTorso], -t_.torso_push, pull);
    spin_[kTorso] = MulAdd(turn, torque, keep * spin_[kTorso]);
  }

  HWY_INLINE Space Pulled(Space velocity, float push, Space pull) const {
    velocity.z = hn::Add(velocity.z, Constant(t_.fall));
    return MulAdd(Constant(push), pull, velocity);
  }

  // In two phases, since roots and quotients take long.
  HWY_INLINE void MeetGround() {
    const auto zero = hn::Zero(FloatTag());
    const auto radius = Constant(t_.foot_radius);
    const auto inverse_mass = Constant(t_.foot_inverse_mass);
    StoredMeeting meeting[kLegs];
#pragma GCC unroll 1
    for (std::size_t k = 0; k < kLegs; ++k) {
      Space arm = lower_lever_[k];
      arm.z = hn::Sub(arm.z, radius);
      meeting[k] = Meet(inverse_mass, velocity_[Lower(k)], spin_[Lower(k)], arm);
    }
#pragma GCC unroll 1
    for (std::size_t k = 0; k < kLegs; ++k) {
      Space arm = lower_lever_[k];
      arm.z = hn::Sub(arm.z, radius);
      Hit(Lower(k), k, Touch(t_.ground, inverse_mass, position_[Lower(k)].z, arm, meeting[k]));
    }
    // a torso seldom touches the ground
    const Space arm = {zero, zero, Constant(-t_.torso_radius)};
    if (hn::AllFalse(FloatTag(), hn::Lt(hn::Add(position_[kTorso].z, arm.z), zero))) return;
    const auto torso_inverse_mass = Constant(t_.torso_inverse_mass);
    const Meeting torso = Meet(torso_inverse_mass, velocity_[kTorso], spin_[kTorso], arm);
    const Space velocity = velocity_[kTorso];
    const Space spin = spin_[kTorso];
    const Impulse hit = Touch(t_.ground, torso_inverse_mass, position_[kTorso].z, arm, torso);
    Hit(kTorso, kLegs, hit);
    // worlds in which it does not are left alone to the bit, as they are where none does
    velocity_[kTorso] = IfThenElse(hit.active, velocity_[kTorso], velocity);
    spin_[kTorso] = IfThenElse(hit.active, spin_[kTorso], spin);
  }

  HWY_INLINE void Hit(std::size_t b, std::size_t toucher, const Impulse& hit) {
    velocity_[b] = velocity_[b] + hit.push;
    spin_[b] = spin_[b] + hit.turn;
    push_[toucher] = push_[toucher] + hit.push;
    turn_[toucher] = turn_[toucher] + hit.turn;
  }

  const LeggedTables& t_;
  PhysicsState& state_;
  std::size_t lane_;  // the first world of the vector
  StoredSpace position_[kBodies], velocity_[kBodies], spin_[kBodies];
  StoredQuaternion rotation_[kBodies];  // of legs: of the frame that looks along them
  FloatVec scale_[kBodies];             // 2 over their squared norm
  StoredAxes axes_[kBodies];
  StoredSpace lower_lever_[kLegs];         // from the centre of a lower leg to its outer end
  StoredSpace hip_[kLegs], ankle_[kLegs];  // stretches of the springs
  StoredSpace hip_turn_[kLegs];            // torques on the torso, over stiffness
  FloatVec hip_motor_[kLegs], hip_angle_[kLegs], hip_torque_[kLegs];
  FloatVec ankle_motor_[kLegs], ankle_angle_[kLegs], ankle_torque_[kLegs];
  StoredSpace push_[kLegs + 1], turn_[kLegs + 1];  // of feet and torso, sums over the substeps
};

void LeggedStep(const LeggedTables& tables, PhysicsState& state, const float* actions) {
  StepVectors<LeggedWorlds>(tables, state, actions);
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
