#include "aria/physics/tables.hpp"

#include <cmath>
#include <numbers>

namespace aria {
namespace {

constexpr double kRadians = std::numbers::pi / 180;

// Right angles give sines of 1e-16 instead of 0, which would turn a planar robot out of its plane.
double cleaned(double x) { return std::abs(x) < 1e-12 ? 0 : x; }

void write(const Vec3& from, float (&to)[3]) {
  for (std::size_t i = 0; i < 3; ++i) to[i] = static_cast<float>(cleaned(from[i]));
}

// The columns of Rx Ry Rz.
void write_frame(const Vec3& euler, JointTable& table) {
  const double cx = std::cos(euler[0] * kRadians), sx = std::sin(euler[0] * kRadians);
  const double cy = std::cos(euler[1] * kRadians), sy = std::sin(euler[1] * kRadians);
  const double cz = std::cos(euler[2] * kRadians), sz = std::sin(euler[2] * kRadians);
  write({cy * cz, cx * sz + sx * sy * cz, sx * sz - cx * sy * cz}, table.axis);
  write({-cy * sz, cx * cz - sx * sy * sz, sx * cz + cx * sy * sz}, table.side);
  write({sy, -sx * cy, cx * cy}, table.reference);
}

JointTable table_of(const Joint& joint) {
  JointTable table{};
  table.parent = joint.parent;
  table.child = joint.child;
  write(joint.parent_anchor, table.parent_anchor);
  write(joint.child_anchor, table.child_anchor);
  write_frame(joint.frame, table);
  table.lower = static_cast<float>(joint.lower * kRadians);
  table.upper = static_cast<float>(joint.upper * kRadians);
  table.rest = static_cast<float>(joint.rest * kRadians);
  table.stiffness = static_cast<float>(joint.stiffness);
  table.damping = static_cast<float>(joint.damping);
  table.angle_damping = static_cast<float>(joint.angle_damping);
  table.strength = static_cast<float>(joint.strength);
  return table;
}

SphereTable table_of(const Sphere& sphere) {
  SphereTable table{};
  table.body = sphere.body;
  write(sphere.centre, table.centre);
  table.radius = static_cast<float>(sphere.radius);
  return table;
}

}  // namespace

PhysicsTables::PhysicsTables(const PhysicsModel& model)
    : has_start_height(model.start_height.has_value()),
      start_height(static_cast<float>(model.start_height.value_or(0))),
      ground{static_cast<float>(0.1 / model.substep()), static_cast<float>(model.friction)},
      substeps(model.substeps),
      substep(static_cast<float>(model.substep())),
      gravity(static_cast<float>(model.gravity)),
      velocity_factor(static_cast<float>(std::exp(model.velocity_growth * model.substep()))),
      spin_factor(static_cast<float>(std::exp(model.spin_growth * model.substep()))),
      planar(model.planar) {
  for (const Joint& joint : model.joints) joints.push_back(table_of(joint));
  for (const Sphere& sphere : model.spheres) spheres.push_back(table_of(sphere));
  for (const Sphere& sphere : model.reset_spheres) reset_spheres.push_back(table_of(sphere));
  std::size_t sphere = 0;
  for (std::size_t body = 0; body < model.bodies.size(); ++body) {
    BodyTable table{static_cast<float>(1 / model.bodies[body].mass), sphere, sphere};
    while (sphere < spheres.size() && spheres[sphere].body == body) table.end_sphere = ++sphere;
    bodies.push_back(table);
  }
}

bool same_make(const JointTable& a, const JointTable& b) {
  return a.stiffness == b.stiffness && a.damping == b.damping && a.angle_damping == b.angle_damping &&
         a.strength == b.strength;
}

FastTables fast_tables(const PhysicsModel& model, const PhysicsTables& tables) {
  const Joint& joint = model.joints[0];
  return {.turn = static_cast<float>(model.substep() * joint.stiffness),
          .spring_lead = static_cast<float>(joint.damping / joint.stiffness),
          .spin_drag = static_cast<float>(joint.angle_damping / joint.stiffness),
          .motor = static_cast<float>(joint.strength / joint.stiffness),
          .spin_factor = tables.spin_factor,
          .substep = tables.substep,
          .fall = static_cast<float>(model.substep() * model.gravity),
          .ground = tables.ground,
          .substeps = tables.substeps};
}

}  // namespace aria
