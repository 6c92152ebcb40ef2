// What PGA-MAP-Elites learns from its rollouts, and the offspring that it breeds by what it has learnt.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "aria/archive/archive.hpp"
#include "aria/core/key.hpp"
#include "aria/core/matrix.hpp"
#include "aria/core/settings.hpp"
#include "aria/core/state.hpp"
#include "aria/policy/policy_gradient_variation.hpp"
#include "aria/policy/replay_buffer.hpp"
#include "aria/policy/td3.hpp"
#include "aria/task/episode_steps.hpp"

namespace aria {

struct PgaLearnerConfig {
  Td3Config td3;
  PolicyGradientConfig gradient;
  std::size_t critic_steps = 300;  // of training per generation

  void validate() const;
  std::size_t memory_bytes(const MlpShape& policy) const;  // at most, most of it the replay buffer
};

void bind_settings(SettingTable& table, PgaLearnerConfig& config);

class PgaLearner {
 public:
  // The greedy policy starts from `genotype`.
  PgaLearner(const PgaLearnerConfig& config, const MlpShape& policy, std::span<const float> genotype, Key key);

  // Remembers the steps of every episode, in the order given, and trains on what it remembers.
  void learn(std::span<const EpisodeSteps> episodes);
  bool ready() const { return replay_.size() > 0; }

  // Offspring of elites drawn uniformly, each after its steps up the first critic; the last row is the greedy policy
  // itself. Of a learner that is ready and an archive that is not empty.
  void breed(const Archive& archive, Key key, MutableMatrixView offspring);

  const Td3& td3() const { return td3_; }
  double critic_loss() const { return critic_loss_; }  // mean over the training of the last generation

  State save() const;
  void load(State state);

 private:
  void remember(const EpisodeSteps& steps);

  PgaLearnerConfig config_;
  Key key_;
  ReplayBuffer replay_;
  Td3 td3_;
  PolicyGradientVariation variation_;
  double critic_loss_ = 0;
  Matrix parents_;                       // memory of `breed`
  std::vector<std::uint8_t> done_;       // memory of `remember`, as the next
  std::vector<std::uint8_t> truncated_;  // (steps)
};

}  // namespace aria
