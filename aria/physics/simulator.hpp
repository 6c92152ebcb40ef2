// Steps many worlds of one robot at once. Every model runs on the general kernel; Ant and Walker have faster ones that
// do the same.
#pragma once

#include <cstddef>
#include <memory>

#include "aria/physics/model.hpp"
#include "aria/physics/physics_state.hpp"

namespace aria {

// Worlds that a vector of this machine holds: states of a multiple of it waste nothing.
std::size_t physics_lanes();

class Simulator {
 public:
  enum class Kernel { kFastest, kGeneral };
  explicit Simulator(const PhysicsModel& model, Kernel kernel = Kernel::kFastest);

  const PhysicsModel& model() const;

  // One environment step of all worlds. `actions` is (joints x state.stride).
  void step(PhysicsState& state, const float* actions) const;

  // All worlds start anew; `angle_noise` and `rate_noise` are (joints x state.stride), rad and rad/s.
  void reset(PhysicsState& state, const float* angle_noise, const float* rate_noise) const;

 private:
  struct Tables;  // the model's numbers as the kernels read them
  std::shared_ptr<const Tables> tables_;
};

}  // namespace aria
