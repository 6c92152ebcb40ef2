#include "aria/physics/simulator.hpp"

#include <cassert>

#include "aria/physics/general_kernel.hpp"
#include "aria/physics/legged_kernel.hpp"
#include "aria/physics/legged_tables.hpp"
#include "aria/physics/planar_kernel.hpp"
#include "aria/physics/planar_tables.hpp"
#include "aria/physics/reset_kernel.hpp"
#include "aria/physics/tables.hpp"

namespace aria {

struct Simulator::Tables {
  PhysicsModel model;
  PhysicsTables general;
  // where the model is built so, and the fastest kernel is wanted
  std::optional<LeggedTables> legged;
  std::optional<PlanarTables> planar;
};

std::size_t physics_lanes() { return kernel_lanes(); }

Simulator::Simulator(const PhysicsModel& model, Kernel kernel) {
  model.validate();
  Tables tables{model, PhysicsTables(model), std::nullopt, std::nullopt};
  if (kernel == Kernel::kFastest) {
    tables.legged = legged_tables(model);
    tables.planar = planar_tables(model);
  }
  tables_ = std::make_shared<const Tables>(std::move(tables));
}

const PhysicsModel& Simulator::model() const { return tables_->model; }

void Simulator::step(PhysicsState& state, const float* actions) const {
  assert(state.position.size() == 3 * tables_->model.bodies.size() * state.stride);
  if (tables_->legged) {
    legged_step(*tables_->legged, state, actions);
  } else if (tables_->planar) {
    planar_step(*tables_->planar, state, actions);
  } else {
    general_step(tables_->general, state, actions);
  }
}

void Simulator::reset(PhysicsState& state, const float* angle_noise, const float* rate_noise) const {
  assert(state.position.size() == 3 * tables_->model.bodies.size() * state.stride);
  reset_worlds(tables_->general, state, angle_noise, rate_noise);
}

}  // namespace aria
