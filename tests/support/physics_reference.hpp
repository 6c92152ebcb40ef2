// The dynamics written plainly in double precision, one world at a time, body by body and joint by joint: what the
// kernels are compared with.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "aria/physics/model.hpp"

namespace aria::testing {

using Quat = std::array<double, 4>;  // w x y z

struct ReferenceBody {
  Vec3 position{};
  Quat rotation{1, 0, 0, 0};
  Vec3 velocity{};
  Vec3 spin{};
  Vec3 contact_push{};  // of the last step, or of the reset
  Vec3 contact_turn{};
};

struct ReferenceWorld {
  std::vector<ReferenceBody> bodies;
  std::vector<double> joint_angle;
  std::vector<double> joint_rate;

  // Which contacts were so near to begin or end that a rounding may flip them, by body.
  std::vector<bool> contact_in_doubt;
};

class PhysicsReference {
 public:
  explicit PhysicsReference(const PhysicsModel& model) : model_(model) {}

  ReferenceWorld reset(std::span<const double> angle_noise, std::span<const double> rate_noise) const;
  void step(ReferenceWorld& world, std::span<const double> actions) const;

 private:
  void move(ReferenceWorld& world) const;
  void accelerate(ReferenceWorld& world, std::span<const double> actions) const;
  void touch_ground(ReferenceWorld& world, bool apply) const;
  void keep_in_plane(ReferenceBody& body) const;
  void measure_rates(ReferenceWorld& world) const;
  double angle_of(const ReferenceWorld& world, const Joint& joint) const;

  const PhysicsModel& model_;
};

}  // namespace aria::testing
