#include "aria/algorithm/goal_trainer.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include "aria/core/draws.hpp"
#include "aria/core/finite.hpp"
#include "aria/core/require.hpp"

namespace aria {

namespace {

constexpr std::size_t kUnitIterations = 10;  // after so many iterations the units of observations are settled
constexpr float kLeastScale = 0.05f;         // what hardly ever changes is not blown up
constexpr double kOutputScale = 0.1;         // of the first weights of the last layer: begin by standing still
constexpr float kShareUnit = 10;             // steps by which a count may be off before that counts in full
constexpr double kMissRate = 0.1;            // of the running mean of what a cell's targets are missed by
constexpr double kUnknownMiss = 1.5;         // where it begins, in cells

// What the critic sees beside what the policy sees: how far off the path it is, and the time.
std::size_t critic_extras(const TaskInfo& info) { return info.descriptor_size() + 1; }

MlpShape critic_shape(const TaskInfo& info) {
  MlpShape shape = goal_policy_shape(info);
  shape.sizes.front() += critic_extras(info);
  if (shape.carried > 0) shape.carried += critic_extras(info);
  shape.sizes.back() = 1;
  return shape;
}

std::unique_ptr<Ppo> new_ppo(const PpoConfig& config, const TaskInfo& info, Key key) {
  return std::make_unique<Ppo>(config, goal_policy_shape(info), critic_shape(info), kOutputScale, key);
}

}  // namespace

GoalTrainer::GoalTrainer(const PpoConfig& config, std::vector<GoalStage> stages, std::vector<std::size_t> cells,
                         std::shared_ptr<const Task> task, Key key)
    : config_(config),
      stages_(std::move(stages)),
      cells_(std::move(cells)),
      task_(std::move(task)),
      grid_(task_->info().grid),
      key_(key),
      ppo_(new_ppo(config, task_->info(), key.child(0))),
      units_(task_->info().policy->inputs()),
      misses_(cells_.size(), kUnknownMiss),
      sums_(2 * task_->info().policy->inputs()) {
  assert(!cells_.empty() && !stages_.empty());
}

GoalTrainer::GoalTrainer(const GoalTrainer& other)
    : GoalTrainer(other.config_, other.stages_, other.cells_, other.task_, other.key_) {
  load(other.save());
  request_ = other.request_;
  targets_ = other.targets_;
  target_cells_ = other.target_cells_;
}

double GoalTrainer::share_of_stage() const {
  return static_cast<double>(iteration_) / static_cast<double>(std::max<std::size_t>(1, stage().iterations - 1));
}

// Of each cell and those before it to be drawn, not normalised.
std::vector<double> GoalTrainer::chances() const {
  std::vector<double> sums;
  double sum = 0;
  for (const double miss : misses_) sums.push_back(sum += target_chance(stage().targets, miss));
  return sums;
}

// A cell, then a point of it, uniformly.
void GoalTrainer::draw_targets() {
  const std::size_t dimensions = grid_.dimensions();
  const std::vector<double> sums = chances();
  targets_.resize(stage().episodes, dimensions);
  target_cells_.resize(stage().episodes);
  for (std::size_t e = 0; e < stage().episodes; ++e) {
    const auto id = static_cast<std::uint32_t>(e);
    const float uniform = uniform_from(iteration_key().bits(Purpose::kSelection, id, 0, 0)[0]);
    const auto drawn = std::ranges::upper_bound(sums, double{uniform} * sums.back());
    target_cells_[e] = std::min(static_cast<std::size_t>(drawn - sums.begin()), sums.size() - 1);
    grid_.centroid(cells_[target_cells_[e]], targets_.row(e));
    for (std::size_t k = 0; k < dimensions; ++k) {
      const auto word = iteration_key().bits(Purpose::kSelection, id, 1, static_cast<std::uint32_t>(k))[0];
      targets_(e, k) += (2 * uniform_from(word) - 1) * grid_.half_widths()[k];
    }
  }
}

const SampleRequest& GoalTrainer::ask() {
  draw_targets();
  const std::size_t episodes = stage().episodes;
  request_.key = iteration_key();
  request_.transitions = true;
  request_.exploration = static_cast<float>(stage().deviation.at(share_of_stage()));
  request_.centres.resize(episodes, task_->info().parameters);
  request_.ids.resize(episodes);
  std::iota(request_.ids.begin(), request_.ids.end(), 0u);
  const TaskInfo& info = task_->info();
  const GoalNet net{ppo_->policy(), units_};
  for (std::size_t e = 0; e < episodes; ++e) {
    fold_told(info, net, told_of(info, targets_.row(e)), request_.centres.row(e));
  }
  return request_;
}

std::vector<GoalNet> GoalTrainer::nets() const {
  std::vector<GoalNet> nets = {{ppo_->policy(), units_}};
  nets.insert(nets.end(), kept_.rbegin(), kept_.rend());
  return nets;
}

void GoalTrainer::tell(const Evaluations& evaluations) {
  steps_.clear();
  for (std::size_t e = 0; e < evaluations.episodes.size(); ++e) collect(evaluations.episodes[e], e);
  note_outcome(evaluations);
  const PpoRates rates{.deviation = stage().deviation.at(share_of_stage()),
                       .learning_rate = stage().learning_rate.at(share_of_stage()),
                       .discount = stage().discount,
                       .longest_advantage = stage().longest_advantage};
  ppo_->learn(steps_, rates, iteration_key().child(0));
  ++iterations_;
  if (iterations_ == kUnitIterations) settle_units();
  if (++iteration_ == stage().iterations) {
    if (stage().keep) kept_.push_back({ppo_->policy(), units_});
    ++stage_;
    iteration_ = 0;
  }
}

// How far the descriptor's value after so many steps is from where it should be then.
float GoalTrainer::path_distance(const EpisodeSteps& episode, std::span<const float> target, std::size_t steps) const {
  const DescriptorPath& path = *task_->info().path;
  const bool place = path.kind == DescriptorPath::Kind::kPlace;
  // who has fallen stays where he is: what counts is the way that is left
  const bool over = steps == episode.size() && place;
  float sum = 0;
  for (std::size_t k = 0; k < target.size(); ++k) {
    const float so_far = steps == 0 ? 0.0f : episode.progress(steps - 1, k);
    const float miss = so_far - path.reference(target[k], over ? path.episode_length : steps);
    sum += place ? miss * miss : kShareUnit * std::log(std::cosh(std::clamp(miss / kShareUnit, -40.0f, 40.0f)));
  }
  if (!place) return sum;
  // a grid's width is thirty units
  return std::sqrt(sum) * 30.0f / static_cast<float>(grid_.shape().upper[0] - grid_.shape().lower[0]);
}

// One episode's steps, with the rewards that this stage gives.
void GoalTrainer::collect(const EpisodeSteps& episode, std::size_t e) {
  const std::span<const float> target = targets_.row(e);
  const TaskInfo& info = task_->info();
  std::size_t first = 0, end = episode.size();
  if (stage().window > 0 && end > stage().window) {
    const auto words = iteration_key().bits(Purpose::kSelection, static_cast<std::uint32_t>(e), 2, 0);
    first = index_from(words[0], end - stage().window + 1);
    end = first + stage().window;
  }
  const std::size_t observations = info.policy->inputs();
  const std::size_t features = goal_feature_count(info);
  std::vector<float> row(observations + features + critic_extras(info));
  goal_features(info, target, std::span(row).subspan(observations, features));
  // the weight of the task's own reward has grown half-way through
  const double weight = stage().task_weight.at(std::min(1.0, 2 * share_of_stage()));
  const bool place = info.path->kind == DescriptorPath::Kind::kPlace;
  float before = path_distance(episode, target, first);
  // the step behind a cut tells what is left to come
  for (std::size_t t = first; t < std::min(end + 1, episode.size()); ++t) {
    const auto seen = episode.observations.row(t);
    for (std::size_t i = 0; i < observations; ++i) {
      row[i] = units_.seen(i, seen[i]);
      if (iterations_ >= kUnitIterations) continue;
      sums_[i] += double{seen[i]};
      sums_[observations + i] += double{seen[i]} * double{seen[i]};
    }
    if (iterations_ < kUnitIterations) ++observed_[0];
    for (std::size_t k = 0; k < target.size(); ++k) {
      const float so_far = t == 0 ? 0.0f : episode.progress(t - 1, k);
      const float miss = so_far - info.path->reference(target[k], t);
      row[observations + features + k] = std::clamp(place ? miss : miss / kShareUnit, -5.0f, 5.0f);
    }
    row.back() = static_cast<float>(t) / static_cast<float>(info.path->episode_length);
    steps_.inputs.append_row(row);
    steps_.noise.append_row(episode.exploration.row(t));

    const float after = path_distance(episode, target, t + 1);
    const bool last = t + 1 == episode.size();
    double reward =
        stage().path_weight * double{before - after} + weight * double{episode.rewards[t]} + stage().alive_reward;
    if (last && episode.terminated) reward -= stage().fall_cost;
    steps_.rewards.push_back(static_cast<float>(reward));
    steps_.ends.push_back(t == end ? StepEnd::kCut : last ? StepEnd::kOver : StepEnd::kGoesOn);
    before = after;
  }
}

void GoalTrainer::note_outcome(const Evaluations& evaluations) {
  double rewards = 0, distances = 0, reached = 0, count = 0;
  for (const float reward : steps_.rewards) rewards += double{reward};
  for (std::size_t e = 0; e < evaluations.fitness.size(); ++e) {
    if (!is_finite(evaluations.fitness[e])) continue;
    const auto descriptor = evaluations.descriptors.row(e);
    double squares = 0, in_cells = 0;
    for (std::size_t k = 0; k < descriptor.size(); ++k) {
      const double miss = double{descriptor[k]} - double{targets_(e, k)};
      squares += miss * miss;
      in_cells += std::pow(miss / (2 * double{grid_.half_widths()[k]}), 2);
    }
    distances += std::sqrt(squares);
    double& usual = misses_[target_cells_[e]];
    usual += kMissRate * (std::sqrt(in_cells) - usual);
    reached += grid_.cell_of(descriptor) == cells_[target_cells_[e]] ? 1 : 0;
    ++count;
  }
  if (count > 0) figures_ = {rewards / count, distances / count, reached / count};
}

// Observations get mean 0 and deviation 1; the networks go on as the functions that they are.
void GoalTrainer::settle_units() {
  if (observed_[0] < 2) return;
  const std::size_t observations = units_.mean.size();
  std::vector<float> mean(observations), scale(observations);
  for (std::size_t i = 0; i < observations; ++i) {
    const double average = sums_[i] / observed_[0];
    const double variance = std::max(0.0, sums_[observations + i] / observed_[0] - average * average);
    mean[i] = static_cast<float>(average);
    scale[i] = std::max(kLeastScale, static_cast<float>(std::sqrt(variance)));
  }
  ppo_->rescale_inputs(mean, scale);
  units_.mean = std::move(mean);
  units_.scale = std::move(scale);
}

State GoalTrainer::save() const {
  State state;
  state.put("stage", static_cast<std::int64_t>(stage_));
  state.put("iteration", static_cast<std::int64_t>(iteration_));
  state.put("iterations", static_cast<std::int64_t>(iterations_));
  state.put("sums", sums_);
  state.put("observed", observed_);
  state.put("figures", std::vector<double>{figures_.reward, figures_.distance, figures_.reached});
  state.put_part("ppo/", ppo_->save());
  state.put_part("units/", units_.save());
  state.put("misses", misses_);
  state.put("kept", static_cast<std::int64_t>(kept_.size()));
  for (std::size_t i = 0; i < kept_.size(); ++i) state.put_part(fmt::format("kept/{}/", i), kept_[i].save());
  return state;
}

void GoalTrainer::load(const State& state) {
  const std::int64_t stage = state.get_integer("stage");
  const std::int64_t iteration = state.get_integer("iteration");
  const std::int64_t iterations = state.get_integer("iterations");
  require(stage >= 0 && stage <= static_cast<std::int64_t>(stages_.size()), "the stage of the saved state",
          fmt::format("0 .. {}", stages_.size()), stage);
  const std::size_t most =
      static_cast<std::size_t>(stage) == stages_.size() ? 1 : stages_[static_cast<std::size_t>(stage)].iterations;
  require(iteration >= 0 && static_cast<std::size_t>(iteration) < most && iterations >= iteration,
          "the iteration of the saved state", fmt::format("0 .. {}", most - 1), iteration);
  const auto& figures = state.get<double>("figures", 3);
  sums_ = state.get<double>("sums", sums_.size());
  observed_ = state.get<double>("observed", 1);
  ppo_->load(state.part("ppo/"));
  units_.load(state.part("units/"));
  misses_ = state.get<double>("misses", misses_.size());
  const std::int64_t kept = state.get_integer("kept");
  require(kept >= 0 && kept <= stage, "the policies kept in the saved state", fmt::format("0 .. {}", stage), kept);
  kept_.assign(static_cast<std::size_t>(kept), GoalNet{ppo_->policy(), units_});
  for (std::size_t i = 0; i < kept_.size(); ++i) kept_[i].load(state.part(fmt::format("kept/{}/", i)));
  figures_ = {figures[0], figures[1], figures[2]};
  stage_ = static_cast<std::size_t>(stage);
  iteration_ = static_cast<std::size_t>(iteration);
  iterations_ = static_cast<std::size_t>(iterations);
}

}  // namespace aria
