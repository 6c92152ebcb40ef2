#include "aria/physics/model.hpp"

#include <algorithm>

#include "aria/core/require.hpp"

namespace aria {
namespace {

// Every body but the torso hangs on one joint, which comes after that of its parent.
void validate_tree(const PhysicsModel& model) {
  require(model.joints.size() + 1 == model.bodies.size(), "joints of model " + model.name, "one less than its bodies",
          model.joints.size());
  std::vector<bool> placed(model.bodies.size(), false);
  placed[0] = true;
  for (const Joint& joint : model.joints) {
    require(joint.parent < model.bodies.size() && placed[joint.parent], "parent of joint " + joint.name,
            "the first body or the child of an earlier joint", joint.parent);
    require(joint.child < model.bodies.size() && !placed[joint.child], "child of joint " + joint.name,
            "a body that is no other joint's child", joint.child);
    placed[joint.child] = true;
    require(joint.lower <= joint.upper, "lower limit of joint " + joint.name, "at most the upper one", joint.lower);
    require(joint.stiffness > 0, "stiffness of joint " + joint.name, "> 0", joint.stiffness);
  }
}

void validate_spheres(const PhysicsModel& model) {
  const auto by_body = [](const Sphere& a, const Sphere& b) { return a.body < b.body; };
  require(std::is_sorted(model.spheres.begin(), model.spheres.end(), by_body), "spheres of model " + model.name,
          "grouped by body, in order", "another order");
  for (const auto* spheres : {&model.spheres, &model.reset_spheres}) {
    for (const Sphere& sphere : *spheres) {
      require(sphere.body < model.bodies.size(), "body of a sphere", "one of the model's", sphere.body);
      require(sphere.radius > 0, "radius of a sphere", "> 0", sphere.radius);
    }
  }
  require(model.start_height || !model.reset_spheres.empty(), "reset_spheres of model " + model.name,
          "given where there is no start height", model.reset_spheres.size());
}

}  // namespace

void PhysicsModel::validate() const {
  require(!bodies.empty() && bodies.size() <= kMaxBodies, "bodies of model " + name, fmt::format("1 to {}", kMaxBodies),
          bodies.size());
  for (const Body& body : bodies) require(body.mass > 0, "mass of body " + body.name, "> 0", body.mass);
  require(step > 0, "step of model " + name, "> 0", step);
  require(substeps > 0, "substeps of model " + name, "> 0", substeps);
  require(friction >= 0, "friction of model " + name, ">= 0", friction);
  validate_tree(*this);
  validate_spheres(*this);
}

}  // namespace aria
