#include "aria/physics/model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "aria/physics/simulator.hpp"
#include "tests/physics/tripod_model.hpp"
#include "tests/support/messages.hpp"

namespace aria {
namespace {

using aria::testing::message_of;
using aria::testing::tripod_model;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(PhysicsModel, IsGivenForAntAndWalker) {
  EXPECT_EQ(ant_model().bodies.size(), 9u);
  EXPECT_EQ(ant_model().joints.size(), 8u);
  EXPECT_EQ(ant_model().spheres.size(), 5u);
  EXPECT_EQ(ant_model().reset_spheres.size(), 17u);
  EXPECT_DOUBLE_EQ(ant_model().substep(), 0.005);
  EXPECT_EQ(walker_model().bodies.size(), 7u);
  EXPECT_EQ(walker_model().joints.size(), 6u);
  EXPECT_EQ(walker_model().spheres.size(), 14u);
  EXPECT_DOUBLE_EQ(walker_model().substep(), 0.002);
  EXPECT_NO_THROW(ant_model().validate());
  EXPECT_NO_THROW(walker_model().validate());
  EXPECT_NO_THROW(tripod_model().validate());
}

std::string refusal(const std::function<void(PhysicsModel&)>& spoil) {
  PhysicsModel model = tripod_model();
  spoil(model);
  return message_of([&] { Simulator simulator(model); });
}

TEST(PhysicsModel, RefusesWhatIsNoTreeOfBodies) {
  EXPECT_THAT(refusal([](auto& m) { m.joints.pop_back(); }),
              AllOf(HasSubstr("joints of model tripod"), HasSubstr("one less than its bodies"), HasSubstr("got 2")));
  EXPECT_THAT(refusal([](auto& m) { m.joints[0].parent = 3; }),
              AllOf(HasSubstr("parent of joint hip"), HasSubstr("earlier joint"), HasSubstr("got 3")));
  EXPECT_THAT(refusal([](auto& m) { m.joints[1].child = 1; }),
              AllOf(HasSubstr("child of joint hip"), HasSubstr("got 1")));
  EXPECT_THAT(refusal([](auto& m) { m.joints[1].child = 9; }),
              AllOf(HasSubstr("child of joint hip"), HasSubstr("got 9")));
  EXPECT_THAT(refusal([](auto& m) {
                m.bodies.resize(33, {"more", 1});
              }),
              AllOf(HasSubstr("bodies of model tripod"), HasSubstr("1 to 32"), HasSubstr("got 33")));
  EXPECT_THAT(refusal([](auto& m) { m.bodies.clear(); }), HasSubstr("got 0"));
}

TEST(PhysicsModel, RefusesImpossibleNumbers) {
  EXPECT_THAT(refusal([](auto& m) { m.bodies[2].mass = 0; }), AllOf(HasSubstr("mass of body leg 2"), HasSubstr("> 0")));
  EXPECT_THAT(refusal([](auto& m) { m.joints[0].lower = 60; }), AllOf(HasSubstr("lower limit"), HasSubstr("got 60")));
  EXPECT_THAT(refusal([](auto& m) { m.joints[0].stiffness = 0; }), HasSubstr("stiffness of joint hip"));
  EXPECT_THAT(refusal([](auto& m) { m.step = 0; }), HasSubstr("step of model tripod"));
  EXPECT_THAT(refusal([](auto& m) { m.substeps = 0; }), HasSubstr("substeps of model tripod"));
  EXPECT_THAT(refusal([](auto& m) { m.friction = -1; }), HasSubstr("friction of model tripod"));
}

TEST(PhysicsModel, RefusesSpheresOutOfPlace) {
  EXPECT_THAT(refusal([](auto& m) { m.spheres[4].body = 4; }), AllOf(HasSubstr("body of a sphere"), HasSubstr("4")));
  EXPECT_THAT(refusal([](auto& m) { m.spheres[0].radius = 0; }), HasSubstr("radius of a sphere"));
  EXPECT_THAT(refusal([](auto& m) { std::swap(m.spheres[0], m.spheres[1]); }), HasSubstr("grouped by body"));
  EXPECT_THAT(refusal([](auto& m) { m.reset_spheres.clear(); }), HasSubstr("no start height"));
}

}  // namespace
}  // namespace aria
