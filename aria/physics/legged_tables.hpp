// Four straight legs of two parts around a torso, as the Ant has them. In a frame that looks along its leg all legs are
// alike, which the kernel for them makes use of.
#pragma once

#include <cstddef>
#include <optional>

#include "aria/physics/tables.hpp"

namespace aria {

inline constexpr std::size_t kLegs = 4;

// Bodies are torso, then upper and lower part of each leg; joints are hip and ankle of each leg. Legs lie along x of
// their own frames, hips turn about z, ankles about y or against it.
struct LeggedTables : FastTables {
  // where leg k differs from the others
  float direction_x[kLegs], direction_y[kLegs];  // of the leg, in the torso's frame, a unit vector
  float turn_cosine[kLegs], turn_sine[kLegs];    // of half the angle from the torso's frame to the leg's
  float anchor_x[kLegs], anchor_y[kLegs];        // of the hip, in the torso's frame, m
  float bend_sign[kLegs];                        // 1 where the ankle turns about y, -1 where against it
  float upper_length, lower_length;              // from a part's centre to its joints, m
  float foot_radius, torso_radius;               // of the spheres at the ends of legs and round the torso, m
  float hip_lower, hip_upper;                    // rad
  float ankle_lower, ankle_upper;                // rad, where the sign is 1
  float torso_push, upper_push, lower_push;      // change of velocity per stretch of a spring, in a substep
  float torso_inverse_mass, foot_inverse_mass;   // 1/kg
};

// Nothing if the model is built otherwise.
std::optional<LeggedTables> legged_tables(const PhysicsModel& model);

}  // namespace aria
