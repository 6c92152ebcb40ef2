#include "aria/algorithm/evolution_search.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "aria/core/finite.hpp"
#include "aria/core/parallel.hpp"
#include "aria/core/require.hpp"
#include "aria/optim/ranks.hpp"
#include "aria/optim/search_gradient.hpp"

namespace aria {

namespace {

// Floats of noise that are worth keeping for the gradient: what stays in the cache of a core or two. More than that is
// drawn again, which gives the same bits.
constexpr std::size_t kMaxKeptNoise = std::size_t{1} << 19;

// Parameters whose steps are left to one thread.
constexpr std::size_t kMinParameters = std::size_t{1} << 15;

}  // namespace

void SearchConfig::validate() const {
  require(pairs >= 1 && pairs <= (std::size_t{1} << 24), "pairs", "from 1 to 2^24", pairs);
  require(sigma > 0 && sigma <= 1e6, "sigma", "above 0, at most 1e6", sigma);
  require(fitness_resolution == 0 || (fitness_resolution >= 1e-30 && fitness_resolution <= 1e30), "fitness_resolution",
          "0 (exact) or above, from 1e-30 to 1e30", fitness_resolution);
  adam.validate();
  if (linear) linear->validate();
}

EvolutionSearch::EvolutionSearch(const SearchConfig& config, Grid grid) : config_(config), grid_(std::move(grid)) {
  config_.validate();
}

void EvolutionSearch::start(std::vector<Search> searches, std::size_t steps, Key key) {
  searches_ = std::move(searches);
  key_ = key;
  step_ = 0;
  steps_ = searches_.empty() ? 0 : steps;
  lessons_.resize(searches_.size());
}

const SampleRequest& EvolutionSearch::ask() {
  assert(!done());
  request_.samples = 2 * config_.pairs;
  request_.mirrored = true;
  request_.sigma = static_cast<float>(config_.sigma);
  request_.key = key_.child(step_);
  const std::size_t noise = searches_.size() * kept_perturbations(config_.pairs, searches_.front().genotype.size());
  request_.keep_perturbations = noise <= kMaxKeptNoise;
  request_.centres.resize(searches_.size(), searches_.front().genotype.size());
  request_.ids.resize(searches_.size());
  for (std::size_t i = 0; i < searches_.size(); ++i) {
    std::ranges::copy(searches_[i].genotype, request_.centres.row(i).begin());
    request_.ids[i] = searches_[i].id;
  }
  return request_;
}

void EvolutionSearch::tell(const Evaluations& evaluations) {
  assert(evaluations.fitness.size() == searches_.size() * request_.samples);
  parallel_for(searches_.size(), 1, [&](std::size_t i) { tell_centre(i, of_centre(evaluations, request_, i)); });
  told_all();
}

void EvolutionSearch::tell_centre(std::size_t i, const CentreEvaluations& evaluations) {
  // memory of the thread, not of the search: it carries nothing from step to step
  thread_local TieredScores scores;
  thread_local RankScratch scratch;
  thread_local std::vector<float> utility;
  const Search& search = searches_[i];
  Lesson& lesson = lessons_[i];

  // Order the samples
  if (search.target && config_.linear) {
    LinearObjective(grid_, *search.target, *config_.linear).score(evaluations.fitness, evaluations.descriptors, scores);
  } else if (search.target) {
    CellObjective(grid_, *search.target, config_.fitness_resolution)
        .score(evaluations.fitness, evaluations.descriptors, scores);
  } else {
    score_by_fitness(evaluations.fitness, scores);
  }
  utility.resize(scores.size());
  centered_ranks(scores, utility, scratch);

  // The search gradient; its constant 1/sigma is absorbed by Adam
  lesson.gradient.resize(search.genotype.size());
  if (evaluations.perturbations.empty()) {
    search_gradient(request_.key, search.id, utility, lesson.gradient);
  } else {
    search_gradient(evaluations.perturbations, utility, lesson.gradient);
  }

  // What the search believes of itself in the end
  if (step_ + 1 == steps_) lesson.mean = cloud_mean(evaluations.fitness, evaluations.descriptors);
}

void EvolutionSearch::told_all() {
  ++step_;
  // short genotypes are not worth another thread
  const std::size_t grain = 1 + kMinParameters / std::max<std::size_t>(1, lessons_.front().gradient.size());
  parallel_for(searches_.size(), grain, [&](std::size_t i) {
    Search& search = searches_[i];
    adam_ascend(config_.adam, search.adam, lessons_[i].gradient, search.genotype);
    if (!done()) return;
    const CloudMean& mean = lessons_[i].mean;
    search.fitness_mean = mean.fitness;
    search.descriptor_mean = mean.finite > 0 ? mean.descriptor : std::vector<float>{};
  });
}

State EvolutionSearch::save() const {
  State state;
  state.put("step", static_cast<std::int64_t>(step_));
  state.put("steps", static_cast<std::int64_t>(steps_));
  std::vector<std::int64_t> ids;
  std::vector<std::int64_t> targets;
  std::vector<std::int64_t> adam_steps;
  std::vector<float> genotypes;
  std::vector<float> means;
  std::vector<float> squares;
  std::vector<std::int64_t> known;
  std::vector<float> fitness_means;
  std::vector<float> descriptor_means;
  for (const Search& search : searches_) {
    ids.push_back(search.id);
    targets.push_back(search.target ? static_cast<std::int64_t>(*search.target) : -1);
    adam_steps.push_back(search.adam.steps);
    genotypes.insert(genotypes.end(), search.genotype.begin(), search.genotype.end());
    means.insert(means.end(), search.adam.mean.begin(), search.adam.mean.end());
    squares.insert(squares.end(), search.adam.square.begin(), search.adam.square.end());
    known.push_back(search.descriptor_mean.empty() ? 0 : 1);
    fitness_means.push_back(search.fitness_mean);
    std::vector<float> descriptor = search.descriptor_mean;
    descriptor.resize(grid_.dimensions());
    descriptor_means.insert(descriptor_means.end(), descriptor.begin(), descriptor.end());
  }
  state.put("ids", ids);
  state.put("targets", targets);
  state.put("adam_steps", adam_steps);
  state.put("genotypes", genotypes);
  state.put("adam_means", means);
  state.put("adam_squares", squares);
  state.put("known", known);
  state.put("fitness_means", fitness_means);
  state.put("descriptor_means", descriptor_means);
  return state;
}

void EvolutionSearch::load(const State& state, Key key, std::size_t parameters) {
  const auto& ids = state.get<std::int64_t>("ids");
  const std::size_t n = ids.size();
  const auto& targets = state.get<std::int64_t>("targets", n);
  const auto& adam_steps = state.get<std::int64_t>("adam_steps", n);
  const auto& genotypes = state.get<float>("genotypes", n * parameters);
  const auto& means = state.get<float>("adam_means", n * parameters);
  const auto& squares = state.get<float>("adam_squares", n * parameters);
  const auto& known = state.get<std::int64_t>("known", n);
  const auto& fitness_means = state.get<float>("fitness_means", n);
  const auto& descriptor_means = state.get<float>("descriptor_means", n * grid_.dimensions());
  std::vector<Search> searches;
  for (std::size_t i = 0; i < n; ++i) {
    require(targets[i] >= -1 && targets[i] < static_cast<std::int64_t>(grid_.cells()), "a target of the saved state",
            "a cell of the grid", targets[i]);
    require(ids[i] >= 0 && ids[i] <= std::numeric_limits<std::uint32_t>::max(), "an id of the saved state",
            "from 0 to 2^32 - 1", ids[i]);
    require(adam_steps[i] >= 0 && adam_steps[i] <= std::int64_t{1} << 53, "the steps of a saved search",
            "from 0 to 2^53", adam_steps[i]);
    const auto slice = [&](const std::vector<float>& all, std::size_t length) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(i * length);
      return std::vector<float>(begin, begin + static_cast<std::ptrdiff_t>(length));
    };
    const auto part = [&](const std::vector<float>& all) { return slice(all, parameters); };
    Search search{.id = static_cast<std::uint32_t>(ids[i]),
                  .target = std::nullopt,
                  .genotype = part(genotypes),
                  .adam = AdamState(parameters),
                  .fitness_mean = fitness_means[i],
                  .descriptor_mean = {}};
    if (known[i] != 0) search.descriptor_mean = slice(descriptor_means, grid_.dimensions());
    require(known[i] == 0 || (is_finite(search.fitness_mean) && all_finite(search.descriptor_mean)),
            "the means of a saved search", "finite", fmt::format("those of search {}", i));
    if (targets[i] >= 0) search.target = static_cast<std::size_t>(targets[i]);
    search.adam.mean = part(means);
    search.adam.square = part(squares);
    search.adam.steps = adam_steps[i];
    searches.push_back(std::move(search));
  }
  const std::int64_t steps = n == 0 ? 0 : state.get_integer("steps");
  const std::int64_t step = state.get_integer("step");
  require(step >= 0 && step <= steps, "the step of the saved state", fmt::format("0 .. {}", steps), step);
  start(std::move(searches), static_cast<std::size_t>(steps), key);
  step_ = static_cast<std::size_t>(step);
}

}  // namespace aria
