// Twin delayed deep deterministic policy gradient (Fujimoto et al. 2018), the learner inside PGA-MAP-Elites (Nilsson &
// Cully 2021): two critics of what actions are worth, and a greedy policy that climbs the first of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "aria/core/key.hpp"
#include "aria/core/settings.hpp"
#include "aria/core/state.hpp"
#include "aria/policy/mlp_shape.hpp"
#include "aria/policy/network.hpp"
#include "aria/policy/policy_gradient.hpp"
#include "aria/policy/replay_buffer.hpp"
#include "aria/policy/trained_network.hpp"

namespace aria {

struct Td3Config {
  std::vector<std::size_t> critic_hidden = {256, 256};
  double critic_learning_rate = 3e-4;
  double actor_learning_rate = 3e-4;
  std::size_t policy_delay = 2;             // critic steps per step of the greedy policy
  double smoothing_noise = 0.2;             // standard deviation of the noise on the target's actions
  double noise_clip = 0.5;                  // most of that noise
  double discount = 0.99;                   // of a reward one step later
  double soft_update = 0.005;               // share of the way that targets go towards what they follow
  std::size_t batch = 256;                  // transitions per step
  std::size_t replay_size = 1'000'000;      // transitions kept
  std::string replay_precision = "single";  // of observations and actions that are kept: single, half

  void validate() const;
  ReplayConfig replay(const MlpShape& actor) const;
};

void bind_settings(SettingTable& table, Td3Config& config);

class Td3 {
 public:
  // The greedy policy and its target start from `genotype`, the critics from weights that `key` names.
  Td3(const Td3Config& config, const MlpShape& actor, std::span<const float> genotype, Key key);

  // Takes `steps` steps on minibatches of `replay`; what is drawn is named by the key and the number of the step in the
  // learner's life. Gives back the mean over the steps of the critics' loss.
  double train(const ReplayBuffer& replay, Key key, std::size_t steps);

  const Td3Config& config() const { return config_; }
  const MlpShape& actor_shape() const { return actor_shape_; }
  const MlpShape& critic_shape() const { return critic_shape_; }
  const TrainedNetwork& actor() const { return actor_; }
  const TrainedNetwork& critic(std::size_t i) const { return critics_[i]; }  // 0 or 1
  std::size_t steps() const { return steps_; }

  State save() const;
  void load(const State& state);

 private:
  static constexpr std::size_t kCritics = 2;
  // Samples that go through all networks on one thread: enough that weights, read from memory, are used several times.
  static constexpr std::size_t kChunk = 64;

  double step(const ReplayBuffer& replay, Key key);
  void gather(const ReplayBuffer& replay, std::size_t first, std::size_t count);
  void value_next(Key key, std::size_t first, std::size_t count, BlockRange range);
  void find_errors(const ReplayBuffer& replay, std::size_t first, std::size_t count, BlockRange range);
  void find_gradients(bool with_actor);

  Td3Config config_;
  MlpShape actor_shape_;
  MlpShape critic_shape_;
  TrainedNetwork actor_;
  std::vector<TrainedNetwork> critics_;  // (2)
  std::size_t steps_ = 0;

  // What a step works in; carries nothing from step to step.
  PolicyGradient policy_gradient_;
  Network target_actor_pass_;
  std::vector<Network> critic_passes_;  // (2)
  LaneMatrix inputs_;                   // of the critics: observations, then actions
  LaneMatrix next_observations_;
  LaneMatrix next_inputs_;             // the same one step later
  std::vector<std::uint32_t> places_;  // (batch) in the replay buffer
  std::vector<float> next_value_;      // (batch) the lesser of the target critics'
  std::vector<float> squared_errors_;  // (2 x batch)
  std::vector<float> noise_;           // (chunks x variates x 64)
};

}  // namespace aria
