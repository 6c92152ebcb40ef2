// What the physics kernels are measured against: the same dynamics written plainly in single precision, one world at a
// time, with the standard library.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "aria/physics/physics_state.hpp"
#include "aria/physics/tables.hpp"

namespace aria::benchmarks {

using Float3 = std::array<float, 3>;

inline Float3 operator+(const Float3& a, const Float3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Float3 operator-(const Float3& a, const Float3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Float3 operator*(float s, const Float3& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline float dot(const Float3& a, const Float3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Float3 cross(const Float3& a, const Float3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

struct PlainBody {
  Float3 position, velocity, spin;
  std::array<float, 4> rotation;  // w x y z

  Float3 rotated(const float (&v)[3]) const {
    const Float3 axis = {rotation[1], rotation[2], rotation[3]};
    const Float3 vector = {v[0], v[1], v[2]};
    const Float3 twice = 2.0f * cross(axis, vector);
    return vector + rotation[0] * twice + cross(axis, twice);
  }
};

// One world.
class PlainPhysics {
 public:
  explicit PlainPhysics(const PhysicsModel& model)
      : tables_(model),
        bodies_(model.bodies.size()),
        acceleration_(model.bodies.size()),
        torque_(model.bodies.size()),
        push_(model.bodies.size()),
        turn_(model.bodies.size()),
        angle_(model.joints.size()) {}

  void read(const PhysicsState& state, std::size_t world) {
    const auto get3 = [&](const std::vector<float>& rows, std::size_t b) {
      const float* row = &rows[3 * b * state.stride + world];
      return Float3{row[0], row[state.stride], row[2 * state.stride]};
    };
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      bodies_[b] = {get3(state.position, b), get3(state.velocity, b), get3(state.spin, b), {}};
      for (std::size_t i = 0; i < 4; ++i) {
        bodies_[b].rotation[i] = state.rotation[(4 * b + i) * state.stride + world];
      }
    }
  }

  void write(PhysicsState& state, std::size_t world) const {
    const auto put = [&](std::vector<float>& rows, std::size_t b, const auto& values) {
      for (std::size_t i = 0; i < values.size(); ++i) rows[(values.size() * b + i) * state.stride + world] = values[i];
    };
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      put(state.position, b, bodies_[b].position);
      put(state.rotation, b, bodies_[b].rotation);
      put(state.velocity, b, bodies_[b].velocity);
      put(state.spin, b, bodies_[b].spin);
      put(state.contact_push, b, push_[b]);
      put(state.contact_turn, b, turn_[b]);
    }
    for (std::size_t j = 0; j < angle_.size(); ++j) {
      const PlainBody& parent = bodies_[tables_.joints[j].parent];
      const Float3 spin = parent.spin - bodies_[tables_.joints[j].child].spin;
      state.joint_angle[j * state.stride + world] = angle_[j];
      state.joint_rate[j * state.stride + world] = dot(spin, parent.rotated(tables_.joints[j].axis));
    }
  }

  const std::vector<PlainBody>& bodies() const { return bodies_; }

  void step(const float* actions) {
    std::fill(push_.begin(), push_.end(), Float3{});
    std::fill(turn_.begin(), turn_.end(), Float3{});
    for (std::size_t i = 0; i < tables_.substeps; ++i) {
      move();
      std::fill(acceleration_.begin(), acceleration_.end(), Float3{0, 0, tables_.gravity});
      std::fill(torque_.begin(), torque_.end(), Float3{});
      for (std::size_t j = 0; j < tables_.joints.size(); ++j) pull_together(j, actions[j]);
      accelerate();
      for (std::size_t b = 0; b < bodies_.size(); ++b) meet_ground(b);
    }
  }

 private:
  void keep_in_plane(PlainBody& body) const {
    if (tables_.planar) body.velocity[1] = body.spin[0] = body.spin[2] = 0;
  }

  void move() {
    for (PlainBody& body : bodies_) {
      body.position = body.position + tables_.substep * body.velocity;
      const auto [w, x, y, z] = body.rotation;
      const Float3 a = 0.5f * tables_.substep * body.spin;
      std::array<float, 4>& q = body.rotation;
      q = {w - a[0] * x - a[1] * y - a[2] * z, x + a[0] * w + a[1] * z - a[2] * y, y - a[0] * z + a[1] * w + a[2] * x,
           z + a[0] * y - a[1] * x + a[2] * w};
      const float scale = 1 / std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
      for (float& part : q) part *= scale;
    }
  }

  void pull_together(std::size_t j, float action) {
    const JointTable& joint = tables_.joints[j];
    const PlainBody& parent = bodies_[joint.parent];
    const PlainBody& child = bodies_[joint.child];
    const Float3 parent_arm = parent.rotated(joint.parent_anchor);
    const Float3 child_arm = child.rotated(joint.child_anchor);
    const Float3 gap = (parent.position + parent_arm) - (child.position + child_arm);
    const Float3 drift =
        (parent.velocity + cross(parent.spin, parent_arm)) - (child.velocity + cross(child.spin, child_arm));
    const Float3 force = joint.stiffness * gap + joint.damping * drift;
    const Float3 axis = parent.rotated(joint.axis);
    const Float3 reference = child.rotated(joint.reference);
    const float angle =
        std::atan2(-dot(parent.rotated(joint.side), reference), dot(parent.rotated(joint.reference), reference));
    angle_[j] = angle;
    float about_axis = -joint.strength * action;
    if (angle < joint.lower) about_axis = joint.stiffness * (angle - joint.lower);
    if (angle > joint.upper) about_axis = joint.stiffness * (angle - joint.upper);
    const Float3 torque = joint.stiffness * cross(axis, child.rotated(joint.axis)) + about_axis * axis -
                          joint.angle_damping * (parent.spin - child.spin);
    acceleration_[joint.parent] = acceleration_[joint.parent] - tables_.bodies[joint.parent].inverse_mass * force;
    acceleration_[joint.child] = acceleration_[joint.child] + tables_.bodies[joint.child].inverse_mass * force;
    torque_[joint.parent] = torque_[joint.parent] - cross(parent_arm, force) + torque;
    torque_[joint.child] = torque_[joint.child] + cross(child_arm, force) - torque;
  }

  void accelerate() {
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      PlainBody& body = bodies_[b];
      body.velocity = tables_.velocity_factor * body.velocity + tables_.substep * acceleration_[b];
      body.spin = tables_.spin_factor * body.spin + tables_.substep * torque_[b];
      keep_in_plane(body);
    }
  }

  void meet_ground(std::size_t b) {
    PlainBody& body = bodies_[b];
    const BodyTable& table = tables_.bodies[b];
    Float3 push{};
    Float3 turn{};
    float count = 0;
    for (std::size_t i = table.first_sphere; i < table.end_sphere; ++i) {
      const SphereTable& sphere = tables_.spheres[i];
      const Float3 arm = body.rotated(sphere.centre) - Float3{0, 0, sphere.radius};
      const float depth = -(body.position[2] + arm[2]);
      const Float3 speed = body.velocity + cross(body.spin, arm);
      if (!(depth > 0 && speed[2] < 0)) continue;
      const float give = table.inverse_mass + arm[0] * arm[0] + arm[1] * arm[1];
      const float normal = (tables_.ground.push_out * depth - speed[2]) / give;
      const float slip = std::sqrt(speed[0] * speed[0] + speed[1] * speed[1]);
      Float3 impulse = {0, 0, normal};
      if (slip > 0.01f) {
        const float drag = std::min(slip / give, tables_.ground.friction * normal) / (1e-6f + slip);
        impulse = impulse - drag * Float3{speed[0], speed[1], 0};
      }
      push = push + table.inverse_mass * impulse;
      turn = turn + cross(arm, impulse);
      count += 1;
    }
    if (count == 0) return;
    push_[b] = push_[b] + 1 / count * push;
    turn_[b] = turn_[b] + 1 / count * turn;
    body.velocity = body.velocity + 1 / count * push;
    body.spin = body.spin + 1 / count * turn;
    keep_in_plane(body);
  }

  PhysicsTables tables_;
  std::vector<PlainBody> bodies_;
  std::vector<Float3> acceleration_, torque_;  // of one substep
  std::vector<Float3> push_, turn_;            // by contacts, sums over the substeps
  std::vector<float> angle_;
};

}  // namespace aria::benchmarks
