#include "aria/algorithm/pga_learner.hpp"

#include <algorithm>
#include <cassert>

#include "aria/core/draws.hpp"
#include "aria/core/require.hpp"
#include "aria/core/validated.hpp"

namespace aria {

namespace {

// Branches of the learner's key and of the key of a generation's offspring.
enum Branch : std::uint64_t { kCritics, kTraining, kParents, kGradients };

}  // namespace

void PgaLearnerConfig::validate() const {
  td3.validate();
  gradient.validate();
  require(critic_steps >= 1 && critic_steps <= 100'000'000, "critic_steps", "from 1 to 1e8", critic_steps);
}

std::size_t PgaLearnerConfig::memory_bytes(const MlpShape& policy) const { return replay_bytes(td3.replay(policy)); }

void bind_settings(SettingTable& table, PgaLearnerConfig& config) {
  table.add("critic_steps", config.critic_steps, "steps of training per generation");
  bind_settings(table, config.td3);
  bind_settings(table, config.gradient);
}

PgaLearner::PgaLearner(const PgaLearnerConfig& config, const MlpShape& policy, std::span<const float> genotype, Key key)
    : config_(validated(config)),
      key_(key),
      replay_(config.td3.replay(policy)),
      td3_(config.td3, policy, genotype, key.child(kCritics)),
      variation_(config.gradient, policy, td3_.critic_shape()) {}

void PgaLearner::remember(const EpisodeSteps& steps) {
  const std::size_t count = steps.size();
  if (count == 0) return;
  done_.assign(count, 0);
  truncated_.assign(count, 0);
  (steps.terminated ? done_ : truncated_).back() = 1;
  const MatrixView seen = steps.observations;
  replay_.insert({.observation = seen.rows(0, count),
                  .next_observation = seen.rows(1, count),
                  .action = steps.actions,
                  .reward = steps.rewards,
                  .done = done_,
                  .truncated = truncated_});
}

void PgaLearner::learn(std::span<const EpisodeSteps> episodes) {
  for (const EpisodeSteps& steps : episodes) remember(steps);
  if (ready()) critic_loss_ = td3_.train(replay_, key_.child(kTraining), config_.critic_steps);
}

void PgaLearner::breed(const Archive& archive, Key key, MutableMatrixView offspring) {
  assert(ready() && archive.size() > 0);
  if (offspring.rows() == 0) return;
  const std::size_t parents = offspring.rows() - 1;
  parents_.resize(parents, offspring.columns());
  for (std::size_t i = 0; i < parents; ++i) {
    const auto words = key.child(kParents).bits(Purpose::kSelection, static_cast<std::uint32_t>(i), 0, 0);
    std::ranges::copy(archive.genotype(index_from(words[0], archive.size())), parents_.row(i).begin());
  }
  variation_.vary(parents_, td3_.critic(0).parameters(), replay_, key.child(kGradients), offspring.rows(0, parents));
  std::ranges::copy(td3_.actor().parameters(), offspring.row(parents).begin());
}

State PgaLearner::save() const {
  State state;
  state.put_part("replay/", replay_.save());
  state.put_part("td3/", td3_.save());
  state.put("critic_loss", std::vector<double>{critic_loss_});
  return state;
}

void PgaLearner::load(State state) {
  replay_.load(state.take_part("replay/"));
  td3_.load(state.part("td3/"));
  critic_loss_ = state.get<double>("critic_loss", 1).front();
}

}  // namespace aria
