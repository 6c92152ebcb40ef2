#include "aria/task/walker.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "aria/core/require.hpp"
#include "aria/task/robot_rows.hpp"

namespace aria {

namespace {

// Where things are in what the policy sees.
enum WalkerObservation : std::size_t { kHeight = 0, kTilt, kAngles, kVelocity = 8, kSpin = 10, kRates, kSize = 17 };

constexpr std::size_t kJoints = 6;
constexpr std::size_t kActions[] = {0, 1, 2, 3, 4, 5};
constexpr float kNoLimit = std::numeric_limits<float>::infinity();
constexpr std::size_t kFeet[2] = {3, 6};  // bodies

// What is noted: steps so far with each foot on the ground, and where the torso was.
enum WalkerNote : std::size_t { kFeetDown = 0, kTorso = std::size(kFeet), kNoted };

// Right and left leg are alike: joints 0, 1, 2 change places with 3, 4, 5.
RobotSymmetry legs_swapped() {
  RobotSymmetry swap{"legs swapped", unchanged(kSize), unchanged(kJoints), unchanged(std::size(kFeet))};
  for (std::size_t j = 0; j < kJoints; ++j) {
    const auto other = static_cast<std::uint32_t>((j + kJoints / 2) % kJoints);
    swap.actions.from[j] = other;
    swap.observations.from[kAngles + j] = static_cast<std::uint32_t>(kAngles) + other;
    swap.observations.from[kRates + j] = static_cast<std::uint32_t>(kRates) + other;
  }
  swap.descriptor.from = {1, 0};
  return swap;
}

class Walker : public Robot {
 public:
  explicit Walker(const WalkerConfig& config)
      : min_height_(static_cast<float>(config.min_height)),
        max_height_(static_cast<float>(config.max_height)),
        max_tilt_(static_cast<float>(config.max_tilt)),
        forward_reward_(static_cast<float>(config.forward_reward / walker_model().step)),
        alive_reward_(static_cast<float>(config.alive_reward)),
        control_cost_(static_cast<float>(config.control_cost)) {}

  const PhysicsModel& model() const override { return walker_model(); }
  std::size_t observation_size() const override { return kSize; }
  std::size_t descriptor_size() const override { return std::size(kFeet); }
  std::size_t noted_size() const override { return kNoted; }

  void observe(const PhysicsState& state, float* observations) const override {
    const std::size_t stride = state.stride;
    const auto seen = [&](std::size_t row) { return observations + row * stride; };
    copy_rows(
        std::array{RowCopy{&state.position[2 * stride], seen(kHeight)},
                   RowCopy{state.joint_angle.data(), seen(kAngles), kJoints},
                   RowCopy{state.velocity.data(), seen(kVelocity)},
                   RowCopy{&state.velocity[2 * stride], seen(kVelocity + 1)}, RowCopy{&state.spin[stride], seen(kSpin)},
                   RowCopy{state.joint_rate.data(), seen(kRates), kJoints}},
        state.worlds, stride);
    tilts({state.rotation.data(), state.worlds, stride}, seen(kTilt));
  }

  void note(const PhysicsState& state, Episodes& episodes) const override {
    count_pushes({state.contact_push.data(), state.worlds, state.stride}, kFeet,
                 &episodes.noted[kFeetDown * state.stride]);
    std::copy_n(state.position.data(), state.worlds, &episodes.noted[kTorso * state.stride]);
  }

  void judge(const PhysicsState& state, const float* actions, Episodes& episodes) const override {
    const std::size_t stride = state.stride;
    const float* before = &episodes.noted[kTorso * stride];
    for (std::size_t w = 0; w < state.worlds; ++w) {
      episodes.reward[w] = (state.position[w] - before[w]) * forward_reward_ + alive_reward_;
    }
    subtract_squares({actions, state.worlds, stride}, kActions, kNoLimit, control_cost_, episodes.reward.data());
    float* tilt = episodes.scratch.data();
    tilts({state.rotation.data(), state.worlds, stride}, tilt);
    for (std::size_t w = 0; w < state.worlds; ++w) {
      const float height = state.position[2 * stride + w];
      episodes.fallen[w] = height < min_height_ || height > max_height_ || std::abs(tilt[w]) > max_tilt_;
    }
  }

  // The share of steps that began with each foot on the ground.
  void describe(const Episodes& episodes, std::size_t world, std::span<float> descriptor) const override {
    episodes.first_noted(world, descriptor);
    for (float& share : descriptor) share /= static_cast<float>(episodes.steps[world]);
  }

  DescriptorPath::Kind path() const override { return DescriptorPath::Kind::kShare; }
  std::vector<RobotFoot> feet() const override { return {{"right", kFeet[0]}, {"left", kFeet[1]}}; }
  std::vector<RobotSymmetry> symmetries() const override { return {legs_swapped()}; }

 private:
  float min_height_, max_height_, max_tilt_;
  float forward_reward_;  // per m
  float alive_reward_, control_cost_;
};

}  // namespace

void WalkerConfig::validate() const {
  RobotConfig::validate();
  require(grid.size() == std::size(kFeet), "grid", "two numbers of cells", grid);
  require(max_tilt > 0, "max_tilt", "above 0", max_tilt);
}

void bind_settings(SettingTable& table, WalkerConfig& config) {
  bind_settings(table, static_cast<RobotConfig&>(config));
  table.add("max_tilt", config.max_tilt, "an episode ends when the torso is tilted further to either side, rad");
  table.add("forward_reward", config.forward_reward, "reward of the forward velocity, per m/s");
}

std::shared_ptr<const RobotTask> make_walker(const WalkerConfig& config) {
  config.validate();
  TaskInfo info;
  info.name = "walker";
  info.grid = {config.grid, {0, 0}, {1, 1}};
  info.descriptor_names = {"right foot", "left foot"};
  info.fitness_range = {0, 3000};
  info.defaults.pairs = 1440;
  info.defaults.steps = 75;
  info.defaults.initial_steps = 800;
  info.defaults.sigma = 0.01;
  // an early fall makes a contact pattern that repeats well and is worth little: so no cell is ever good enough
  info.defaults.goal_fitness_weight = 0.65;
  info.defaults.goal_safe_probability = 1;
  info.defaults.goal_search_rounds = 155;
  // the published budget: (800 + 2048 + 1024 cells x 75 steps) x 2880 samples
  info.defaults.baseline_budget = std::size_t{800 + 2048 + 1024 * 75} * 2880;
  return std::make_shared<RobotTask>(std::make_shared<Walker>(config), config, info);
}

}  // namespace aria
