#include "tests/support/physics_reference.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace aria::testing {
namespace {

constexpr double kRadians = std::numbers::pi / 180;
constexpr double kDoubt = 1e-5;
constexpr double kPushOut = 0.1f;  // of the depth per substep; the original's is a float

Vec3 operator+(const Vec3& a, const Vec3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vec3 operator-(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vec3 operator*(double s, const Vec3& a) { return {s * a[0], s * a[1], s * a[2]}; }
double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Quat product(const Quat& a, const Quat& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

// q v q*
Vec3 rotate(const Quat& q, const Vec3& v) {
  const Quat turned = product(product(q, {0, v[0], v[1], v[2]}), {q[0], -q[1], -q[2], -q[3]});
  return {turned[1], turned[2], turned[3]};
}

Quat about(const Vec3& axis, double angle) {
  const double s = std::sin(angle / 2);
  return {std::cos(angle / 2), s * axis[0], s * axis[1], s * axis[2]};
}

// The joint's frame: x is the hinge.
Quat frame_of(const Joint& joint) {
  return product(product(about({1, 0, 0}, joint.frame[0] * kRadians), about({0, 1, 0}, joint.frame[1] * kRadians)),
                 about({0, 0, 1}, joint.frame[2] * kRadians));
}
Vec3 hinge_of(const Joint& joint) { return rotate(frame_of(joint), {1, 0, 0}); }

}  // namespace

double PhysicsReference::angle_of(const ReferenceWorld& world, const Joint& joint) const {
  const Quat& parent = world.bodies[joint.parent].rotation;
  const Quat& child = world.bodies[joint.child].rotation;
  const Vec3 reference = rotate(frame_of(joint), {0, 0, 1});
  const Vec3 in_parent = rotate(parent, reference);
  const Vec3 in_child = rotate(child, reference);
  return std::atan2(dot(cross(in_parent, in_child), rotate(parent, hinge_of(joint))), dot(in_parent, in_child));
}

void PhysicsReference::measure_rates(ReferenceWorld& world) const {
  for (std::size_t j = 0; j < model_.joints.size(); ++j) {
    const ReferenceBody& parent = world.bodies[model_.joints[j].parent];
    const ReferenceBody& child = world.bodies[model_.joints[j].child];
    world.joint_rate[j] = dot(parent.spin - child.spin, rotate(parent.rotation, hinge_of(model_.joints[j])));
  }
}

void PhysicsReference::keep_in_plane(ReferenceBody& body) const {
  if (model_.planar) body.velocity[1] = body.spin[0] = body.spin[2] = 0;
}

ReferenceWorld PhysicsReference::reset(std::span<const double> angle_noise, std::span<const double> rate_noise) const {
  ReferenceWorld world;
  world.bodies.resize(model_.bodies.size());
  world.joint_angle.resize(model_.joints.size());
  world.joint_rate.resize(model_.joints.size());
  for (std::size_t j = 0; j < model_.joints.size(); ++j) {
    const Joint& joint = model_.joints[j];
    const ReferenceBody& parent = world.bodies[joint.parent];
    ReferenceBody& child = world.bodies[joint.child];
    const double angle = joint.rest * kRadians + angle_noise[j];
    const Quat bend = about(hinge_of(joint), angle);
    child.rotation = product(parent.rotation, bend);
    child.position = parent.position + rotate(parent.rotation, joint.parent_anchor - rotate(bend, joint.child_anchor));
    child.spin = rotate(parent.rotation, rate_noise[j] * hinge_of(joint));
    world.joint_angle[j] = angle;
  }
  double lift = model_.start_height.value_or(-1e300);
  if (!model_.start_height) {
    for (const Sphere& sphere : model_.reset_spheres) {
      const ReferenceBody& body = world.bodies[sphere.body];
      lift = std::max(lift, sphere.radius - body.position[2] - rotate(body.rotation, sphere.centre)[2]);
    }
  }
  for (ReferenceBody& body : world.bodies) body.position[2] += lift;
  measure_rates(world);
  world.contact_in_doubt.assign(model_.bodies.size(), false);
  touch_ground(world, false);
  return world;
}

void PhysicsReference::step(ReferenceWorld& world, std::span<const double> actions) const {
  for (ReferenceBody& body : world.bodies) body.contact_push = body.contact_turn = {};
  world.contact_in_doubt.assign(model_.bodies.size(), false);
  for (std::size_t i = 0; i < model_.substeps; ++i) {
    move(world);
    accelerate(world, actions);
    touch_ground(world, true);
  }
  measure_rates(world);
}

void PhysicsReference::move(ReferenceWorld& world) const {
  const double h = model_.substep();
  for (ReferenceBody& body : world.bodies) {
    keep_in_plane(body);
    body.position = body.position + h * body.velocity;
    const Quat rate = product({0, body.spin[0], body.spin[1], body.spin[2]}, body.rotation);
    double square = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      body.rotation[i] += h / 2 * rate[i];
      square += body.rotation[i] * body.rotation[i];
    }
    for (double& part : body.rotation) part /= std::sqrt(square);
  }
}

void PhysicsReference::accelerate(ReferenceWorld& world, std::span<const double> actions) const {
  std::vector<Vec3> push(world.bodies.size(), Vec3{});
  std::vector<Vec3> turn(world.bodies.size(), Vec3{});
  for (std::size_t j = 0; j < model_.joints.size(); ++j) {
    const Joint& joint = model_.joints[j];
    const ReferenceBody& parent = world.bodies[joint.parent];
    const ReferenceBody& child = world.bodies[joint.child];
    const Vec3 parent_arm = rotate(parent.rotation, joint.parent_anchor);
    const Vec3 child_arm = rotate(child.rotation, joint.child_anchor);
    const Vec3 gap = (parent.position + parent_arm) - (child.position + child_arm);
    const Vec3 drift =
        (parent.velocity + cross(parent.spin, parent_arm)) - (child.velocity + cross(child.spin, child_arm));
    const Vec3 force = joint.stiffness * gap + joint.damping * drift;
    const Vec3 axis = rotate(parent.rotation, hinge_of(joint));
    const Vec3 child_axis = rotate(child.rotation, hinge_of(joint));
    const double angle = world.joint_angle[j] = angle_of(world, joint);
    const double lower = joint.lower * kRadians;
    const double upper = joint.upper * kRadians;
    double missing = 0;
    double motor = -joint.strength * actions[j];
    if (angle < lower) missing = lower - angle;
    if (angle > upper) missing = upper - angle;
    if (missing != 0) motor = 0;
    const Vec3 torque = joint.stiffness * cross(axis, child_axis) + (motor - joint.stiffness * missing) * axis -
                        joint.angle_damping * (parent.spin - child.spin);
    push[joint.parent] = push[joint.parent] - 1 / model_.bodies[joint.parent].mass * force;
    push[joint.child] = push[joint.child] + 1 / model_.bodies[joint.child].mass * force;
    turn[joint.parent] = turn[joint.parent] - cross(parent_arm, force) + torque;
    turn[joint.child] = turn[joint.child] + cross(child_arm, force) - torque;
  }
  const double h = model_.substep();
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    ReferenceBody& body = world.bodies[b];
    body.velocity = std::exp(model_.velocity_growth * h) * body.velocity + h * (push[b] + Vec3{0, 0, model_.gravity});
    body.spin = std::exp(model_.spin_growth * h) * body.spin + h * turn[b];
    keep_in_plane(body);
  }
}

void PhysicsReference::touch_ground(ReferenceWorld& world, bool apply) const {
  std::vector<Vec3> push(world.bodies.size(), Vec3{});
  std::vector<Vec3> turn(world.bodies.size(), Vec3{});
  std::vector<int> count(world.bodies.size(), 0);
  for (const Sphere& sphere : model_.spheres) {
    const ReferenceBody& body = world.bodies[sphere.body];
    const double mass = model_.bodies[sphere.body].mass;
    const Vec3 arm = rotate(body.rotation, sphere.centre) - Vec3{0, 0, sphere.radius};
    const double depth = -(body.position[2] + arm[2]);
    const Vec3 speed = body.velocity + cross(body.spin, arm);
    const double give = 1 / mass + arm[0] * arm[0] + arm[1] * arm[1];
    const double normal = (-speed[2] + kPushOut / model_.substep() * depth) / give;
    const double slip = std::hypot(speed[0], speed[1]);
    // what nearly touches or nearly parts; only where the other condition holds or nearly does
    if (depth > -kDoubt && speed[2] < kDoubt && (std::abs(depth) < kDoubt || std::abs(speed[2]) < 10 * kDoubt)) {
      world.contact_in_doubt[sphere.body] = true;
    }
    if (!(depth > 0 && speed[2] < 0 && normal > 0)) continue;
    Vec3 impulse = {0, 0, normal};
    if (slip > 0.01) {
      const double tangent = std::min(slip / give, model_.friction * normal);
      impulse = impulse - tangent / (1e-6 + slip) * Vec3{speed[0], speed[1], 0};
    }
    push[sphere.body] = push[sphere.body] + 1 / mass * impulse;
    turn[sphere.body] = turn[sphere.body] + cross(arm, impulse);
    ++count[sphere.body];
  }
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    ReferenceBody& body = world.bodies[b];
    const double share = 1 / (1e-8 + count[b]);
    body.contact_push = body.contact_push + share * push[b];
    body.contact_turn = body.contact_turn + share * turn[b];
    if (!apply) continue;
    body.velocity = body.velocity + share * push[b];
    body.spin = body.spin + share * turn[b];
    keep_in_plane(body);
  }
}

}  // namespace aria::testing
