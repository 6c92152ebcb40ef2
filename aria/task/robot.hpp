// What makes a task of a simulated robot: what its policy sees, what it is paid, when it has fallen, and what describes
// an episode. Everything is for many worlds at once, worlds fastest, as in the state.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "aria/physics/physics_state.hpp"
#include "aria/task/descriptor_path.hpp"
#include "aria/task/symmetry.hpp"

namespace aria {

// The episodes under way, one in each world.
struct Episodes {
  Episodes(std::size_t padded_worlds, std::size_t noted_size)
      : steps(padded_worlds),
        fitness(padded_worlds),
        noted(noted_size * padded_worlds),
        reward(padded_worlds),
        fallen(padded_worlds),
        scratch(padded_worlds),
        stride(padded_worlds) {}

  std::vector<std::uint32_t> steps;  // (stride) done so far
  std::vector<float> fitness;        // (stride) sum of the rewards so far
  std::vector<float> noted;          // (noted size x stride) what the robot keeps from step to step; zero at first
  std::vector<float> reward;         // (stride) of the last step
  std::vector<std::uint8_t> fallen;  // (stride) whether the last step ended the episode
  std::vector<float> scratch;        // (stride) for whoever judges
  std::size_t stride;

  void start(std::size_t world);
  void copy(std::size_t from, std::size_t to);
  // As many of the numbers noted as there is room for.
  void first_noted(std::size_t world, std::span<float> out) const {
    assert(out.size() * stride <= noted.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = noted[i * stride + world];
  }
};

// What a robot sees, does and is described by, as its mirror image or turned: the same episodes happen to it.
struct RobotSymmetry {
  std::string name;
  SignedMap observations;
  SignedMap actions;
  SignedMap descriptor;
};

// A body by the name that a report gives it.
struct RobotFoot {
  std::string name;
  std::size_t body;
};

class Robot {
 public:
  Robot() = default;
  Robot(const Robot&) = default;
  Robot& operator=(const Robot&) = default;
  virtual ~Robot() = default;

  virtual const PhysicsModel& model() const = 0;
  virtual std::size_t observation_size() const = 0;
  // Numbers that describe an episode.
  virtual std::size_t descriptor_size() const = 0;
  // Numbers that it keeps of each world from step to step.
  virtual std::size_t noted_size() const = 0;
  // `observations` is (observation_size x stride). What is always zero need not be written: it is zero already.
  virtual void observe(const PhysicsState& state, float* observations) const = 0;
  // Before a step: notes what the descriptor and the reward need of the state.
  virtual void note(const PhysicsState& state, Episodes& episodes) const = 0;
  // After a step: its reward, and whether the robot has fallen. `actions` is (joints x stride).
  virtual void judge(const PhysicsState& state, const float* actions, Episodes& episodes) const = 0;
  // Of an episode that has ended: its descriptor.
  virtual void describe(const Episodes& episodes, std::size_t world, std::span<float> descriptor) const = 0;
  // What there is of it so far, after a step; zero before the first.
  virtual void progress(const Episodes& episodes, std::size_t world, std::span<float> so_far) const {
    episodes.first_noted(world, so_far);
  }
  // A place of two numbers is where the torso is on the ground: reports draw its way there.
  virtual DescriptorPath::Kind path() const = 0;
  // Where an episode is described by the share of time that each of some bodies touches the ground: those, in the order
  // of the descriptor.
  virtual std::vector<RobotFoot> feet() const { return {}; }
  // All but doing nothing.
  virtual std::vector<RobotSymmetry> symmetries() const { return {}; }
};

}  // namespace aria
