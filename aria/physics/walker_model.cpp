#include <string>

#include "aria/physics/model.hpp"

namespace aria {
namespace {

constexpr double kThighMass = 4.0578904;
constexpr double kLegMass = 2.7813568;
constexpr double kFootMass = 3.1667254;

// The hinges turn about -y. Thighs and legs start on their upper limit.
Joint hinge(std::string name, std::size_t parent, std::size_t child, Vec3 parent_anchor, Vec3 child_anchor,
            double lower, double upper) {
  return {.name = std::move(name),
          .parent = parent,
          .child = child,
          .parent_anchor = parent_anchor,
          .child_anchor = child_anchor,
          .frame = {0, 0, -90},
          .lower = lower,
          .upper = upper,
          .rest = 0,
          .stiffness = 10000,
          .damping = 50,
          .angle_damping = 20,
          .strength = 100};
}

void add_leg(PhysicsModel& model, const std::string& side) {
  const std::size_t thigh = model.bodies.size();
  const std::size_t leg = thigh + 1;
  const std::size_t foot = thigh + 2;
  model.bodies.push_back({"thigh" + side, kThighMass});
  model.bodies.push_back({"leg" + side, kLegMass});
  model.bodies.push_back({"foot" + side, kFootMass});
  model.joints.push_back(hinge("thigh" + side, 0, thigh, {0, 0, -0.2}, {0, 0, 0}, -150, 0));
  model.joints.push_back(hinge("leg" + side, thigh, leg, {0, 0, -0.45}, {0, 0, 0.25}, -150, 0));
  model.joints.push_back(hinge("foot" + side, leg, foot, {0, 0, -0.25}, {-0.2, -0.2, -0.1}, -45, 45));
  model.spheres.push_back({thigh, {0, 0, -0.45}, 0.05});
  model.spheres.push_back({thigh, {0, 0, 0}, 0.05});
  model.spheres.push_back({leg, {0, 0, -0.25}, 0.04});
  model.spheres.push_back({leg, {0, 0, 0.25}, 0.04});
  model.spheres.push_back({foot, {-0.2, -0.2, -0.1}, 0.06});
  model.spheres.push_back({foot, {0, -0.2, -0.1}, 0.06});
}

PhysicsModel build() {
  PhysicsModel model{.name = "walker",
                     .bodies = {{"torso", 3.6651914}},
                     .joints = {},
                     .spheres = {{0, {0, 0, 0.2}, 0.05}, {0, {0, 0, -0.2}, 0.05}},
                     .reset_spheres = {},
                     .start_height = 1.19,
                     .step = 0.008,
                     .substeps = 4,
                     .gravity = -9.81,
                     .velocity_growth = 1,  // grows: a quirk of the original task, kept
                     .spin_growth = -0.05,
                     .friction = 0.9,
                     .planar = true};
  add_leg(model, "");
  add_leg(model, " left");
  return model;
}

}  // namespace

const PhysicsModel& walker_model() {
  static const PhysicsModel model = build();
  return model;
}

}  // namespace aria
