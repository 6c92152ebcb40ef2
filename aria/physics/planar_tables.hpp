// Robots that move in the plane of x and z: each body turns about y alone, by one angle. The Walker is one.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "aria/physics/tables.hpp"

namespace aria {

// Its angle is the parent's less the child's.
struct PlanarJoint {
  std::size_t parent, child;
  float parent_z;          // anchor in the parent's frame, on its z axis, m
  float child_x, child_z;  // anchor in the child's frame, m
  float lower, upper;      // rad
  // where the pulls of later joints are at parent and child: with the body, or behind the last body if there are none
  std::size_t parent_pulls, child_pulls;
};

struct PlanarSphere {
  float x, z;        // centre in the body's frame, m
  float radius;      // m
  float least_give;  // change of speed per impulse, but for the part of the lever along x, 1/kg
};

// The kernel knows two spheres of a body, equally far from the plane, or none.
struct PlanarBody {
  float push;  // change of velocity per stretch of a spring, in a substep
  float inverse_mass;
  float lever;  // of the spheres along y, times the mass, kg m
  float reach;  // no sphere goes lower below the centre, m
  bool touches;
  std::array<PlanarSphere, 2> spheres;
};

struct PlanarTables : FastTables {
  std::vector<PlanarBody> bodies;
  std::vector<PlanarJoint> joints;
  float velocity_factor;  // of one substep
};

// Nothing if the model is built otherwise: not planar, hinges that turn about anything but -y or off the parents' z
// axes, joints of several makes, or other spheres than the kernel knows.
std::optional<PlanarTables> planar_tables(const PhysicsModel& model);

}  // namespace aria
