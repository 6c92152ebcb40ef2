// Between worlds of the kernels, in single precision, and worlds of the reference.
#pragma once

#include <cstddef>

#include "aria/physics/physics_state.hpp"
#include "tests/support/physics_reference.hpp"

namespace aria::testing {

void put_world(const ReferenceWorld& world, PhysicsState& state, std::size_t index);
ReferenceWorld take_world(const PhysicsState& state, std::size_t index);

// All numbers of one world as bits: bodies, joints, contacts.
std::vector<std::uint32_t> bits_of_world(const PhysicsState& state, std::size_t index);

// Both leave out contacts of `expected` that are in doubt.
// The largest difference between the worlds, each number relative to the largest of its kind in `expected`, or to 1 if
// that is more.
double difference(const ReferenceWorld& actual, const ReferenceWorld& expected);

// Whether the same bodies touch the ground.
bool same_contacts(const ReferenceWorld& actual, const ReferenceWorld& expected);

}  // namespace aria::testing
