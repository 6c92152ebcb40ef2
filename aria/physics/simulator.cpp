#include "aria/physics/simulator.hpp"

#include <cassert>

#include "aria/physics/general_kernel.hpp"
#include "aria/physics/reset_kernel.hpp"
#include "aria/physics/tables.hpp"

namespace aria {

struct Simulator::Tables {
  PhysicsModel model;
  PhysicsTables general;
};

std::size_t physics_lanes() { return kernel_lanes(); }

Simulator::Simulator(const PhysicsModel& model, Kernel /*kernel*/) {
  model.validate();
  tables_ = std::make_shared<const Tables>(Tables{model, PhysicsTables(model)});
}

const PhysicsModel& Simulator::model() const { return tables_->model; }

void Simulator::step(PhysicsState& state, const float* actions) const {
  assert(state.position.size() == 3 * tables_->model.bodies.size() * state.stride);
  general_step(tables_->general, state, actions);
}

void Simulator::reset(PhysicsState& state, const float* angle_noise, const float* rate_noise) const {
  assert(state.position.size() == 3 * tables_->model.bodies.size() * state.stride);
  reset_worlds(tables_->general, state, angle_noise, rate_noise);
}

}  // namespace aria
