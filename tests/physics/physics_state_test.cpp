#include "aria/physics/physics_state.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "tests/physics/world_access.hpp"

namespace aria {
namespace {

using aria::testing::bits_of_world;

TEST(PhysicsState, HasWholeVectorsOfWorlds) {
  for (const std::size_t worlds : {1u, 15u, 16u, 17u, 1024u}) {
    const PhysicsState state(ant_model(), worlds);
    EXPECT_EQ(state.worlds, worlds);
    EXPECT_EQ(state.stride % 16, 0u);
    EXPECT_GE(state.stride, worlds);
    EXPECT_LT(state.stride, worlds + 32);
    EXPECT_EQ(state.stride / 16 % 2, 1u);
    EXPECT_EQ(state.position.size(), 9 * 3 * state.stride);
    EXPECT_EQ(state.rotation.size(), 9 * 4 * state.stride);
    EXPECT_EQ(state.velocity.size(), 9 * 3 * state.stride);
    EXPECT_EQ(state.spin.size(), 9 * 3 * state.stride);
    EXPECT_EQ(state.joint_angle.size(), 8 * state.stride);
    EXPECT_EQ(state.joint_rate.size(), 8 * state.stride);
    EXPECT_EQ(state.contact_push.size(), 9 * 3 * state.stride);
    EXPECT_EQ(state.contact_turn.size(), 9 * 3 * state.stride);
  }
}

TEST(PhysicsState, CopiesOneWholeWorldAndNoOther) {
  PhysicsState source(walker_model(), 5);
  float number = 1;
  for (auto* array : {&source.position, &source.rotation, &source.velocity, &source.spin, &source.joint_angle,
                      &source.joint_rate, &source.contact_push, &source.contact_turn}) {
    for (float& x : *array) x = number++;
  }
  PhysicsState target(walker_model(), 40);
  const PhysicsState before = target;
  copy_world(source, 3, target, 33);
  for (std::size_t w = 0; w < 40; ++w) {
    EXPECT_EQ(bits_of_world(target, w), w == 33 ? bits_of_world(source, 3) : bits_of_world(before, w)) << w;
  }
}

}  // namespace
}  // namespace aria
