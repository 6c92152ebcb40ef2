#include "aria/algorithm/pga_map_elites.hpp"

#include <utility>

#include "aria/core/finite.hpp"
#include "aria/core/require.hpp"

namespace aria {

namespace {

// Branches of the key.
enum Branch : std::uint64_t { kGenerations, kLearner, kBreeding };

const MlpShape& policy_of(const Task& task) {
  require(task.info().policy.has_value(), "the task of a policy-gradient algorithm",
          "one whose genotypes are policies, such as ant or walker", fmt::format("'{}'", task.info().name));
  return *task.info().policy;
}

PgaConfig with_transitions(PgaConfig config) {
  config.validate();
  config.transitions = true;
  return config;
}

}  // namespace

void PgaConfig::validate() const {
  GenerationsConfig::validate();
  learner.validate();
}

void bind_settings(SettingTable& table, PgaConfig& config) {
  bind_settings(table, static_cast<GenerationsConfig&>(config));
  bind_settings(table, config.learner);
}

PgaMapElites::PgaMapElites(const PgaConfig& config, const std::shared_ptr<const Task>& task, Key key)
    : config_(with_transitions(config)),
      task_(task),
      key_(key),
      generations_(config_, task, key.child(kGenerations)),
      archive_(Grid(task->info().grid), task->info().parameters),
      learner_(new_learner()) {}

// The learner has memory to work in, which is not worth copying: a copy gets its own.
PgaMapElites::PgaMapElites(const PgaMapElites& other) : PgaMapElites(other.config_, other.task_, other.key_) {
  load(other.save());
  generations_ = other.generations_;
  bred_by_gradient_ = other.bred_by_gradient_;
}

std::unique_ptr<PgaLearner> PgaMapElites::new_learner() const {
  const MlpShape& policy = policy_of(*task_);
  std::vector<float> first(policy.parameters());
  task_->initial_genotype(generations_.key_of(0), 0, first);
  return std::make_unique<PgaLearner>(config_.learner, policy, first, key_.child(kLearner));
}

const SampleRequest& PgaMapElites::ask() {
  bred_by_gradient_ = 0;
  return generations_.ask(archive_, [&](Key key, MutableMatrixView offspring) {
    bred_by_gradient_ = learner_->ready() ? offspring.rows() / 2 : 0;
    const std::size_t by_line = offspring.rows() - bred_by_gradient_;
    iso_line_variation(archive_, config_.iso_sigma, config_.line_sigma, key, offspring.rows(0, by_line));
    learner_->breed(archive_, key.child(kBreeding), offspring.rows(by_line, bred_by_gradient_));
  });
}

void PgaMapElites::tell(const Evaluations& evaluations) {
  const bool bred = archive_.size() > 0;
  const Archive::Insertion insertion =
      archive_.insert(generations_.request().centres, evaluations.fitness, evaluations.descriptors);
  if (bred) count_kept(insertion.kept);
  if (bred_by_gradient_ > 0 && is_finite(evaluations.fitness.back())) {
    greedy_return_ = double{evaluations.fitness.back()};
  }
  generations_.end();
  if (generations_.done()) {
    // nothing more to breed: what it knows takes much room
    learner_.reset();
  } else {
    learner_->learn(evaluations.episodes);
  }
}

void PgaMapElites::count_kept(const std::vector<std::size_t>& kept) {
  const std::size_t offspring = generations_.request().centres.rows();
  const std::size_t by_line = offspring - bred_by_gradient_;
  const auto variation = [&](std::size_t row) {
    return row < by_line ? kIsoLine : row + 1 < offspring ? kGradient : kGreedy;
  };
  for (std::size_t row = 0; row < offspring; ++row) ++made_[variation(row)];
  for (const std::size_t row : kept) ++kept_[variation(row)];
}

AlgorithmStatus PgaMapElites::status() const {
  AlgorithmStatus status{"PGA-MAP-Elites", generations_.planned_evaluations(), archive_.size(),
                         archive_.size() > 0 ? archive_.best_fitness() : 0};
  if (learner_) status.memory_bytes = config_.learner.memory_bytes(policy_of(*task_));
  // each as soon as there is one
  if (learner_ && learner_->ready()) status.figures.emplace_back("critic_loss", learner_->critic_loss());
  if (greedy_return_) status.figures.emplace_back("greedy_return", *greedy_return_);
  const auto add_share = [&](const char* name, Variation v) {
    if (made_[v] > 0) status.figures.emplace_back(name, static_cast<double>(kept_[v]) / static_cast<double>(made_[v]));
  };
  add_share("kept_of_iso_line", kIsoLine);
  add_share("kept_of_gradient", kGradient);
  return status;
}

State PgaMapElites::save() const {
  State state = generations_.save();
  state.put_part("archive/", archive_.save());
  state.put("made", std::vector<std::int64_t>(made_.begin(), made_.end()));
  state.put("kept", std::vector<std::int64_t>(kept_.begin(), kept_.end()));
  state.put("greedy_return", greedy_return_ ? std::vector{*greedy_return_} : std::vector<double>());
  if (learner_) state.put_part("learner/", learner_->save());
  return state;
}

void PgaMapElites::load(State state) {
  Generations generations = generations_;
  generations.load(state);
  const auto& made = state.get<std::int64_t>("made", kVariations);
  const auto& kept = state.get<std::int64_t>("kept", kVariations);
  for (std::size_t v = 0; v < kVariations; ++v) {
    require(0 <= kept[v] && kept[v] <= made[v] && static_cast<std::size_t>(made[v]) <= config_.budget,
            "the offspring of the saved state", fmt::format("0 <= kept <= made <= {}, the budget", config_.budget),
            fmt::format("{} and {}", kept[v], made[v]));
  }
  const auto& greedy_return = state.get<double>("greedy_return");
  require(greedy_return.size() <= 1, "'greedy_return' of the saved state", "0 or 1 values long", greedy_return.size());
  std::unique_ptr<PgaLearner> learner;
  if (!generations.done()) {
    learner = new_learner();
    learner->load(state.take_part("learner/"));
  }
  archive_.load(state.part("archive/"));
  std::ranges::copy(made, made_.begin());
  std::ranges::copy(kept, kept_.begin());
  greedy_return_ = greedy_return.empty() ? std::nullopt : std::optional(greedy_return.front());
  learner_ = std::move(learner);
  generations_ = std::move(generations);
}

}  // namespace aria
