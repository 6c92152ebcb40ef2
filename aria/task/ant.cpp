#include "aria/task/ant.hpp"

#include <algorithm>
#include <limits>

#include "aria/core/require.hpp"
#include "aria/task/robot_rows.hpp"

namespace aria {

namespace {

// Where things are in what the policy sees.
enum AntObservation : std::size_t {
  kHeight = 0,
  kRotation = 1,
  kAngles = 5,
  kVelocity = 13,
  kSpin = 16,
  kRates = 19,
  kPushes = 27,  // by contacts, of nine bodies and the ground
  kTurns = 57,
  kObservationSize = 87
};

constexpr std::size_t kActions[] = {0, 1, 2, 3, 4, 5, 6, 7};
// Rows x, y, z of the torso and of the feet: no other body ever touches the ground.
constexpr std::size_t kTouching[] = {0, 1, 2, 6, 7, 8, 12, 13, 14, 18, 19, 20, 24, 25, 26};
constexpr float kNoLimit = std::numeric_limits<float>::infinity();

constexpr float kFarthest = 30;  // m, beyond which a position is noted as this

class Ant : public Robot {
 public:
  explicit Ant(const AntConfig& config)
      : min_height_(static_cast<float>(config.min_height)),
        max_height_(static_cast<float>(config.max_height)),
        alive_reward_(static_cast<float>(config.alive_reward)),
        control_cost_(static_cast<float>(config.control_cost)),
        contact_cost_(static_cast<float>(config.contact_cost)) {}

  const PhysicsModel& model() const override { return ant_model(); }
  std::size_t observation_size() const override { return kObservationSize; }

  void observe(const PhysicsState& state, float* observations) const override {
    const std::size_t stride = state.stride;
    const auto copy = [&](const std::vector<float>& from, std::size_t row, std::size_t rows, std::size_t to) {
      for (std::size_t r = 0; r < rows; ++r) {
        std::copy_n(&from[(row + r) * stride], state.worlds, observations + (to + r) * stride);
      }
    };
    copy(state.position, 2, 1, kHeight);
    copy(state.rotation, 0, 4, kRotation);
    copy(state.joint_angle, 0, kVelocity - kAngles, kAngles);
    copy(state.velocity, 0, 3, kVelocity);
    copy(state.spin, 0, 3, kSpin);
    copy(state.joint_rate, 0, kPushes - kRates, kRates);
    clip_rows({state.contact_push.data(), state.worlds, stride}, kTouching, 1, observations + kPushes * stride);
    clip_rows({state.contact_turn.data(), state.worlds, stride}, kTouching, 1, observations + kTurns * stride);
  }

  void note(const PhysicsState& state, Episodes& episodes) const override {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      for (std::size_t w = 0; w < state.worlds; ++w) {
        episodes.noted[axis * state.stride + w] =
            std::clamp(state.position[axis * state.stride + w], -kFarthest, kFarthest);
      }
    }
  }

  void judge(const PhysicsState& state, const float* actions, Episodes& episodes) const override {
    const std::size_t stride = state.stride;
    std::fill_n(episodes.reward.begin(), state.worlds, alive_reward_);
    subtract_squares({actions, state.worlds, stride}, kActions, kNoLimit, control_cost_, episodes.reward.data());
    subtract_squares({state.contact_push.data(), state.worlds, stride}, kTouching, 1, contact_cost_,
                     episodes.reward.data());
    for (std::size_t w = 0; w < state.worlds; ++w) {
      const float height = state.position[2 * stride + w];
      episodes.fallen[w] = height < min_height_ || height > max_height_;
    }
  }

  // Where it was before its last step.
  std::array<float, kRobotDescriptor> descriptor(const Episodes& episodes, std::size_t world) const override {
    return {episodes.noted[world], episodes.noted[episodes.stride + world]};
  }

  DescriptorPath::Kind path() const override { return DescriptorPath::Kind::kPlace; }

 private:
  float min_height_, max_height_, alive_reward_, control_cost_, contact_cost_;
};

}  // namespace

void AntConfig::validate() const {
  RobotConfig::validate();
  require(range > 0 && range <= kFarthest, "range", fmt::format("above 0, up to {}", kFarthest), range);
}

void bind_settings(SettingTable& table, AntConfig& config) {
  bind_settings(table, static_cast<RobotConfig&>(config));
  table.add("contact_cost", config.contact_cost, "cost of the sum of the squared contact impulses");
  table.add("range", config.range, "the grid reaches this far from the start in x and y, m");
}

std::shared_ptr<const RobotTask> make_ant(const AntConfig& config) {
  config.validate();
  TaskInfo info;
  info.name = "ant";
  info.grid = {config.grid, {-config.range, -config.range}, {config.range, config.range}};
  info.fitness_range = {-150, 100};
  info.distance_range = {0, 30};
  info.defaults.initial_steps = 100;
  // the published budget: (100 + 2048 + 1024 cells x 100 steps) x 4096 samples
  info.defaults.baseline_budget = std::size_t{100 + 2048 + 1024 * 100} * 4096;
  return std::make_shared<RobotTask>(std::make_shared<Ant>(config), config, info);
}

}  // namespace aria
