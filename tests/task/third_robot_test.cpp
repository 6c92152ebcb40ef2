// A robot that the program does not know, as a user would write it: the table of its bodies and a class that says what
// its task is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "aria/report/packing.hpp"
#include "aria/report/report_data.hpp"
#include "aria/sources/report_motion.hpp"
#include "aria/task/robot_rows.hpp"
#include "aria/task/trajectory.hpp"
#include "tests/physics/tripod_model.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/mlp_reference.hpp"
#include "tests/support/physics_reference.hpp"

namespace aria {
namespace {

using aria::testing::bits_of;
using aria::testing::message_of;
using aria::testing::mlp_reference;
using aria::testing::PhysicsReference;
using aria::testing::ReferenceBody;
using aria::testing::ReferenceWorld;
using aria::testing::tripod_model;
using ::testing::ElementsAre;

constexpr std::size_t kJoints = 3;
constexpr std::size_t kFeet[] = {1, 2, 3};  // bodies
constexpr float kControlCost = 0.1f;
constexpr float kMinHeight = 0.3f;

// Paid for lifting its body, described by the share of steps that begin with each of three feet on the ground.
class Tripod : public Robot {
 public:
  const PhysicsModel& model() const override { return tripod_model(); }
  std::size_t observation_size() const override { return 1 + 2 * kJoints; }
  std::size_t descriptor_size() const override { return std::size(kFeet); }
  std::size_t noted_size() const override { return std::size(kFeet) + 1; }

  void observe(const PhysicsState& state, float* observations) const override {
    const std::size_t stride = state.stride;
    copy_rows(std::array{RowCopy{&state.position[2 * stride], observations},
                         RowCopy{state.joint_angle.data(), observations + stride, kJoints},
                         RowCopy{state.joint_rate.data(), observations + (1 + kJoints) * stride, kJoints}},
              state.worlds, stride);
  }

  void note(const PhysicsState& state, Episodes& episodes) const override {
    count_pushes({state.contact_push.data(), state.worlds, state.stride}, kFeet, episodes.noted.data());
    std::copy_n(&state.position[2 * state.stride], state.worlds, &episodes.noted[std::size(kFeet) * state.stride]);
  }

  void judge(const PhysicsState& state, const float* actions, Episodes& episodes) const override {
    for (std::size_t w = 0; w < state.worlds; ++w) {
      const float height = state.position[2 * state.stride + w];
      episodes.reward[w] = height - episodes.noted[std::size(kFeet) * state.stride + w];
      for (std::size_t j = 0; j < kJoints; ++j) {
        const float action = actions[j * state.stride + w];
        episodes.reward[w] -= kControlCost * action * action;
      }
      episodes.fallen[w] = height < kMinHeight;
    }
  }

  void describe(const Episodes& episodes, std::size_t world, std::span<float> descriptor) const override {
    episodes.first_noted(world, descriptor);
    for (float& share : descriptor) share /= static_cast<float>(episodes.steps[world]);
  }

  DescriptorPath::Kind path() const override { return DescriptorPath::Kind::kShare; }
  std::vector<RobotFoot> feet() const override {
    return {{"front", kFeet[0]}, {"rear left", kFeet[1]}, {"rear right", kFeet[2]}};
  }
};

// The same robot, described by a single number: how high its body was before the last step.
class HighTripod : public Tripod {
 public:
  std::size_t descriptor_size() const override { return 1; }
  void progress(const Episodes& episodes, std::size_t world, std::span<float> so_far) const override {
    so_far[0] = episodes.noted[std::size(kFeet) * episodes.stride + world];
  }
  void describe(const Episodes& episodes, std::size_t world, std::span<float> descriptor) const override {
    progress(episodes, world, descriptor);
  }
  DescriptorPath::Kind path() const override { return DescriptorPath::Kind::kPlace; }
  std::vector<RobotFoot> feet() const override { return {}; }
};

template <class Kind>
RobotTask task_of(const std::vector<std::size_t>& grid, std::size_t episode_length = 12) {
  RobotConfig config;
  config.episode_length = episode_length;
  config.reset_noise = 0.1;
  config.hidden = {8};
  TaskInfo info;
  info.name = "tripod";
  info.grid = {grid, std::vector<double>(grid.size(), 0), std::vector<double>(grid.size(), 1)};
  return RobotTask(std::make_shared<Kind>(), config, info);
}

RobotTask tripod(std::size_t episode_length = 12) { return task_of<Tripod>({4, 4, 4}, episode_length); }

SampleRequest request_of(const RobotTask& task, std::size_t centres) {
  SampleRequest request;
  request.centres.resize(centres, task.info().parameters);
  request.ids.resize(centres);
  std::iota(request.ids.begin(), request.ids.end(), 40u);
  for (std::size_t i = 0; i < centres; ++i) task.initial_genotype(Key(9), request.ids[i], request.centres.row(i));
  request.samples = 3;
  request.key = Key(31);
  return request;
}

struct Results {
  Results(const RobotTask& task, const SampleRequest& request)
      : fitness(request.evaluations()),
        descriptors(request.evaluations(), task.info().descriptor_size()),
        episodes(request.evaluations()) {
    task.evaluate(request, 0, {fitness, descriptors.view(), nullptr, episodes});
  }

  std::vector<float> fitness;
  Matrix descriptors;
  std::vector<EpisodeSteps> episodes;
};

std::vector<float> noise_of(const RobotTask& task, const SampleRequest& request, std::size_t evaluation) {
  return reset_noise(task, request.key, request.ids[evaluation / request.samples],
                     static_cast<std::uint32_t>(evaluation % request.samples));
}

// An episode once more, in double precision, straight from the definition of everything.
struct PlainRollout {
  PlainRollout(const RobotTask& task, std::span<const float> policy, std::span<const float> noise) {
    const PhysicsReference physics(tripod_model());
    const std::vector<double> start(noise.begin(), noise.end());
    ReferenceWorld world = physics.reset(std::span(start).first(kJoints), std::span(start).last(kJoints));
    while (steps < task.episode_length() && world.bodies[0].position[2] >= kMinHeight) {
      std::vector<double> seen = {world.bodies[0].position[2]};
      seen.insert(seen.end(), world.joint_angle.begin(), world.joint_angle.end());
      seen.insert(seen.end(), world.joint_rate.begin(), world.joint_rate.end());
      for (std::size_t f = 0; f < std::size(kFeet); ++f) down[f] += touches(world.bodies[kFeet[f]]) ? 1 : 0;
      const std::vector<double> actions = mlp_reference(task.policy(), policy, seen);
      physics.step(world, actions);
      fitness += world.bodies[0].position[2] - seen[0];
      for (const double action : actions) fitness -= double{kControlCost} * action * action;
      ++steps;
    }
  }

  static bool touches(const ReferenceBody& body) { return body.contact_push != Vec3{}; }

  std::size_t steps = 0;
  double fitness = 0;
  std::array<double, std::size(kFeet)> down{};  // steps
};

TEST(ThirdRobot, GivesWhatAPlainRolloutGives) {
  const RobotTask task = tripod();
  const SampleRequest request = request_of(task, 9);
  const Results results(task, request);
  for (std::size_t e = 0; e < request.evaluations(); ++e) {
    const PlainRollout plain(task, request.centres.row(e / request.samples), noise_of(task, request, e));
    EXPECT_EQ(results.episodes[e].size(), plain.steps) << e;
    EXPECT_NEAR(results.fitness[e], plain.fitness, 1e-3) << e;
    for (std::size_t f = 0; f < std::size(kFeet); ++f) {
      EXPECT_NEAR(results.descriptors(e, f), plain.down[f] / static_cast<double>(plain.steps), 1e-6) << e << " " << f;
    }
  }
}

void expect_as_recorded(const RobotTask& task, std::size_t size) {
  const SampleRequest request = request_of(task, 9);
  const Results results(task, request);
  for (std::size_t e = 0; e < request.evaluations(); ++e) {
    const Trajectory recorded =
        record_rollout(task, request.centres.row(e / request.samples), noise_of(task, request, e));
    EXPECT_EQ(bits_of(std::span(&results.fitness[e], 1)), bits_of(std::span(&recorded.fitness, 1))) << e;
    EXPECT_EQ(bits_of(results.descriptors.row(e)), bits_of(recorded.descriptor)) << e;
    EXPECT_EQ(recorded.descriptor.size(), size);
    // what there is of a share is a number of steps
    const Matrix& progress = results.episodes[e].progress;
    ASSERT_EQ(progress.columns(), size);
    const bool share = task.info().path->kind == DescriptorPath::Kind::kShare;
    const float whole = share ? static_cast<float>(recorded.length) : 1.0f;
    for (std::size_t k = 0; k < size; ++k) {
      EXPECT_EQ(progress(recorded.length - 1, k) / whole, recorded.descriptor[k]) << e << " " << k;
    }
  }
}

TEST(ThirdRobot, IsDescribedByAsManyNumbersAsItSays) {
  expect_as_recorded(tripod(40), 3);
  expect_as_recorded(task_of<HighTripod>({10}, 40), 1);
}

template <class Kind>
std::string refusal(const std::vector<std::size_t>& grid) {
  return message_of([&] { task_of<Kind>(grid); });
}

TEST(ThirdRobot, HasAGridOfAsManyDimensionsAndAsManyFeet) {
  EXPECT_EQ(refusal<Tripod>({4, 4}), "the grid's dimensions must be 3, as many as numbers describe an episode, got 2");
  struct Lame : Tripod {
    std::vector<RobotFoot> feet() const override { return {{"front", 1}}; }
  };
  EXPECT_EQ(refusal<Lame>({4, 4, 4}),
            "the robot's feet must be 3, one for each number that describes an episode, got 1");
}

TEST(ThirdRobot, ShowsItsFeetInAReport) {
  const RobotTask task = tripod();
  ReportArchive archive;
  archive.table.solution = request_of(task, 2).centres;
  archive.motion = motion_of(task, archive.table, std::nullopt, 7);
  ASSERT_TRUE(archive.motion);
  EXPECT_THAT(archive.motion->feet, ElementsAre("front", "rear left", "rear right"));

  // touches, by rollout, foot and step
  std::vector<std::uint8_t> touches;
  std::vector<std::int32_t> steps;
  for (std::uint32_t i = 0; i < 4; ++i) {
    const Trajectory recorded =
        record_rollout(task, archive.table.solution.row(i / 2), reset_noise(task, Key(7), 0, i % 2));
    steps.push_back(static_cast<std::int32_t>(recorded.length));
    for (std::size_t f = 0; f < std::size(kFeet); ++f) {
      float down = 0;
      for (std::size_t step = 0; step < task.episode_length(); ++step) {
        const std::uint8_t touch = step < recorded.length ? recorded.contact[4 * step + kFeet[f]] : std::uint8_t{0};
        touches.push_back(touch);
        down += touch;
      }
      EXPECT_EQ(down / static_cast<float>(recorded.length), recorded.descriptor[f]) << i << " " << f;
    }
  }
  EXPECT_EQ(archive.motion->touches, touches);

  const ReportRun run{.name = "tripod",
                      .task = "tripod",
                      .algorithm = "",
                      .seed = {},
                      .settings = {},
                      .grid = Grid(task.info().grid),
                      .fitness_range = {0, 1},
                      .evaluations = {},
                      .seconds = {},
                      .archives = {archive},
                      .progress = {}};
  const auto motion = nlohmann::json::parse(report_json({run}, 0))["items"][0]["archives"][0]["motion"];
  EXPECT_EQ(motion["kind"], "gait");
  EXPECT_EQ(motion["rollouts"], 2);
  EXPECT_EQ(motion["steps"], packed(steps));
  EXPECT_EQ(motion["feet"], nlohmann::json({"front", "rear left", "rear right"}));
  EXPECT_EQ(motion["touches"], packed_bits(touches));
}

TEST(ThirdRobot, ShowsNoMotionWhereAReportCouldNotDrawIt) {
  const RobotTask task = task_of<HighTripod>({10});
  ArchiveTable table;
  table.solution = request_of(task, 2).centres;
  EXPECT_FALSE(motion_of(task, table, std::nullopt, 7));
}

}  // namespace
}  // namespace aria
