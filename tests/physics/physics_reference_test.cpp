// The reference itself, against trajectories of the original simulators. Observations and rewards are put together
// here as far as they tell something about the physics.
#include "tests/support/physics_reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/physics/golden_steps.hpp"
#include "tests/physics/recorded_steps.hpp"

namespace aria {
namespace {

using aria::testing::golden_actions;
using aria::testing::PhysicsReference;
using aria::testing::RecordedSteps;
using aria::testing::ReferenceBody;
using aria::testing::ReferenceWorld;

// The original holds its constants in single precision, which is visible where a foot just touches; and it knows no
// spheres, but capsules: a sphere at either end, half a length less a radius from the middle.
double single(double x) { return static_cast<double>(static_cast<float>(x)); }
double half_of(double length, double radius) { return single(length) / 2 - single(radius); }

void round_spheres_of_ant(std::vector<Sphere>& spheres) {
  for (Sphere& sphere : spheres) {
    const double reach = std::abs(sphere.centre[0]);
    const double half = half_of(reach > 0.15 ? 0.7256854 : 0.4428427, sphere.radius) * std::numbers::sqrt2 / 2;
    for (double& x : sphere.centre) x = x == 0 ? 0 : std::copysign(half, x);
  }
}

void round_spheres_of_walker(std::vector<Sphere>& spheres) {
  for (Sphere& sphere : spheres) {
    auto& [x, y, z] = sphere.centre;
    const bool first = &sphere == spheres.data() || (&sphere)[-1].body != sphere.body;
    switch ((sphere.body + 2) % 3 + (sphere.body == 0 ? 3 : 0)) {
      case 2:  // foot
        x = single(-0.1) + (first ? -1 : 1) * half_of(0.32, 0.06);
        y = single(-0.2);
        z = single(-0.1);
        break;
      case 1:  // leg
        z = std::copysign(half_of(0.58, 0.04), z);
        break;
      case 0:  // thigh
        z = single(-0.225) + (first ? -1 : 1) * half_of(0.55, 0.05);
        break;
      default:  // torso
        z = std::copysign(half_of(0.5, 0.05), z);
    }
  }
}

PhysicsModel in_single_precision(PhysicsModel model) {
  const auto round = [](double& x) { x = single(x); };
  for (Body& body : model.bodies) round(body.mass);
  for (Joint& joint : model.joints) {
    std::for_each(joint.parent_anchor.begin(), joint.parent_anchor.end(), round);
    std::for_each(joint.child_anchor.begin(), joint.child_anchor.end(), round);
  }
  for (auto* spheres : {&model.spheres, &model.reset_spheres}) {
    model.planar ? round_spheres_of_walker(*spheres) : round_spheres_of_ant(*spheres);
    for (Sphere& sphere : *spheres) round(sphere.radius);
  }
  if (model.start_height) round(*model.start_height);
  round(model.step);
  round(model.gravity);
  round(model.spin_growth);
  if (model.planar) model.friction = std::pow(single(0.94868330), 2);
  return model;
}

bool touches(const ReferenceBody& body) {
  return std::any_of(body.contact_push.begin(), body.contact_push.end(), [](double x) { return x != 0; });
}

std::vector<double> ant_observation(const ReferenceWorld& world) {
  const ReferenceBody& torso = world.bodies[0];
  std::vector<double> result = {torso.position[2]};
  result.insert(result.end(), torso.rotation.begin(), torso.rotation.end());
  result.insert(result.end(), world.joint_angle.begin(), world.joint_angle.end());
  result.insert(result.end(), torso.velocity.begin(), torso.velocity.end());
  result.insert(result.end(), torso.spin.begin(), torso.spin.end());
  result.insert(result.end(), world.joint_rate.begin(), world.joint_rate.end());
  for (const auto contact : {&ReferenceBody::contact_push, &ReferenceBody::contact_turn}) {
    for (const ReferenceBody& body : world.bodies) {
      for (const double x : body.*contact) result.push_back(std::clamp(x, -1.0, 1.0));
    }
    result.insert(result.end(), 3, 0.0);  // the ground
  }
  return result;
}

std::vector<double> walker_observation(const ReferenceWorld& world) {
  const ReferenceBody& torso = world.bodies[0];
  const auto& q = torso.rotation;
  std::vector<double> result = {torso.position[2], std::asin(std::clamp(2 * (q[0] * q[2] + q[1] * q[3]), -1.0, 1.0))};
  result.insert(result.end(), world.joint_angle.begin(), world.joint_angle.end());
  result.insert(result.end(), {torso.velocity[0], torso.velocity[2], torso.spin[1]});
  result.insert(result.end(), world.joint_rate.begin(), world.joint_rate.end());
  return result;
}

double ant_reward(const ReferenceWorld& world, std::span<const double> actions) {
  double reward = 1;
  for (const double action : actions) reward -= 0.5 * action * action;
  for (const ReferenceBody& body : world.bodies) {
    for (const double x : body.contact_push) reward -= 5e-4 * std::pow(std::clamp(x, -1.0, 1.0), 2);
  }
  return reward;
}

double walker_reward(const ReferenceWorld& before, const ReferenceWorld& after, std::span<const double> actions) {
  double reward = 1 + (after.bodies[0].position[0] - before.bodies[0].position[0]) / single(0.008);
  for (const double action : actions) reward -= 1e-3 * action * action;
  return reward;
}

class RecordedRobot : public ::testing::TestWithParam<std::string> {
 protected:
  bool ant() const { return GetParam() == "ant"; }

  void expect_same_bodies(const ReferenceWorld& actual, const ReferenceWorld& expected, double tolerance) const {
    for (std::size_t b = 0; b < expected.bodies.size(); ++b) {
      const ReferenceBody& a = actual.bodies[b];
      const ReferenceBody& e = expected.bodies[b];
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(a.position[i], e.position[i], tolerance) << "body " << b;
        EXPECT_NEAR(a.velocity[i], e.velocity[i], tolerance * (1 + std::abs(e.velocity[i]))) << "body " << b;
        EXPECT_NEAR(a.spin[i], e.spin[i], tolerance * (1 + std::abs(e.spin[i]))) << "body " << b;
      }
      for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(a.rotation[i], e.rotation[i], tolerance) << "body " << b;
    }
  }

  void expect_same_record(const ReferenceWorld& world, std::size_t trajectory, std::size_t time,
                          double tolerance) const {
    expect_same_bodies(world, recorded_.world(trajectory, time), tolerance);
    const std::vector<double> observation = ant() ? ant_observation(world) : walker_observation(world);
    const std::span<const double> expected = recorded_.observation(trajectory, time);
    ASSERT_EQ(observation.size(), expected.size());
    // a reset puts the lowest foot on the ground: whether it touches is a matter of the last bit
    const auto in_doubt = [&](std::size_t b) {
      return time == 0 && b < world.bodies.size() && world.contact_in_doubt[b];
    };
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (ant() && i >= 27 && in_doubt((i - 27) % 30 / 3)) continue;
      EXPECT_NEAR(observation[i], expected[i], tolerance * (1 + std::abs(expected[i]))) << "observation " << i;
    }
    for (std::size_t b = 0; b < world.bodies.size(); ++b) {
      if (in_doubt(b)) continue;
      EXPECT_EQ(touches(world.bodies[b]), recorded_.contact(trajectory, time, b)) << "body " << b;
    }
  }

  RecordedSteps recorded_{GetParam()};
  const PhysicsModel model_ = in_single_precision(GetParam() == "ant" ? ant_model() : walker_model());
  PhysicsReference reference_{model_};
};

INSTANTIATE_TEST_SUITE_P(Robots, RecordedRobot, ::testing::Values("ant", "walker"),
                         [](const auto& robot) { return robot.param; });

TEST_P(RecordedRobot, IsResetAsInTheOriginal) {
  for (std::size_t t = 0; t < RecordedSteps::kTrajectories; ++t) {
    SCOPED_TRACE(::testing::Message() << "trajectory " << t);
    expect_same_record(reference_.reset(recorded_.angle_noise(t), recorded_.rate_noise(t)), t, 0, 1e-9);
  }
}

TEST_P(RecordedRobot, StepsFromEachRecordedStateAsInTheOriginal) {
  for (std::size_t t = 0; t < RecordedSteps::kTrajectories; ++t) {
    for (std::size_t step = 0; step < RecordedSteps::kSteps; ++step) {
      SCOPED_TRACE(::testing::Message() << "trajectory " << t << ", step " << step);
      ReferenceWorld world = recorded_.world(t, step);
      const ReferenceWorld before = world;
      reference_.step(world, recorded_.actions(t, step));
      expect_same_record(world, t, step + 1, 1e-9);
      const double reward = ant() ? ant_reward(world, recorded_.actions(t, step))
                                  : walker_reward(before, world, recorded_.actions(t, step));
      EXPECT_NEAR(reward, recorded_.reward(t, step), 1e-8);
      if (HasFailure()) return;
    }
  }
}

TEST_P(RecordedRobot, StaysWithTheOriginalForTwentySteps) {
  for (std::size_t t = 0; t < RecordedSteps::kTrajectories; ++t) {
    SCOPED_TRACE(::testing::Message() << "trajectory " << t);
    ReferenceWorld world = reference_.reset(recorded_.angle_noise(t), recorded_.rate_noise(t));
    for (std::size_t step = 0; step < 20; ++step) reference_.step(world, recorded_.actions(t, step));
    expect_same_record(world, t, 20, 1e-6);
  }
}

void expect_near(std::span<const double> actual, const std::vector<double>& expected, double tolerance) {
  ASSERT_GE(actual.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(actual[i], expected[i], tolerance) << "number " << i;
}

constexpr double kPrinted = 0.6e-6;  // golden values have six decimals

TEST(GoldenAnt, AgreesWithThePublishedNumbers) {
  const PhysicsModel model = in_single_precision(ant_model());
  const PhysicsReference reference(model);
  const std::vector<double> none(8, 0.0);
  ReferenceWorld world = reference.reset(none, none);
  EXPECT_NEAR(world.bodies[0].position[2], 0.513340, kPrinted);
  expect_near(world.bodies[2].position, {0.52856, 0.52856, 0.29667}, 0.6e-5);
  expect_near(world.bodies[6].position, {-0.52856, -0.52856, 0.29667}, 0.6e-5);
  for (const ReferenceBody& body : world.bodies) EXPECT_FALSE(touches(body));

  double total = 0;
  double reward = 0;
  for (int step = 1; step <= 10; ++step) {
    reference.step(world, golden_actions(8));
    reward = ant_reward(world, golden_actions(8));
    total += reward;
    if (step > 1) continue;
    expect_near(world.bodies[0].position, aria::testing::kAntPositionAfterOne, kPrinted);
    expect_near(world.bodies[0].rotation, aria::testing::kAntRotationAfterOne, kPrinted);
    const std::vector<double> observation = ant_observation(world);
    expect_near(std::span(observation).subspan(5), aria::testing::kAntObservationAfterOne, kPrinted);
    EXPECT_NEAR(reward, -0.024079, kPrinted);
    for (std::size_t b = 0; b < 9; ++b) EXPECT_EQ(touches(world.bodies[b]), b == 2 || b == 4 || b == 6) << b;
  }
  expect_near(world.bodies[0].position, aria::testing::kAntPositionAfterTen, kPrinted);
  expect_near(world.bodies[0].rotation, aria::testing::kAntRotationAfterTen, kPrinted);
  EXPECT_NEAR(reward, -0.021283, kPrinted);
  EXPECT_NEAR(total, -0.224224, kPrinted);
}

TEST(GoldenWalker, AgreesWithThePublishedNumbers) {
  const PhysicsModel model = in_single_precision(walker_model());
  const PhysicsReference reference(model);
  const std::vector<double> none(6, 0.0);
  ReferenceWorld world = reference.reset(none, none);
  std::vector<double> start(17, 0.0);
  start[0] = 1.19;
  expect_near(walker_observation(world), start, 1e-7);
  for (const ReferenceBody& body : world.bodies) EXPECT_FALSE(touches(body));

  double total = 0;
  double reward = 0;
  for (int step = 1; step <= 10; ++step) {
    const ReferenceWorld before = world;
    reference.step(world, golden_actions(6));
    reward = walker_reward(before, world, golden_actions(6));
    total += reward;
    EXPECT_TRUE(step > 1 || touches(world.bodies[3]));
    EXPECT_TRUE(step > 1 || touches(world.bodies[6]));
    if (step > 1) continue;
    expect_near(world.bodies[0].position, aria::testing::kWalkerPositionAfterOne, kPrinted);
    const std::vector<double> observation = walker_observation(world);
    expect_near(std::span(observation).subspan(1), aria::testing::kWalkerObservationAfterOne, kPrinted);
    EXPECT_NEAR(reward, 0.998180, kPrinted);
  }
  expect_near(world.bodies[0].position, aria::testing::kWalkerPositionAfterTen, kPrinted);
  expect_near(world.bodies[0].rotation, aria::testing::kWalkerRotationAfterTen, kPrinted);
  EXPECT_NEAR(reward, 0.777359, kPrinted);
  EXPECT_NEAR(total, 8.733879, kPrinted);
  EXPECT_TRUE(touches(world.bodies[3]) && touches(world.bodies[6]));
}

}  // namespace
}  // namespace aria
