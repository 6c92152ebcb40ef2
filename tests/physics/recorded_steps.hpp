// Trajectories of the original simulators (Brax v1, legacy spring) in double precision: four of a hundred steps each.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tests/support/physics_reference.hpp"

namespace aria::testing {

class RecordedSteps {
 public:
  static constexpr std::size_t kTrajectories = 4;
  static constexpr std::size_t kSteps = 100;

  explicit RecordedSteps(const std::string& robot);  // "ant" or "walker"

  std::span<const double> angle_noise(std::size_t trajectory) const;
  std::span<const double> rate_noise(std::size_t trajectory) const;
  std::span<const double> actions(std::size_t trajectory, std::size_t step) const;
  // Before step `time`; only positions, rotations, velocities and spins are set.
  ReferenceWorld world(std::size_t trajectory, std::size_t time) const;
  std::span<const double> observation(std::size_t trajectory, std::size_t time) const;
  double reward(std::size_t trajectory, std::size_t step) const;
  bool contact(std::size_t trajectory, std::size_t time, std::size_t body) const;

 private:
  struct Array {
    std::vector<std::size_t> shape;
    std::vector<double> values;
  };
  static Array array(const std::string& robot, const std::string& name);

  Array noise_, actions_, state_, observation_, reward_, contact_;
};

}  // namespace aria::testing
