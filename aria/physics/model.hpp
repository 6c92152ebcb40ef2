// A robot as the simulator sees it: rigid bodies, spring joints with motors, and spheres that touch the ground. A model
// is built once from a table and never changes.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace aria {

using Vec3 = std::array<double, 3>;

// Every body has unit inertia about all axes: a torque is an angular acceleration.
struct Body {
  std::string name;
  double mass;  // kg
};

// A hinge held together by a spring, with limits and a motor. Parents come before their children.
struct Joint {
  std::string name;
  std::size_t parent;
  std::size_t child;
  Vec3 parent_anchor;  // in the parent's frame, m
  Vec3 child_anchor;   // in the child's frame, m
  Vec3 frame;          // Euler angles of the joint's frame, intrinsic x-y'-z'', degrees; its x axis is the hinge
  double lower;        // limits of the angle, degrees
  double upper;
  double rest;           // angle of an unperturbed reset, degrees
  double stiffness;      // of the spring and of the limits, N/m and N m/rad
  double damping;        // of the spring, N s/m
  double angle_damping;  // N m s/rad
  double strength;       // of the motor, N m for an action of one
};

struct Sphere {
  std::size_t body;
  Vec3 centre;    // in the body's frame, m
  double radius;  // m
};

inline constexpr std::size_t kMaxBodies = 32;

struct PhysicsModel {
  std::string name;
  std::vector<Body> bodies;  // the first is the torso
  std::vector<Joint> joints;
  std::vector<Sphere> spheres;         // that touch the ground, grouped by body
  std::vector<Sphere> reset_spheres;   // the lowest of which a reset puts on the ground, unless there is a start height
  std::optional<double> start_height;  // of the torso, m
  double step;                         // one environment step, s
  std::size_t substeps;
  double gravity;          // m/s^2, downwards is negative
  double velocity_growth;  // velocities grow by exp(growth * substep); damping is negative
  double spin_growth;
  double friction;
  bool planar;  // moves in the plane y = const only

  double substep() const { return step / static_cast<double>(substeps); }

  // A tree of bodies in order, physical numbers, no more than kMaxBodies. Throws InputError.
  void validate() const;
};

// of Brax v1 (legacy spring dynamics), as QDax uses them in `ant_omni` and `walker2d_uni`
const PhysicsModel& ant_model();
const PhysicsModel& walker_model();

}  // namespace aria
