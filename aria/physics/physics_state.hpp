// The state of many worlds, each with one robot. Worlds are fastest, so that a vector holds the same number of many
// worlds.
#pragma once

#include <cstddef>
#include <vector>

#include "aria/physics/model.hpp"

namespace aria {

// A planar robot's velocity along y and spin about x and z, and those parts of its rotations, are zero: a reset makes
// them so, and steps keep them so.
struct PhysicsState {
  PhysicsState(const PhysicsModel& model, std::size_t worlds);
  // With another stride: a multiple of the worlds that a vector holds, and at least `worlds`.
  PhysicsState(const PhysicsModel& model, std::size_t worlds, std::size_t stride);

  std::size_t worlds;
  // Worlds, rounded up to an odd multiple of 16 if nothing else is asked for; what lies beyond the worlds means
  // nothing.
  std::size_t stride;

  std::vector<float> position;  // (bodies x 3 x stride) of the centres of mass, m
  std::vector<float> rotation;  // (bodies x 4 x stride) unit quaternions w x y z
  std::vector<float> velocity;  // (bodies x 3 x stride) m/s
  std::vector<float> spin;      // (bodies x 3 x stride) angular velocity in the world's frame, rad/s

  // Of the last step, or of the reset:
  std::vector<float> joint_angle;   // (joints x stride) rad
  std::vector<float> joint_rate;    // (joints x stride) (parent's spin - child's spin) along the hinge, rad/s
  std::vector<float> contact_push;  // (bodies x 3 x stride) sum over substeps of the change of velocity by contacts
  std::vector<float> contact_turn;  // (bodies x 3 x stride) the same of the spin
};

// World `from` of `source` becomes world `to` of `target`; both are of one model.
void copy_world(const PhysicsState& source, std::size_t from, PhysicsState& target, std::size_t to);

// Whether the ground pushed a body during the last step, or would at the reset.
inline bool touched_ground(const PhysicsState& state, std::size_t body, std::size_t world) {
  const float* push = &state.contact_push[3 * body * state.stride + world];
  return push[0] != 0 || push[state.stride] != 0 || push[2 * state.stride] != 0;
}

}  // namespace aria
