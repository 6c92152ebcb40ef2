// A model's numbers as the kernels read them: single precision, radians, axes of joints as vectors.
#pragma once

#include <cstddef>
#include <vector>

#include "aria/physics/model.hpp"

namespace aria {

struct JointTable {
  std::size_t parent, child;
  float parent_anchor[3], child_anchor[3];  // in the bodies' frames, m
  float axis[3];                            // the hinge, in the frame of either body
  float side[3], reference[3];              // the other two axes of the joint's frame; axis x side = reference
  float lower, upper, rest;                 // rad
  float stiffness, damping, angle_damping, strength;
};

struct SphereTable {
  std::size_t body;
  float centre[3];
  float radius;
};

struct BodyTable {
  float inverse_mass;
  std::size_t first_sphere, end_sphere;  // its part of the spheres
};

// What contacts with the ground depend on, besides the body.
struct GroundTable {
  float push_out;  // speed per depth by which a contact drives a sphere out of the ground, 1/s
  float friction;
};

struct PhysicsTables {
  explicit PhysicsTables(const PhysicsModel& model);

  std::vector<BodyTable> bodies;
  std::vector<JointTable> joints;
  std::vector<SphereTable> spheres;
  std::vector<SphereTable> reset_spheres;
  bool has_start_height;
  float start_height;
  GroundTable ground;
  std::size_t substeps;
  float substep;          // s
  float gravity;          // m/s^2
  float velocity_factor;  // of one substep
  float spin_factor;
  bool planar;
};

// Joints are of one make: the same springs and motors.
bool same_make(const JointTable& a, const JointTable& b);

// What the fast kernels read of a robot whose joints are all of one make, worked out for a substep.
struct FastTables {
  float turn;           // change of spin per stretch and lever, in a substep
  float spring_lead;    // damping over stiffness, s
  float spin_drag;      // damping of the angle over stiffness, s
  float motor;          // strength over stiffness, for an action of one, rad
  float spin_factor;    // of one substep
  float substep, fall;  // s; gravity's change of velocity in a substep
  GroundTable ground;
  std::size_t substeps;
};

FastTables fast_tables(const PhysicsModel& model, const PhysicsTables& tables);

}  // namespace aria
