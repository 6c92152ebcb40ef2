#include "aria/task/ant.hpp"

#include <algorithm>
#include <array>
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

constexpr std::size_t kGroundAxes = 2;  // x and y: they are noted and they describe
constexpr std::size_t kLegs = 4;
constexpr std::size_t kBodies = 10;  // torso, upper leg and foot of each leg, ground

// How a turn or a mirror moves things: leg k comes from leg legs[k]; axes change places and signs, for plain vectors
// and for those that stand for a rotation; hips and ankles may turn the other way.
struct Motion {
  std::array<std::uint32_t, kLegs> legs;
  std::array<std::uint32_t, 3> axes;
  std::array<float, 3> vector_signs;
  std::array<float, 3> rotation_signs;
  float hip_sign;
  std::array<float, kLegs> ankle_signs;
};

RobotSymmetry symmetry_of(const char* name, const Motion& motion) {
  RobotSymmetry result{name, unchanged(kObservationSize), unchanged(2 * kLegs), unchanged(kGroundAxes)};
  const auto put = [](SignedMap& map, std::size_t to, std::size_t from, float sign) {
    map.from[to] = static_cast<std::uint32_t>(from);
    map.sign[to] = sign;
  };
  const auto put_axes = [&](SignedMap& map, std::size_t to, std::size_t from, const std::array<float, 3>& signs) {
    for (std::size_t axis = 0; axis < 3; ++axis) put(map, to + axis, from + motion.axes[axis], signs[axis]);
  };
  SignedMap& seen = result.observations;
  put_axes(seen, kRotation + 1, kRotation + 1, motion.rotation_signs);
  put_axes(seen, kVelocity, kVelocity, motion.vector_signs);
  put_axes(seen, kSpin, kSpin, motion.rotation_signs);
  std::array<std::size_t, kBodies> bodies{};  // where each comes from; torso and ground stay
  bodies[kBodies - 1] = kBodies - 1;
  for (std::size_t leg = 0; leg < kLegs; ++leg) {
    for (std::size_t joint = 0; joint < 2; ++joint) {
      const std::size_t to = 2 * leg + joint;
      const std::size_t from = 2 * motion.legs[leg] + joint;
      const float sign = joint == 0 ? motion.hip_sign : motion.ankle_signs[leg];
      put(seen, kAngles + to, kAngles + from, sign);
      put(seen, kRates + to, kRates + from, sign);
      put(result.actions, to, from, sign);
      bodies[1 + to] = 1 + from;
    }
  }
  for (std::size_t body = 0; body < kBodies; ++body) {
    put_axes(seen, kPushes + 3 * body, kPushes + 3 * bodies[body], motion.vector_signs);
    put_axes(seen, kTurns + 3 * body, kTurns + 3 * bodies[body], motion.rotation_signs);
  }
  for (std::size_t axis = 0; axis < kGroundAxes; ++axis) {
    put(result.descriptor, axis, motion.axes[axis], motion.vector_signs[axis]);
  }
  return result;
}

RobotSymmetry then(const RobotSymmetry& first, const RobotSymmetry& second) {
  return {first.name + ", " + second.name, composed(first.observations, second.observations),
          composed(first.actions, second.actions), composed(first.descriptor, second.descriptor)};
}

// The four legs are alike and stand in a square. The axes of the ankles of legs 1 and 3, and those of 2 and 4, point
// the same way, so that some ankles turn the other way where a leg takes another's place.
std::vector<RobotSymmetry> turns_and_mirrors() {
  // x, y become -y, x: leg 1 comes to stand where leg 2 was
  const RobotSymmetry turn = symmetry_of("quarter turn", {.legs = {3, 0, 1, 2},
                                                          .axes = {1, 0, 2},
                                                          .vector_signs = {-1, 1, 1},
                                                          .rotation_signs = {-1, 1, 1},
                                                          .hip_sign = 1,
                                                          .ankle_signs = {1, -1, 1, -1}});
  // y becomes -y: legs 1 and 4 change places, and 2 and 3
  const RobotSymmetry mirror = symmetry_of("mirror", {.legs = {3, 2, 1, 0},
                                                      .axes = {0, 1, 2},
                                                      .vector_signs = {1, -1, 1},
                                                      .rotation_signs = {-1, 1, -1},
                                                      .hip_sign = -1,
                                                      .ankle_signs = {1, 1, 1, 1}});
  std::vector<RobotSymmetry> all = {turn};
  for (int turns = 2; turns < 4; ++turns) all.push_back(then(all.back(), turn));
  all.push_back(mirror);
  for (int turns = 1; turns < 4; ++turns) all.push_back(then(all.back(), turn));
  return all;
}

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
  std::size_t descriptor_size() const override { return kGroundAxes; }
  std::size_t noted_size() const override { return kGroundAxes; }

  void observe(const PhysicsState& state, float* observations) const override {
    const std::size_t stride = state.stride;
    const auto seen = [&](std::size_t row) { return observations + row * stride; };
    copy_rows(std::array{RowCopy{&state.position[2 * stride], seen(kHeight)},
                         RowCopy{state.rotation.data(), seen(kRotation), kAngles - kRotation},
                         RowCopy{state.joint_angle.data(), seen(kAngles), kVelocity - kAngles},
                         RowCopy{state.velocity.data(), seen(kVelocity), kSpin - kVelocity},
                         RowCopy{state.spin.data(), seen(kSpin), kRates - kSpin},
                         RowCopy{state.joint_rate.data(), seen(kRates), kPushes - kRates}},
              state.worlds, stride);
    clip_rows({state.contact_push.data(), state.worlds, stride}, kTouching, 1, seen(kPushes));
    clip_rows({state.contact_turn.data(), state.worlds, stride}, kTouching, 1, seen(kTurns));
  }

  void note(const PhysicsState& state, Episodes& episodes) const override {
    for (std::size_t axis = 0; axis < kGroundAxes; ++axis) {
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

  std::vector<RobotSymmetry> symmetries() const override { return turns_and_mirrors(); }

  // Where it was before its last step.
  void describe(const Episodes& episodes, std::size_t world, std::span<float> descriptor) const override {
    episodes.first_noted(world, descriptor);
  }

  DescriptorPath::Kind path() const override { return DescriptorPath::Kind::kPlace; }

 private:
  float min_height_, max_height_, alive_reward_, control_cost_, contact_cost_;
};

}  // namespace

void AntConfig::validate() const {
  RobotConfig::validate();
  require(grid.size() == kGroundAxes, "grid", "two numbers of cells", grid);
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
