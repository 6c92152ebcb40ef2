#include "aria/physics/legged_tables.hpp"

#include <algorithm>
#include <cmath>

namespace aria {
namespace {

constexpr float kNear = 1e-6f;

bool near(float a, float b) { return std::abs(a - b) < kNear; }
bool near(const float (&v)[3], float x, float y, float z) { return near(v[0], x) && near(v[1], y) && near(v[2], z); }
// v is `length` times the direction (x, y)
bool along(const float (&v)[3], float length, float x, float y) { return near(v, length * x, length * y, 0); }

// Reads leg k into the tables; the first leg decides what all share. False if the leg is none, or unlike the first.
bool read_leg(const PhysicsTables& model, std::size_t k, LeggedTables& legged) {
  const std::size_t upper = 1 + 2 * k;
  const std::size_t lower = upper + 1;
  const JointTable& hip = model.joints[2 * k];
  const JointTable& ankle = model.joints[2 * k + 1];
  const BodyTable& foot = model.bodies[lower];
  if (hip.parent != 0 || hip.child != upper || ankle.parent != upper || ankle.child != lower) return false;
  if (!same_make(hip, model.joints[0]) || !same_make(ankle, model.joints[0])) return false;
  if (model.bodies[upper].first_sphere != model.bodies[upper].end_sphere) return false;
  if (foot.end_sphere != foot.first_sphere + 1) return false;
  if (model.bodies[upper].inverse_mass != model.bodies[1].inverse_mass) return false;
  if (foot.inverse_mass != model.bodies[2].inverse_mass) return false;

  const float upper_length = std::hypot(ankle.parent_anchor[0], ankle.parent_anchor[1]);
  if (upper_length < kNear) return false;
  const float x = legged.direction_x[k] = ankle.parent_anchor[0] / upper_length;
  const float y = legged.direction_y[k] = ankle.parent_anchor[1] / upper_length;
  const float angle = std::atan2(y, x);
  legged.turn_cosine[k] = std::cos(angle / 2);
  legged.turn_sine[k] = std::sin(angle / 2);
  legged.anchor_x[k] = hip.parent_anchor[0];
  legged.anchor_y[k] = hip.parent_anchor[1];
  const float sign = legged.bend_sign[k] = ankle.axis[0] * -y + ankle.axis[1] * x > 0 ? 1.0f : -1.0f;
  const SphereTable& sphere = model.spheres[foot.first_sphere];
  const float ankle_lower = sign > 0 ? ankle.lower : -ankle.upper;
  const float ankle_upper = sign > 0 ? ankle.upper : -ankle.lower;
  if (k == 0) {
    legged.upper_length = upper_length;
    legged.lower_length = std::hypot(ankle.child_anchor[0], ankle.child_anchor[1]);
    legged.foot_radius = sphere.radius;
    legged.hip_lower = hip.lower;
    legged.hip_upper = hip.upper;
    legged.ankle_lower = ankle_lower;
    legged.ankle_upper = ankle_upper;
  }
  return near(hip.parent_anchor[2], 0) && along(hip.child_anchor, -legged.upper_length, x, y) &&
         along(ankle.parent_anchor, legged.upper_length, x, y) &&
         along(ankle.child_anchor, -legged.lower_length, x, y) && along(sphere.centre, legged.lower_length, x, y) &&
         near(hip.axis, 0, 0, 1) && near(hip.reference, -1, 0, 0) && near(ankle.axis, -sign * y, sign * x, 0) &&
         near(ankle.reference, 0, 0, 1) && sphere.radius == legged.foot_radius && hip.lower == legged.hip_lower &&
         hip.upper == legged.hip_upper && ankle_lower == legged.ankle_lower && ankle_upper == legged.ankle_upper;
}

}  // namespace

std::optional<LeggedTables> legged_tables(const PhysicsModel& model) {
  const PhysicsTables tables(model);
  if (model.planar || model.velocity_growth != 0) return std::nullopt;
  if (tables.bodies.size() != 1 + 2 * kLegs || tables.spheres.size() != 1 + kLegs) return std::nullopt;
  const SphereTable& torso = tables.spheres[0];
  if (torso.body != 0 || !near(torso.centre, 0, 0, 0)) return std::nullopt;
  LeggedTables legged{};
  static_cast<FastTables&>(legged) = fast_tables(model, tables);
  for (std::size_t k = 0; k < kLegs; ++k) {
    if (!read_leg(tables, k, legged)) return std::nullopt;
  }
  const double pull = model.substep() * model.joints[0].stiffness;
  legged.torso_radius = torso.radius;
  legged.torso_push = static_cast<float>(pull / model.bodies[0].mass);
  legged.upper_push = static_cast<float>(pull / model.bodies[1].mass);
  legged.lower_push = static_cast<float>(pull / model.bodies[2].mass);
  legged.torso_inverse_mass = tables.bodies[0].inverse_mass;
  legged.foot_inverse_mass = tables.bodies[2].inverse_mass;
  return legged;
}

}  // namespace aria
