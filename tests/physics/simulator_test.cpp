// The kernels: against the reference from common states, against each other, and what they must not depend on.
#include "aria/physics/simulator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "tests/physics/golden_steps.hpp"
#include "tests/physics/recorded_steps.hpp"
#include "tests/physics/tripod_model.hpp"
#include "tests/physics/world_access.hpp"
#include "tests/support/physics_reference.hpp"
#include "tests/support/simd_targets.hpp"

namespace aria {
namespace {

using aria::testing::bits_of_world;
using aria::testing::difference;
using aria::testing::for_each_simd_target;
using aria::testing::PhysicsReference;
using aria::testing::put_world;
using aria::testing::RecordedSteps;
using aria::testing::ReferenceWorld;
using aria::testing::same_contacts;
using aria::testing::take_world;
using aria::testing::tripod_model;

constexpr double kOneStep = 5e-5;  // float against double, relative
constexpr double kReset = 1e-5;    // a reset is one evaluation

struct Case {
  std::string robot;
  Simulator::Kernel kernel;

  const PhysicsModel& model() const {
    return robot == "ant" ? ant_model() : robot == "walker" ? walker_model() : tripod_model();
  }
  friend void PrintTo(const Case& c, std::ostream* out) { *out << c.robot; }
};

// Worlds in the middle of a movement, with an action each: of the recordings, or made by the reference.
struct Scene {
  std::vector<ReferenceWorld> worlds;
  std::vector<std::vector<double>> actions;
};

Scene recorded_scene(const std::string& robot) {
  const RecordedSteps recorded(robot);
  Scene scene;
  for (std::size_t t = 0; t < RecordedSteps::kTrajectories; ++t) {
    for (std::size_t step = 0; step < RecordedSteps::kSteps; ++step) {
      scene.worlds.push_back(recorded.world(t, step));
      const auto actions = recorded.actions(t, step);
      scene.actions.emplace_back(actions.begin(), actions.end());
    }
  }
  return scene;
}

Scene simulated_scene(const PhysicsModel& model) {
  const PhysicsReference reference(model);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> noise(model.joints.size());
  Scene scene;
  for (int trajectory = 0; trajectory < 4; ++trajectory) {
    for (double& x : noise) x = 0.1 * uniform(random);
    ReferenceWorld world = reference.reset(noise, noise);
    for (int step = 0; step < 20; ++step) {
      std::vector<double> actions(model.joints.size());
      for (double& x : actions) x = uniform(random);
      scene.worlds.push_back(world);
      scene.actions.push_back(actions);
      reference.step(world, actions);
    }
  }
  return scene;
}

const Scene& scene_of(const std::string& robot) {
  static const Scene ant = recorded_scene("ant");
  static const Scene walker = recorded_scene("walker");
  static const Scene tripod = simulated_scene(tripod_model());
  return robot == "ant" ? ant : robot == "walker" ? walker : tripod;
}

// Worlds `first`, `first + 1`, ... of a scene, in the kernels' layout. Beyond the worlds there is rubbish.
struct Batch {
  PhysicsState state;
  std::vector<float> actions;

  Batch(const PhysicsModel& model, const Scene& scene, std::size_t first, std::size_t worlds)
      : state(model, worlds), actions(model.joints.size() * state.stride, std::nanf("")) {
    for (std::size_t w = 0; w < worlds; ++w) {
      const std::size_t entry = (first + w) % scene.worlds.size();
      put_world(scene.worlds[entry], state, w);
      for (std::size_t j = 0; j < model.joints.size(); ++j) {
        actions[j * state.stride + w] = static_cast<float>(scene.actions[entry][j]);
      }
    }
  }
};

std::vector<double> column(const std::vector<float>& rows, std::size_t stride, std::size_t world) {
  std::vector<double> result;
  for (std::size_t i = world; i < rows.size(); i += stride) result.push_back(static_cast<double>(rows[i]));
  return result;
}

// One step of every world by the reference, from the worlds as the kernels see them.
std::vector<ReferenceWorld> reference_steps(const PhysicsModel& model, const Batch& batch) {
  const PhysicsReference reference(model);
  std::vector<ReferenceWorld> result;
  for (std::size_t w = 0; w < batch.state.worlds; ++w) {
    result.push_back(take_world(batch.state, w));
    reference.step(result.back(), column(batch.actions, batch.state.stride, w));
  }
  return result;
}

struct Noise {
  std::vector<float> angles, rates;

  Noise(const PhysicsModel& model, std::size_t stride, float range)
      : angles(model.joints.size() * stride), rates(model.joints.size() * stride) {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> uniform(-range, range);
    for (std::size_t w = 0; w < stride; ++w) {
      for (std::size_t i = w; i < angles.size(); i += stride) angles[i] = uniform(random);
      for (std::size_t i = w; i < rates.size(); i += stride) rates[i] = uniform(random);
    }
  }
};

class Kernels : public ::testing::TestWithParam<Case> {
 protected:
  const PhysicsModel& model_ = GetParam().model();
  const Scene& scene_ = scene_of(GetParam().robot);
  Simulator simulator_{model_, GetParam().kernel};
};

INSTANTIATE_TEST_SUITE_P(
    Robots, Kernels,
    ::testing::Values(Case{"ant", Simulator::Kernel::kGeneral}, Case{"ant", Simulator::Kernel::kFastest},
                      Case{"walker", Simulator::Kernel::kGeneral}, Case{"walker", Simulator::Kernel::kFastest},
                      Case{"tripod", Simulator::Kernel::kFastest}),
    [](const auto& robot) {
      return robot.param.robot + (robot.param.kernel == Simulator::Kernel::kGeneral ? "General" : "Fastest");
    });

// --- Steps ---------------------------------------------------------------------------------------------------------

TEST_P(Kernels, StepAsTheReference) {
  const Batch batch(model_, scene_, 0, scene_.worlds.size());
  const std::vector<ReferenceWorld> expected = reference_steps(model_, batch);
  for_each_simd_target([&](bool) {
    Batch stepped = batch;
    simulator_.step(stepped.state, stepped.actions.data());
    for (std::size_t w = 0; w < expected.size(); ++w) {
      const ReferenceWorld actual = take_world(stepped.state, w);
      EXPECT_LT(difference(actual, expected[w]), kOneStep) << "world " << w;
      EXPECT_TRUE(same_contacts(actual, expected[w])) << "world " << w;
    }
  });
}

TEST_P(Kernels, StepAnyNumberOfWorlds) {
  for (const std::size_t worlds : {1u, 3u, 17u}) {
    SCOPED_TRACE(::testing::Message() << worlds << " worlds");
    const Batch batch(model_, scene_, 40, worlds);
    const std::vector<ReferenceWorld> expected = reference_steps(model_, batch);
    for_each_simd_target([&](bool) {
      Batch stepped = batch;
      simulator_.step(stepped.state, stepped.actions.data());
      for (std::size_t w = 0; w < worlds; ++w) {
        EXPECT_LT(difference(take_world(stepped.state, w), expected[w]), kOneStep) << "world " << w;
      }
    });
  }
}

TEST_P(Kernels, StepAsTheGeneralKernel) {
  const Batch batch(model_, scene_, 0, scene_.worlds.size());
  const std::vector<ReferenceWorld> expected = reference_steps(model_, batch);
  const Simulator general(model_, Simulator::Kernel::kGeneral);
  Batch stepped = batch;
  Batch compared = batch;
  simulator_.step(stepped.state, stepped.actions.data());
  general.step(compared.state, compared.actions.data());
  for (std::size_t w = 0; w < expected.size(); ++w) {
    ReferenceWorld other = take_world(compared.state, w);
    other.contact_in_doubt = expected[w].contact_in_doubt;
    EXPECT_LT(difference(take_world(stepped.state, w), other), 2 * kOneStep) << "world " << w;
  }
}

TEST_P(Kernels, GiveTheSameBitsOnEveryTargetWithFusedMultiplyAdd) {
  std::vector<std::vector<std::uint32_t>> first;
  for_each_simd_target([&](bool fused) {
    if (!fused) return;
    Batch batch(model_, scene_, 0, 33);
    for (int step = 0; step < 5; ++step) simulator_.step(batch.state, batch.actions.data());
    for (std::size_t w = 0; w < 33; ++w) {
      if (first.size() <= w) first.push_back(bits_of_world(batch.state, w));
      EXPECT_EQ(bits_of_world(batch.state, w), first[w]) << "world " << w;
    }
  });
}

TEST_P(Kernels, DoNotDependOnTheLaneOrTheOtherWorlds) {
  for_each_simd_target([&](bool) {
    Batch together(model_, scene_, 0, 40);
    for (int step = 0; step < 3; ++step) simulator_.step(together.state, together.actions.data());
    for (const std::size_t first : {1u, 7u, 20u, 39u}) {
      Batch apart(model_, scene_, first, 1);
      for (int step = 0; step < 3; ++step) simulator_.step(apart.state, apart.actions.data());
      EXPECT_EQ(bits_of_world(apart.state, 0), bits_of_world(together.state, first)) << "world " << first;
    }
  });
}

TEST_P(Kernels, DependOnTheAction) {
  Batch batch(model_, scene_, 0, 1);
  Batch other = batch;
  for (float& action : other.actions) action += 0.5f;
  simulator_.step(batch.state, batch.actions.data());
  simulator_.step(other.state, other.actions.data());
  EXPECT_NE(bits_of_world(batch.state, 0), bits_of_world(other.state, 0));
}

// --- Resets --------------------------------------------------------------------------------------------------------

TEST_P(Kernels, ResetAsTheReference) {
  const PhysicsReference reference(model_);
  for (const std::size_t worlds : {1u, 3u, 17u}) {
    PhysicsState state(model_, worlds);
    const Noise noise(model_, state.stride, 0.1f);
    for_each_simd_target([&](bool) {
      std::fill(state.velocity.begin(), state.velocity.end(), 7.0f);
      simulator_.reset(state, noise.angles.data(), noise.rates.data());
      for (std::size_t w = 0; w < worlds; ++w) {
        const ReferenceWorld expected =
            reference.reset(column(noise.angles, state.stride, w), column(noise.rates, state.stride, w));
        const ReferenceWorld actual = take_world(state, w);
        EXPECT_LT(difference(actual, expected), kReset) << "world " << w << " of " << worlds;
        EXPECT_TRUE(same_contacts(actual, expected)) << "world " << w;
      }
    });
  }
}

TEST_P(Kernels, MeasureAnglesAllTheWayRound) {
  const PhysicsReference reference(model_);
  PhysicsState state(model_, 65);
  const Noise noise(model_, state.stride, 6.0f);
  for_each_simd_target([&](bool) {
    simulator_.reset(state, noise.angles.data(), noise.rates.data());
    for (std::size_t w = 0; w < state.worlds; ++w) {
      const ReferenceWorld actual = take_world(state, w);
      const ReferenceWorld expected =
          reference.reset(column(noise.angles, state.stride, w), column(noise.rates, state.stride, w));
      for (std::size_t j = 0; j < model_.joints.size(); ++j) {
        const double apart = std::remainder(actual.joint_angle[j] - expected.joint_angle[j], 2 * std::numbers::pi);
        EXPECT_NEAR(apart, 0, 2e-6) << "joint " << j << " of world " << w;
        EXPECT_LE(std::abs(actual.joint_angle[j]), 3.141593);
      }
    }
  });
}

TEST_P(Kernels, ResetToTheSameBitsInAnyLaneAndOnEveryTargetWithFusedMultiplyAdd) {
  std::vector<std::uint32_t> first;
  for_each_simd_target([&](bool fused) {
    PhysicsState state(model_, 17);
    Noise noise(model_, state.stride, 0.1f);
    for (std::size_t j = 0; j < model_.joints.size(); ++j) {
      noise.angles[j * state.stride + 16] = noise.angles[j * state.stride + 5];
      noise.rates[j * state.stride + 16] = noise.rates[j * state.stride + 5];
    }
    simulator_.reset(state, noise.angles.data(), noise.rates.data());
    EXPECT_EQ(bits_of_world(state, 16), bits_of_world(state, 5));
    EXPECT_NE(bits_of_world(state, 16), bits_of_world(state, 6));
    if (!fused) return;
    if (first.empty()) first = bits_of_world(state, 5);
    EXPECT_EQ(bits_of_world(state, 5), first);
  });
}

// --- Golden values -------------------------------------------------------------------------------------------------

void expect_near(const std::vector<double>& actual, const std::vector<double>& expected, double tolerance) {
  ASSERT_GE(actual.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(actual[i], expected[i], tolerance) << "number " << i;
}

template <std::size_t N>
std::vector<double> numbers(const std::array<double, N>& a) {
  return {a.begin(), a.end()};
}

// One world from a reset without noise, under the golden actions.
class GoldenKernels : public Kernels {
 protected:
  ReferenceWorld after(int steps) const {
    PhysicsState state(model_, 1);
    const std::vector<float> none(model_.joints.size() * state.stride, 0.0f);
    std::vector<float> actions = none;
    const std::vector<double> golden = aria::testing::golden_actions(model_.joints.size());
    for (std::size_t j = 0; j < golden.size(); ++j) actions[j * state.stride] = static_cast<float>(golden[j]);
    simulator_.reset(state, none.data(), none.data());
    for (int step = 0; step < steps; ++step) simulator_.step(state, actions.data());
    return take_world(state, 0);
  }
};

class GoldenAntKernels : public GoldenKernels {};
INSTANTIATE_TEST_SUITE_P(Ant, GoldenAntKernels,
                         ::testing::Values(Case{"ant", Simulator::Kernel::kGeneral},
                                           Case{"ant", Simulator::Kernel::kFastest}));

TEST_P(GoldenAntKernels, AgreeWithThePublishedNumbers) {
  for_each_simd_target([&](bool) {
    const ReferenceWorld start = after(0);
    EXPECT_NEAR(start.bodies[0].position[2], 0.513340, 2e-6);
    expect_near(numbers(start.bodies[4].position), {-0.52856, 0.52856, 0.29667}, 1e-5);
    const ReferenceWorld one = after(1);
    expect_near(numbers(one.bodies[0].position), aria::testing::kAntPositionAfterOne, 5e-6);
    expect_near(numbers(one.bodies[0].rotation), aria::testing::kAntRotationAfterOne, 5e-6);
    std::vector<double> seen = one.joint_angle;
    for (const double x : one.bodies[0].velocity) seen.push_back(x);
    for (const double x : one.bodies[0].spin) seen.push_back(x);
    seen.insert(seen.end(), one.joint_rate.begin(), one.joint_rate.end());
    expect_near(seen, aria::testing::kAntObservationAfterOne, 3e-4);
    for (std::size_t b = 0; b < 9; ++b) {
      EXPECT_EQ(one.bodies[b].contact_push[2] != 0, b == 2 || b == 4 || b == 6) << "body " << b;
    }
    const ReferenceWorld ten = after(10);
    expect_near(numbers(ten.bodies[0].position), aria::testing::kAntPositionAfterTen, 1e-3);
    expect_near(numbers(ten.bodies[0].rotation), aria::testing::kAntRotationAfterTen, 1e-3);
  });
}

class GoldenWalkerKernels : public GoldenKernels {};
INSTANTIATE_TEST_SUITE_P(Walker, GoldenWalkerKernels,
                         ::testing::Values(Case{"walker", Simulator::Kernel::kGeneral},
                                           Case{"walker", Simulator::Kernel::kFastest}));

TEST_P(GoldenWalkerKernels, AgreeWithThePublishedNumbers) {
  for_each_simd_target([&](bool) {
    const ReferenceWorld start = after(0);
    EXPECT_NEAR(start.bodies[0].position[2], 1.19, 1e-7);
    for (const auto& body : start.bodies) EXPECT_EQ(body.contact_push, Vec3{});
    const ReferenceWorld one = after(1);
    expect_near(numbers(one.bodies[0].position), aria::testing::kWalkerPositionAfterOne, 2e-6);
    const Vec3& velocity = one.bodies[0].velocity;
    std::vector<double> seen = {std::asin(2 * one.bodies[0].rotation[0] * one.bodies[0].rotation[2])};
    seen.insert(seen.end(), one.joint_angle.begin(), one.joint_angle.end());
    seen.insert(seen.end(), {velocity[0], velocity[2], one.bodies[0].spin[1]});
    seen.insert(seen.end(), one.joint_rate.begin(), one.joint_rate.end());
    expect_near(seen, aria::testing::kWalkerObservationAfterOne, 1e-4);
    EXPECT_NE(one.bodies[3].contact_push[2], 0);
    EXPECT_NE(one.bodies[6].contact_push[2], 0);
    const ReferenceWorld ten = after(10);
    expect_near(numbers(ten.bodies[0].position), aria::testing::kWalkerPositionAfterTen, 1e-4);
    expect_near(numbers(ten.bodies[0].rotation), aria::testing::kWalkerRotationAfterTen, 1e-4);
  });
}

// --- The rest ------------------------------------------------------------------------------------------------------

TEST(Simulator, KeepsAPlanarRobotInItsPlane) {
  for (const auto kernel : {Simulator::Kernel::kGeneral, Simulator::Kernel::kFastest}) {
    const Simulator simulator(walker_model(), kernel);
    Batch batch(walker_model(), scene_of("walker"), 0, 20);
    const Noise noise(walker_model(), batch.state.stride, 0.005f);
    simulator.reset(batch.state, noise.angles.data(), noise.rates.data());
    const std::vector<float> start = batch.state.position;
    for (int step = 0; step < 20; ++step) simulator.step(batch.state, batch.actions.data());
    const std::size_t stride = batch.state.stride;
    for (std::size_t w = 0; w < 20; ++w) {
      for (std::size_t b = 0; b < 7; ++b) {
        EXPECT_EQ(batch.state.position[(3 * b + 1) * stride + w], start[(3 * b + 1) * stride + w]);
        EXPECT_EQ(batch.state.rotation[(4 * b + 1) * stride + w], 0);
        EXPECT_EQ(batch.state.rotation[(4 * b + 3) * stride + w], 0);
        EXPECT_EQ(batch.state.velocity[(3 * b + 1) * stride + w], 0);
        EXPECT_EQ(batch.state.spin[(3 * b + 0) * stride + w], 0);
        EXPECT_EQ(batch.state.spin[(3 * b + 2) * stride + w], 0);
      }
    }
  }
}

// Bodies that turn fast beside ones that do not, joints that come round.
TEST(Simulator, MeasuresAnglesOfAPlanarRobotAlsoInFastTurns) {
  const PhysicsModel& model = walker_model();
  const Simulator simulator(model);
  PhysicsState state(model, 65);
  const Noise noise(model, state.stride, 3.0f);
  const std::vector<float> actions(model.joints.size() * state.stride, 0.0f);
  for_each_simd_target([&](bool) {
    simulator.reset(state, noise.angles.data(), noise.rates.data());
    for (std::size_t w = 0; w < state.worlds; w += 2) {
      for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        state.spin[(3 * b + 1) * state.stride + w] = (b % 2 == 0 ? 4.0f : -4.0f) * static_cast<float>(w);  // rad/s
      }
    }
    simulator.step(state, actions.data());
    for (std::size_t w = 0; w < state.worlds; ++w) {
      const ReferenceWorld world = take_world(state, w);
      const auto turn = [&](std::size_t body) {
        return 2 * std::atan2(world.bodies[body].rotation[2], world.bodies[body].rotation[0]);
      };
      for (std::size_t j = 0; j < model.joints.size(); ++j) {
        const double expected = turn(model.joints[j].parent) - turn(model.joints[j].child);
        const double apart = std::remainder(world.joint_angle[j] - expected, 2 * std::numbers::pi);
        EXPECT_NEAR(apart, 0, 3e-6) << "joint " << j << " of world " << w;
        EXPECT_LE(std::abs(world.joint_angle[j]), 3.141593);
      }
    }
  });
}

TEST(Simulator, KnowsHowManyWorldsAVectorHolds) {
  for_each_simd_target([](bool) { EXPECT_THAT(physics_lanes(), ::testing::AnyOf(1u, 4u, 8u, 16u)); });
}

TEST(Simulator, HoldsItsModel) { EXPECT_EQ(Simulator(ant_model()).model().name, "ant"); }

}  // namespace
}  // namespace aria
