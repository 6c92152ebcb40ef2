// The variation that gives PGA-MAP-Elites its name: every parent takes some steps up a critic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "aria/core/key.hpp"
#include "aria/core/matrix.hpp"
#include "aria/core/settings.hpp"
#include "aria/optim/adam.hpp"
#include "aria/policy/mlp_shape.hpp"
#include "aria/policy/network.hpp"
#include "aria/policy/replay_buffer.hpp"

namespace aria {

struct PolicyGradientConfig {
  std::size_t steps = 100;      // of Adam, which starts anew for every parent
  double learning_rate = 1e-3;  // of Adam
  std::size_t batch = 256;      // observations per step

  void validate() const;
};

void bind_settings(SettingTable& table, PolicyGradientConfig& config);

// Keeps the memory that its threads work in from one generation to the next.
class PolicyGradientVariation {
 public:
  PolicyGradientVariation(const PolicyGradientConfig& config, const MlpShape& actor, const MlpShape& critic);
  ~PolicyGradientVariation();

  // Row i of offspring (parents x parameters) is row i of parents after its steps up critic(s, policy(s)), on
  // observations that `key`, i and the step name. Parents go side by side; the bits depend on no number of threads.
  void vary(MatrixView parents, std::span<const float> critic, const ReplayBuffer& replay, Key key,
            MutableMatrixView offspring);

 private:
  struct Workspace;
  std::unique_ptr<Workspace> take();
  void give_back(std::unique_ptr<Workspace> workspace);
  void climb(Workspace& workspace, const ReplayBuffer& replay, Key key, std::uint32_t id, std::span<float> genotype);

  PolicyGradientConfig config_;
  AdamConfig adam_;
  MlpShape actor_;
  MlpShape critic_;
  PackedWeights packed_critic_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace>> idle_;  // what no thread works in
};

}  // namespace aria
