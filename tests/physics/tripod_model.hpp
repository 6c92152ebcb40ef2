// A robot that has no kernel of its own: a body on three legs of unlike make.
#pragma once

#include "aria/physics/model.hpp"

namespace aria::testing {

inline Joint tripod_hip(std::size_t child, const Vec3& anchor, const Vec3& frame, double rest) {
  return {.name = "hip",
          .parent = 0,
          .child = child,
          .parent_anchor = anchor,
          .child_anchor = {0.05, -0.02, 0.25},
          .frame = frame,
          .lower = rest - 20,
          .upper = rest + 35,
          .rest = rest,
          .stiffness = 6000,
          .damping = 60,
          .angle_damping = 12,
          .strength = 120};
}

inline const PhysicsModel& tripod_model() {
  static const PhysicsModel model{
      .name = "tripod",
      .bodies = {{"body", 5}, {"leg 1", 1.5}, {"leg 2", 1}, {"leg 3", 2}},
      .joints = {tripod_hip(1, {0.3, 0, 0}, {10, -35, 80}, 15), tripod_hip(2, {-0.2, 0.25, 0}, {0, 20, 170}, -10),
                 tripod_hip(3, {-0.2, -0.25, 0.05}, {-25, 5, -120}, 0)},
      .spheres = {{0, {0, 0, 0.1}, 0.15},
                  {1, {0, 0, -0.25}, 0.05},
                  {2, {0.02, 0, -0.25}, 0.06},
                  {2, {-0.02, 0.03, -0.25}, 0.06},
                  {3, {0, 0, -0.25}, 0.05}},
      .reset_spheres = {{0, {0, 0, 0}, 0.15}, {1, {0, 0, -0.25}, 0.05}, {2, {0, 0, -0.25}, 0.06}},
      .start_height = std::nullopt,
      .step = 0.02,
      .substeps = 5,
      .gravity = -9.81,
      .velocity_growth = -0.1,
      .spin_growth = -0.2,
      .friction = 0.7,
      .planar = false};
  return model;
}

}  // namespace aria::testing
