#include <string>

#include "aria/physics/model.hpp"

namespace aria {
namespace {

// A leg points along (x, y); its ankle turns about an axis at `turn` degrees from x, between two limits in degrees.
struct Leg {
  const char* number;
  double x, y;
  double turn;
  double lower, upper;
};
constexpr Leg kLegs[] = {
    {"1", 1, 1, 135, 30, 70}, {"2", -1, 1, 45, -70, -30}, {"3", -1, -1, 135, -70, -30}, {"4", 1, -1, 45, 30, 70}};

constexpr double kStiffness = 18000;
constexpr double kDamping = 80;
constexpr double kAngleDamping = 20;
constexpr double kStrength = 350;
constexpr double kFootRadius = 0.08;

Joint hinge(std::string name, std::size_t parent, std::size_t child, Vec3 parent_anchor, Vec3 child_anchor, Vec3 frame,
            double lower, double upper) {
  return {.name = std::move(name),
          .parent = parent,
          .child = child,
          .parent_anchor = parent_anchor,
          .child_anchor = child_anchor,
          .frame = frame,
          .lower = lower,
          .upper = upper,
          .rest = (lower + upper) / 2,
          .stiffness = kStiffness,
          .damping = kDamping,
          .angle_damping = kAngleDamping,
          .strength = kStrength};
}

void add_leg(PhysicsModel& model, const Leg& leg) {
  const auto along = [&](double length) { return Vec3{length * leg.x, length * leg.y, 0}; };
  const std::size_t upper = model.bodies.size();
  const std::size_t foot = upper + 1;
  model.bodies.push_back({std::string("upper leg ") + leg.number, 1});
  model.bodies.push_back({std::string("foot ") + leg.number, 1});
  model.joints.push_back(
      hinge(std::string("hip ") + leg.number, 0, upper, along(0.2), along(-0.1), {0, -90, 0}, -30, 30));
  model.joints.push_back(hinge(std::string("ankle ") + leg.number, upper, foot, along(0.1), along(-0.2),
                               {0, 0, leg.turn}, leg.lower, leg.upper));
  model.spheres.push_back({foot, along(0.2), kFootRadius});
  for (const double end : {0.1, -0.1}) model.reset_spheres.push_back({upper, along(end), kFootRadius});
  for (const double end : {0.2, -0.2}) model.reset_spheres.push_back({foot, along(end), kFootRadius});
}

PhysicsModel build() {
  PhysicsModel model{.name = "ant",
                     .bodies = {{"torso", 10}},
                     .joints = {},
                     .spheres = {{0, {0, 0, 0}, 0.25}},
                     .reset_spheres = {{0, {0, 0, 0}, 0.25}},
                     .start_height = std::nullopt,
                     .step = 0.05,
                     .substeps = 10,
                     .gravity = -9.8,
                     .velocity_growth = 0,
                     .spin_growth = -0.05,
                     .friction = 1,
                     .planar = false};
  for (const Leg& leg : kLegs) add_leg(model, leg);
  return model;
}

}  // namespace

const PhysicsModel& ant_model() {
  static const PhysicsModel model = build();
  return model;
}

}  // namespace aria
