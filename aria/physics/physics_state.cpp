#include "aria/physics/physics_state.hpp"

#include <cassert>

namespace aria {
namespace {

constexpr std::size_t kLongestVector = 16;  // lanes

// An odd number of vectors: rows a power of two apart would share a few lines of the cache.
std::size_t stride_of(std::size_t worlds) {
  const std::size_t vectors = (worlds + kLongestVector - 1) / kLongestVector;
  return (vectors | 1) * kLongestVector;
}

}  // namespace

PhysicsState::PhysicsState(const PhysicsModel& model, std::size_t world_count)
    : PhysicsState(model, world_count, stride_of(world_count)) {}

PhysicsState::PhysicsState(const PhysicsModel& model, std::size_t world_count, std::size_t padded)
    : worlds(world_count),
      stride(padded),
      position(3 * model.bodies.size() * stride),
      rotation(4 * model.bodies.size() * stride),
      velocity(3 * model.bodies.size() * stride),
      spin(3 * model.bodies.size() * stride),
      joint_angle(model.joints.size() * stride),
      joint_rate(model.joints.size() * stride),
      contact_push(3 * model.bodies.size() * stride),
      contact_turn(3 * model.bodies.size() * stride) {
  assert(stride >= worlds);
  // every body at the origin, not turned
  for (std::size_t body = 0; body < model.bodies.size(); ++body) {
    for (std::size_t world = 0; world < stride; ++world) rotation[4 * body * stride + world] = 1;
  }
}

void copy_world(const PhysicsState& source, std::size_t from, PhysicsState& target, std::size_t to) {
  assert(from < source.worlds && to < target.worlds);
  for (const auto array : {&PhysicsState::position, &PhysicsState::rotation, &PhysicsState::velocity,
                           &PhysicsState::spin, &PhysicsState::joint_angle, &PhysicsState::joint_rate,
                           &PhysicsState::contact_push, &PhysicsState::contact_turn}) {
    const std::vector<float>& values = source.*array;
    std::vector<float>& copy = target.*array;
    assert(values.size() / source.stride == copy.size() / target.stride);
    const std::size_t rows = values.size() / source.stride;
    for (std::size_t row = 0; row < rows; ++row) copy[row * target.stride + to] = values[row * source.stride + from];
  }
}

}  // namespace aria
