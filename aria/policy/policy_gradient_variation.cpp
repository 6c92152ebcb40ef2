#include "aria/policy/policy_gradient_variation.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "aria/core/parallel.hpp"
#include "aria/core/require.hpp"
#include "aria/policy/policy_gradient.hpp"

namespace aria {

void PolicyGradientConfig::validate() const {
  require(steps >= 1 && steps <= 100'000'000, "gradient_steps", "from 1 to 1e8", steps);
  require(learning_rate > 0 && learning_rate <= 10, "gradient_learning_rate", "above 0, at most 10", learning_rate);
  require(batch >= 1 && batch <= (std::size_t{1} << 20), "gradient_batch", "from 1 to 2^20", batch);
}

void bind_settings(SettingTable& table, PolicyGradientConfig& config) {
  table.add("gradient_steps", config.steps, "steps that a parent takes up the critic");
  table.add("gradient_learning_rate", config.learning_rate, "step size of Adam for these steps");
  table.add("gradient_batch", config.batch, "observations per such step");
}

// What one parent needs at a time.
struct PolicyGradientVariation::Workspace {
  PolicyGradient gradient_of;
  PackedWeights packed;
  std::vector<float> gradient;
  AdamState adam;
  std::vector<std::uint32_t> places;

  Workspace(const MlpShape& actor, const MlpShape& critic, std::size_t batch)
      : gradient_of(actor, critic, batch),
        packed(actor),
        gradient(actor.parameters()),
        adam(actor.parameters()),
        places(batch) {}
};

PolicyGradientVariation::PolicyGradientVariation(const PolicyGradientConfig& config, const MlpShape& actor,
                                                 const MlpShape& critic)
    : config_(config), actor_(actor), critic_(critic), packed_critic_(critic) {
  config_.validate();
  adam_.learning_rate = config_.learning_rate;
}

PolicyGradientVariation::~PolicyGradientVariation() = default;

std::unique_ptr<PolicyGradientVariation::Workspace> PolicyGradientVariation::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto result = std::move(idle_.back());
      idle_.pop_back();
      return result;
    }
  }
  return std::make_unique<Workspace>(actor_, critic_, config_.batch);
}

void PolicyGradientVariation::give_back(std::unique_ptr<Workspace> workspace) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(workspace));
}

void PolicyGradientVariation::climb(Workspace& workspace, const ReplayBuffer& replay, Key key, std::uint32_t id,
                                    std::span<float> genotype) {
  std::ranges::fill(workspace.adam.mean, 0.0f);
  std::ranges::fill(workspace.adam.square, 0.0f);
  workspace.adam.steps = 0;
  for (std::size_t step = 0; step < config_.steps; ++step) {
    replay.draw(key, id, static_cast<std::uint32_t>(step), workspace.places);
    replay.observations(workspace.places, 0, workspace.gradient_of.observations());
    workspace.packed.set(genotype);
    workspace.gradient_of.run(workspace.packed, packed_critic_, workspace.gradient);
    adam_ascend(adam_, workspace.adam, workspace.gradient, genotype);
  }
}

void PolicyGradientVariation::vary(MatrixView parents, std::span<const float> critic, const ReplayBuffer& replay,
                                   Key key, MutableMatrixView offspring) {
  assert(parents.columns() == actor_.parameters() && offspring.columns() == parents.columns());
  assert(offspring.rows() == parents.rows() && critic.size() == critic_.parameters());
  require(replay.size() > 0, "the replay buffer", "filled before a variation", replay.size());
  require(replay.config().observations == actor_.inputs(), "observations of the replay buffer",
          fmt::format("{} numbers long", actor_.inputs()), replay.config().observations);
  packed_critic_.set(critic);
  parallel_for(parents.rows(), 1, [&](std::size_t i) {
    std::unique_ptr<Workspace> workspace = take();
    std::ranges::copy(parents.row(i), offspring.row(i).begin());
    climb(*workspace, replay, key, static_cast<std::uint32_t>(i), offspring.row(i));
    give_back(std::move(workspace));
  });
}

}  // namespace aria
