// Which models the fast kernels take, and that they leave others to the general one.
#include <gtest/gtest.h>

#include <functional>

#include "aria/physics/legged_tables.hpp"
#include "aria/physics/planar_tables.hpp"
#include "tests/physics/tripod_model.hpp"

namespace aria {
namespace {

using aria::testing::tripod_model;

TEST(LeggedTables, AreMadeOfTheAntAlone) {
  EXPECT_TRUE(legged_tables(ant_model()));
  EXPECT_FALSE(legged_tables(walker_model()));
  EXPECT_FALSE(legged_tables(tripod_model()));
}

TEST(LeggedTables, AreNotMadeOfLegsThatDiffer) {
  const std::function<void(PhysicsModel&)> changes[] = {
      [](auto& m) { m.bodies[3].mass = 2; },           [](auto& m) { m.bodies[8].mass = 2; },
      [](auto& m) { m.joints[2].stiffness = 17000; },  [](auto& m) { m.joints[4].upper = 31; },
      [](auto& m) { m.joints[7].lower = 29; },         [](auto& m) { m.joints[1].frame = {0, 0, 130}; },
      [](auto& m) { m.joints[6].frame = {0, 90, 0}; }, [](auto& m) { m.joints[3].child_anchor[2] = 0.1; },
      [](auto& m) { m.spheres[2].radius = 0.1; },      [](auto& m) { m.spheres[4].centre[0] = 0.3; },
      [](auto& m) { m.spheres[0].centre[2] = 0.1; },   [](auto& m) { m.velocity_growth = 0.1; },
      [](auto& m) { m.spheres.pop_back(); },           [](auto& m) { m.planar = true; }};
  for (const auto& change : changes) {
    PhysicsModel model = ant_model();
    change(model);
    EXPECT_FALSE(legged_tables(model)) << "change " << &change - changes;
  }
}

TEST(PlanarTables, AreMadeOfTheWalkerAlone) {
  EXPECT_TRUE(planar_tables(walker_model()));
  EXPECT_FALSE(planar_tables(ant_model()));
  EXPECT_FALSE(planar_tables(tripod_model()));
}

TEST(PlanarTables, AreNotMadeOfWhatTheKernelDoesNotKnow) {
  const std::function<void(PhysicsModel&)> changes[] = {[](auto& m) {
                                                          m.joints[2].frame = {0, 0, 90};
                                                        },
                                                        [](auto& m) {
                                                          m.joints[2].frame = {0, 0, -80};
                                                        },
                                                        [](auto& m) { m.joints[1].parent_anchor[0] = 0.1; },
                                                        [](auto& m) { m.joints[5].strength = 90; },
                                                        [](auto& m) { m.spheres.pop_back(); },
                                                        [](auto& m) { m.spheres.back().centre[1] = 0.1; },
                                                        [](auto& m) { m.planar = false; }};
  for (const auto& change : changes) {
    PhysicsModel model = walker_model();
    change(model);
    EXPECT_FALSE(planar_tables(model)) << "change " << &change - changes;
  }
}

}  // namespace
}  // namespace aria
