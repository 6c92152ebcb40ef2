#include "tests/physics/world_access.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/bits.hpp"

namespace aria::testing {
namespace {

// Calls f(array of the state, row, number of the world) for every number of the world.
template <class State, class World, class F>
void for_each_number(State& state, World& world, const F& f) {
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    auto& body = world.bodies[b];
    for (std::size_t i = 0; i < 3; ++i) f(state.position, 3 * b + i, body.position[i]);
    for (std::size_t i = 0; i < 4; ++i) f(state.rotation, 4 * b + i, body.rotation[i]);
    for (std::size_t i = 0; i < 3; ++i) f(state.velocity, 3 * b + i, body.velocity[i]);
    for (std::size_t i = 0; i < 3; ++i) f(state.spin, 3 * b + i, body.spin[i]);
    for (std::size_t i = 0; i < 3; ++i) f(state.contact_push, 3 * b + i, body.contact_push[i]);
    for (std::size_t i = 0; i < 3; ++i) f(state.contact_turn, 3 * b + i, body.contact_turn[i]);
  }
  for (std::size_t j = 0; j < world.joint_angle.size(); ++j) {
    f(state.joint_angle, j, world.joint_angle[j]);
    f(state.joint_rate, j, world.joint_rate[j]);
  }
}

// Numbers of one kind, over all bodies or joints.
class Kind {
 public:
  void add(double actual, double expected) {
    const double distance = std::abs(actual - expected);
    difference_ = std::isfinite(distance) ? std::max(difference_, distance) : std::numeric_limits<double>::infinity();
    scale_ = std::max(scale_, std::abs(expected));
  }
  double relative() const { return difference_ / scale_; }

 private:
  double difference_ = 0;
  double scale_ = 1;
};

bool touches(const ReferenceBody& body) {
  return std::any_of(body.contact_push.begin(), body.contact_push.end(), [](double x) { return x != 0; });
}

}  // namespace

void put_world(const ReferenceWorld& world, PhysicsState& state, std::size_t index) {
  for_each_number(state, world, [&](std::vector<float>& array, std::size_t row, double number) {
    array[row * state.stride + index] = static_cast<float>(number);
  });
}

ReferenceWorld take_world(const PhysicsState& state, std::size_t index) {
  ReferenceWorld world;
  world.bodies.resize(state.position.size() / (3 * state.stride));
  world.joint_angle.resize(state.joint_angle.size() / state.stride);
  world.joint_rate.resize(world.joint_angle.size());
  for_each_number(state, world, [&](const std::vector<float>& array, std::size_t row, double& number) {
    number = static_cast<double>(array[row * state.stride + index]);
  });
  return world;
}

std::vector<std::uint32_t> bits_of_world(const PhysicsState& state, std::size_t index) {
  std::vector<float> numbers;
  ReferenceWorld world = take_world(state, index);
  for_each_number(state, world, [&](const std::vector<float>& array, std::size_t row, double) {
    numbers.push_back(array[row * state.stride + index]);
  });
  return bits_of(numbers);
}

double difference(const ReferenceWorld& actual, const ReferenceWorld& expected) {
  Kind position, rotation, velocity, spin, push, turn, angle;
  const auto add = [](Kind& kind, const auto& a, const auto& e) {
    for (std::size_t i = 0; i < e.size(); ++i) kind.add(a[i], e[i]);
  };
  for (std::size_t b = 0; b < expected.bodies.size(); ++b) {
    add(position, actual.bodies[b].position, expected.bodies[b].position);
    add(rotation, actual.bodies[b].rotation, expected.bodies[b].rotation);
    add(velocity, actual.bodies[b].velocity, expected.bodies[b].velocity);
    add(spin, actual.bodies[b].spin, expected.bodies[b].spin);
    if (expected.contact_in_doubt[b]) continue;
    add(push, actual.bodies[b].contact_push, expected.bodies[b].contact_push);
    add(turn, actual.bodies[b].contact_turn, expected.bodies[b].contact_turn);
  }
  add(angle, actual.joint_angle, expected.joint_angle);
  add(spin, actual.joint_rate, expected.joint_rate);  // differences of spins
  return std::max({position.relative(), rotation.relative(), velocity.relative(), spin.relative(), push.relative(),
                   turn.relative(), angle.relative()});
}

bool same_contacts(const ReferenceWorld& actual, const ReferenceWorld& expected) {
  for (std::size_t i = 0; i < expected.bodies.size(); ++i) {
    if (!expected.contact_in_doubt[i] && touches(actual.bodies[i]) != touches(expected.bodies[i])) return false;
  }
  return true;
}

}  // namespace aria::testing
