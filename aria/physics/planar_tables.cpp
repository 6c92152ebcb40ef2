#include "aria/physics/planar_tables.hpp"

#include <algorithm>
#include <cmath>

namespace aria {
namespace {

PlanarSphere planar_sphere(const SphereTable& sphere, float inverse_mass) {
  return {.x = sphere.centre[0],
          .z = sphere.centre[2],
          .radius = sphere.radius,
          .least_give = inverse_mass + sphere.centre[1] * sphere.centre[1]};
}

PlanarBody planar_body(const PhysicsTables& tables, const BodyTable& body, double pull) {
  PlanarBody planar{};
  planar.push = static_cast<float>(pull * static_cast<double>(body.inverse_mass));
  planar.inverse_mass = body.inverse_mass;
  planar.touches = body.end_sphere > body.first_sphere;
  for (std::size_t i = body.first_sphere; i < body.end_sphere; ++i) {
    const SphereTable& sphere = tables.spheres[i];
    planar.spheres[i - body.first_sphere] = planar_sphere(sphere, body.inverse_mass);
    planar.lever = sphere.centre[1] / body.inverse_mass;
    // a little more, for roundings
    planar.reach = std::max(planar.reach, 1.001f * (std::hypot(sphere.centre[0], sphere.centre[2]) + sphere.radius));
  }
  return planar;
}

// Where the kernel finds what the joints after j pull at a body.
std::size_t pulls_after(const PhysicsTables& tables, std::size_t j, std::size_t body) {
  const auto pulls = [&](const JointTable& joint) { return joint.parent == body; };
  const bool any = std::any_of(tables.joints.begin() + static_cast<std::ptrdiff_t>(j) + 1, tables.joints.end(), pulls);
  return any ? body : tables.bodies.size();
}

}  // namespace

std::optional<PlanarTables> planar_tables(const PhysicsModel& model) {
  if (!model.planar || model.joints.empty()) return std::nullopt;
  const PhysicsTables tables(model);
  const double pull = model.substep() * model.joints[0].stiffness;
  PlanarTables planar{};
  static_cast<FastTables&>(planar) = fast_tables(model, tables);
  planar.velocity_factor = tables.velocity_factor;
  for (const BodyTable& body : tables.bodies) {
    const std::size_t spheres = body.end_sphere - body.first_sphere;
    if (spheres != 0 && spheres != 2) return std::nullopt;
    const SphereTable* sphere = tables.spheres.data() + body.first_sphere;
    if (spheres == 2 && sphere[0].centre[1] != sphere[1].centre[1]) return std::nullopt;
    planar.bodies.push_back(planar_body(tables, body, pull));
  }
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const JointTable& joint = tables.joints[j];
    const bool against_y = joint.axis[0] == 0 && joint.axis[1] < 0 && joint.axis[2] == 0;
    if (!against_y || joint.parent_anchor[0] != 0) return std::nullopt;
    if (!same_make(joint, tables.joints[0])) return std::nullopt;
    planar.joints.push_back({.parent = joint.parent,
                             .child = joint.child,
                             .parent_z = joint.parent_anchor[2],
                             .child_x = joint.child_anchor[0],
                             .child_z = joint.child_anchor[2],
                             .lower = joint.lower,
                             .upper = joint.upper,
                             .parent_pulls = pulls_after(tables, j, joint.parent),
                             .child_pulls = pulls_after(tables, j, joint.child)});
  }
  return planar;
}

}  // namespace aria
