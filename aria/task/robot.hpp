// What makes a task of a simulated robot: what its policy sees, what it is paid, when it has fallen, and what describes
// an episode. Everything is for many worlds at once, worlds fastest, as in the state.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "aria/physics/physics_state.hpp"
#include "aria/task/descriptor_path.hpp"
#include "aria/task/symmetry.hpp"

namespace aria {

inline constexpr std::size_t kRobotDescriptor = 2;  // numbers that describe an episode

// The episodes under way, one in each world.
struct Episodes {
  explicit Episodes(std::size_t padded_worlds)
      : steps(padded_worlds),
        fitness(padded_worlds),
        noted(3 * padded_worlds),
        reward(padded_worlds),
        fallen(padded_worlds),
        scratch(padded_worlds),
        stride(padded_worlds) {}

  std::vector<std::uint32_t> steps;  // (stride) done so far
  std::vector<float> fitness;        // (stride) sum of the rewards so far
  std::vector<float> noted;          // (3 x stride) what the robot keeps from step to step; zero at first
  std::vector<float> reward;         // (stride) of the last step
  std::vector<std::uint8_t> fallen;  // (stride) whether the last step ended the episode
  std::vector<float> scratch;        // (stride) for whoever judges
  std::size_t stride;

  void start(std::size_t world);
  void copy(std::size_t from, std::size_t to);
};

// What a robot sees, does and is described by, as its mirror image or turned: the same episodes happen to it.
struct RobotSymmetry {
  std::string name;
  SignedMap observations;
  SignedMap actions;
  SignedMap descriptor;
};

class Robot {
 public:
  Robot() = default;
  Robot(const Robot&) = default;
  Robot& operator=(const Robot&) = default;
  virtual ~Robot() = default;

  virtual const PhysicsModel& model() const = 0;
  virtual std::size_t observation_size() const = 0;
  // `observations` is (observation_size x stride). What is always zero need not be written: it is zero already.
  virtual void observe(const PhysicsState& state, float* observations) const = 0;
  // Before a step: notes what the descriptor and the reward need of the state.
  virtual void note(const PhysicsState& state, Episodes& episodes) const = 0;
  // After a step: its reward, and whether the robot has fallen. `actions` is (joints x stride).
  virtual void judge(const PhysicsState& state, const float* actions, Episodes& episodes) const = 0;
  // Of an episode that has ended.
  virtual std::array<float, kRobotDescriptor> descriptor(const Episodes& episodes, std::size_t world) const = 0;
  // What there is of it so far, after a step; zero before the first.
  virtual std::array<float, kRobotDescriptor> progress(const Episodes& episodes, std::size_t world) const {
    return {episodes.noted[world], episodes.noted[episodes.stride + world]};
  }
  virtual DescriptorPath::Kind path() const = 0;
  // The bodies whose contacts with the ground describe an episode; none where the torso's path does.
  virtual std::vector<std::size_t> feet() const { return {}; }
  // All but doing nothing.
  virtual std::vector<RobotSymmetry> symmetries() const { return {}; }
};

}  // namespace aria
