#include "aria/algorithm/goal_search.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "aria/core/draws.hpp"
#include "aria/core/finite.hpp"
#include "aria/core/require.hpp"

namespace aria {

namespace {

constexpr std::size_t kBoldRounds = 2;  // that move most of the way; later ones are more careful
constexpr float kBoldShare = 0.8f;
constexpr float kCarefulShare = 0.5f;
constexpr float kLongestMove = 0.1f;   // of the grid's width, per coordinate
constexpr float kTargetJitter = 0.5f;  // of half a cell's width: how far a search looks around
constexpr double kFirstStride = 0.15;  // of the same for what a policy is told
constexpr double kShortestStride = 0.03;
constexpr double kLongestStride = 0.6;
constexpr double kPoor = 0.5;            // below it, a neighbour may know better
constexpr std::size_t kSecondLooks = 4;  // times as many evaluations before what is tried counts

}  // namespace

void GoalSearchConfig::validate() const {
  require(retarget_rounds <= 1000, "retarget_rounds", "at most 1000", retarget_rounds);
  require(retarget_samples >= 1 && retarget_samples <= (std::size_t{1} << 20), "retarget_samples", "from 1 to 2^20",
          retarget_samples);
  require(search_rounds <= 100'000, "search_rounds", "at most 1e5", search_rounds);
  require(search_samples >= 1 && search_samples <= (std::size_t{1} << 20), "search_samples", "from 1 to 2^20",
          search_samples);
  require(safe_probability >= 0 && safe_probability <= 1, "safe_probability", "from 0 to 1", safe_probability);
  require(fitness_weight >= 0 && fitness_weight <= 1e6, "fitness_weight", "from 0 to 1e6", fitness_weight);
}

void bind_settings(SettingTable& table, GoalSearchConfig& config) {
  table.add("retarget_rounds", config.retarget_rounds, "times that every cell's target is moved by what it missed");
  table.add("retarget_samples", config.retarget_samples, "evaluations of every cell's genotype each time");
  table.add("search_rounds", config.search_rounds, "times that something else is tried for each cell not safe yet");
  table.add("search_samples", config.search_samples,
            "evaluations of what is tried; four times as many if it looks good");
  table.add("safe_probability", config.safe_probability, "of landing in its cell, from which on a cell is left alone");
  table.add("fitness_weight", config.fitness_weight,
            "what the task's range of fitness counts for, against the probability of landing in the cell");
}

GoalSearch::GoalSearch(const GoalSearchConfig& config, std::vector<std::size_t> cells, std::shared_ptr<const Task> task,
                       Key key)
    : config_(config),
      cells_(std::move(cells)),
      task_(std::move(task)),
      grid_(task_->info().grid),
      key_(key),
      neighbours_(neighbour_places(grid_, cells_)),
      best_(cells_.size()),
      tried_(cells_.size()),
      promising_(cells_.size(), 0),
      stride_(cells_.size(), kFirstStride) {
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    Aim centre{0, grid_.centroid(cells_[i]), std::vector<float>(told_count(task_->info()))};
    tried_[i] = best_[i].aim = std::move(centre);
    best_[i].record.mean.descriptor.resize(grid_.dimensions());
  }
}

void GoalSearch::begin(std::vector<GoalNet> nets) {
  nets_ = std::move(nets);
  if (begun()) find_active();
}

void GoalSearch::fold(const Aim& aim, std::span<float> genotype) const {
  std::vector<float> told = told_of(task_->info(), aim.target);
  for (std::size_t k = 0; k < told.size(); ++k) told[k] += aim.offset[k];
  fold_told(task_->info(), nets_[aim.net], told, genotype);
}

// The first policy is tried for all cells, the others where that is not enough. The search leaves out where nothing has
// landed, and around it neither: from there no small change leads to the cell.
bool GoalSearch::wanted(std::size_t i) const {
  if (round_ < rounds_per_net() || round_ == stock_round()) return true;
  if (best_[i].record.assured() >= config_.safe_probability) return false;
  const auto lands = [&](std::size_t j) { return best_[j].record.inside > 0; };
  return !searching() || lands(i) || std::ranges::any_of(neighbours_[i], lands);
}

void GoalSearch::find_active() {
  active_.clear();
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (wanted(i)) active_.push_back(i);
  }
  if (searching()) return;
  const std::size_t net = round_ / rounds_per_net();
  if (round_ % rounds_per_net() != 0) return;
  for (const std::size_t i : active_) {
    tried_[i].net = net;
    grid_.centroid(cells_[i], tried_[i].target);
  }
}

void GoalSearch::add_rows(std::size_t i, const Aim& aim, std::size_t rows) {
  std::vector<float> genotype(task_->info().parameters);
  fold(aim, genotype);
  for (std::size_t k = 0; k < rows; ++k) {
    request_.centres.append_row(genotype);
    request_.ids.push_back(static_cast<std::uint32_t>(i * kSecondLooks + k));
  }
}

const SampleRequest& GoalSearch::ask() {
  assert(begun() && !done());
  request_.key = round_key();
  request_.centres.resize(0, task_->info().parameters);
  request_.ids.clear();
  // what the newest policy does counts most; of others only what is clearly better is wanted
  request_.samples = round_ < rounds_per_net() ? config_.retarget_samples : config_.search_samples;
  for (const std::size_t i : active_) {
    if (!searching()) {
      add_rows(i, tried_[i], 1);
    } else if (round_ == stock_round()) {
      add_rows(i, best_[i].aim, kSecondLooks);
    } else if (promising_[i] != 0) {
      add_rows(i, tried_[i], kSecondLooks);
    } else {
      tried_[i] = variation_for(i);
      add_rows(i, tried_[i], 1);
    }
  }
  return request_;
}

void GoalSearch::tell(const Evaluations& evaluations) {
  spent_ += evaluations.fitness.size();
  if (!searching()) {
    tell_retargeting(evaluations);
  } else if (round_ == stock_round()) {
    tell_stock(evaluations);
  } else {
    tell_search(evaluations);
  }
  ++round_;
  find_active();
}

CellRecord GoalSearch::record_of(std::size_t i, std::size_t row, std::size_t rows,
                                 const Evaluations& evaluations) const {
  const std::size_t first = row * request_.samples;
  const std::size_t count = rows * request_.samples;
  return cell_record(grid_, cells_[i], std::span(evaluations.fitness).subspan(first, count),
                     evaluations.descriptors.view().rows(first, count));
}

// The place in cells_ of the cell where something that was meant for cell i lands on average; i where that is none.
std::size_t GoalSearch::landing_place(std::size_t i, const CellRecord& record) const {
  if (record.mean.finite == 0) return i;
  return place_of(cells_, grid_.cell_of(record.mean.descriptor)).value_or(i);
}

// Where a policy lands is biased a little; its target is moved against that.
void GoalSearch::move_target(Aim& aim, const CellRecord& record, std::size_t i, float share) const {
  if (record.mean.finite == 0) return;
  const std::vector<float> centre = grid_.centroid(cells_[i]);
  const std::vector<float>& mean = record.mean.descriptor;
  for (std::size_t k = 0; k < aim.target.size(); ++k) {
    const auto longest = kLongestMove * static_cast<float>(grid_.shape().upper[k] - grid_.shape().lower[k]);
    aim.target[k] += share * std::clamp(centre[k] - mean[k], -longest, longest);
  }
}

void GoalSearch::tell_retargeting(const Evaluations& evaluations) {
  for (std::size_t row = 0; row < active_.size(); ++row) {
    const std::size_t i = active_[row];
    CellRecord record = record_of(i, row, 1, evaluations);
    Aim next = tried_[i];
    move_target(next, record, i, round_ % rounds_per_net() < kBoldRounds ? kBoldShare : kCarefulShare);
    // it may be just what another cell needs
    if (const std::size_t other = landing_place(i, record); other != i) {
      CellRecord there = record_of(other, row, 1, evaluations);
      if (score(there) > score(best_[other].record)) best_[other] = {tried_[i], std::move(there)};
    }
    if (score(record) > score(best_[i].record)) best_[i] = {tried_[i], std::move(record)};
    tried_[i] = std::move(next);
  }
}

// The best of several looks was lucky, too: from here on it counts by what it does now.
void GoalSearch::tell_stock(const Evaluations& evaluations) {
  for (std::size_t row = 0; row < active_.size(); ++row) {
    CellRecord record = record_of(active_[row], row * kSecondLooks, kSecondLooks, evaluations);
    if (record.mean.finite > 0) best_[active_[row]].record = std::move(record);
  }
}

// What the policy was told for this cell or, every other time where that is poor, for a neighbour: moved by what it
// misses, and a little aside.
GoalSearch::Aim GoalSearch::variation_for(std::size_t i) const {
  std::size_t from = i;
  if (round_ % 2 == 0 && best_[i].record.assured() < kPoor) {
    for (const std::size_t j : neighbours_[i]) {
      if (best_[j].record.assured() > best_[from].record.assured()) from = j;
    }
  }
  Aim aim = best_[from].aim;
  move_target(aim, best_[from].record, i, kBoldShare);
  std::uint32_t number = 0;
  const auto noise = [&] {
    return normal(round_key(), Purpose::kVariation, static_cast<std::uint32_t>(i), 0, number++);
  };
  for (std::size_t k = 0; k < aim.target.size(); ++k) aim.target[k] += kTargetJitter * grid_.half_widths()[k] * noise();
  for (float& x : aim.offset) x += static_cast<float>(stride_[i]) * noise();
  return aim;
}

// What looks better is looked at again, with other draws, before it replaces the best: so luck does not stay.
void GoalSearch::tell_search(const Evaluations& evaluations) {
  std::vector<Known> offers(cells_.size());  // to each cell, of what others tried
  std::size_t row = 0;
  for (const std::size_t i : active_) {
    const std::size_t rows = promising_[i] != 0 ? kSecondLooks : 1;
    CellRecord record = record_of(i, row, rows, evaluations);
    if (const std::size_t other = landing_place(i, record); other != i) {
      CellRecord there = record_of(other, row, rows, evaluations);
      if (score(there) > score(offers[other].record)) offers[other] = {tried_[i], std::move(there)};
    }
    row += rows;
    const bool better = score(record) > score(best_[i].record);
    if (rows == kSecondLooks) {
      promising_[i] = 0;
      if (!better) continue;
      best_[i] = {tried_[i], std::move(record)};
      stride_[i] = std::min(kLongestStride, 1.3 * stride_[i]);
    } else if (better) {
      promising_[i] = 1;
    } else {
      stride_[i] = std::max(kShortestStride, 0.96 * stride_[i]);
    }
  }
  take_offers(offers);
}

// Where a cell has nothing of its own to look at again, it takes what landed there by chance.
void GoalSearch::take_offers(const std::vector<Known>& offers) {
  for (const std::size_t i : active_) {
    if (promising_[i] != 0 || score(offers[i].record) <= score(best_[i].record)) continue;
    tried_[i] = offers[i].aim;
    promising_[i] = 1;
  }
}

std::size_t GoalSearch::planned_evaluations() const {
  // that of one policy at least; which others are kept is known when it begins
  if (!begun()) return rounds_per_net() * cells_.size() * config_.retarget_samples;
  if (done()) return spent_;
  if (round_ < rounds_per_net())
    return spent_ + (rounds_per_net() - round_) * active_.size() * config_.retarget_samples;
  return spent_ + (rounds() - round_) * active_.size() * config_.search_samples;
}

State GoalSearch::save() const {
  State state;
  std::vector<std::int64_t> numbers;  // per cell: net, net tried, samples, finite, inside
  std::vector<float> aims;            // per cell: target, offset, both of what is tried
  std::vector<float> means;           // per cell: fitness, descriptor
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const CellRecord& record = best_[i].record;
    for (const std::size_t number :
         {best_[i].aim.net, tried_[i].net, record.samples, record.mean.finite, record.inside}) {
      numbers.push_back(static_cast<std::int64_t>(number));
    }
    for (const Aim* aim : {&best_[i].aim, std::as_const(tried_).data() + i}) {
      aims.insert(aims.end(), aim->target.begin(), aim->target.end());
      aims.insert(aims.end(), aim->offset.begin(), aim->offset.end());
    }
    means.push_back(record.mean.fitness);
    means.insert(means.end(), record.mean.descriptor.begin(), record.mean.descriptor.end());
  }
  state.put("round", static_cast<std::int64_t>(round_));
  state.put("spent", static_cast<std::int64_t>(spent_));
  state.put("numbers", numbers);
  state.put("aims", aims);
  state.put("means", means);
  state.put("promising", promising_);
  state.put("stride", stride_);
  return state;
}

void GoalSearch::load(const State& state) {
  const std::int64_t round = state.get_integer("round");
  const std::int64_t spent = state.get_integer("spent");
  const std::size_t most = begun() ? rounds() : 0;
  require(round >= 0 && round <= static_cast<std::int64_t>(most) && spent >= 0, "the round of the saved state",
          fmt::format("0 .. {}", most), round);
  const std::size_t cells = cells_.size();
  const std::size_t dimensions = grid_.dimensions();
  const std::size_t told = told_count(task_->info());
  const auto& numbers = state.get<std::int64_t>("numbers", 5 * cells);
  const auto& aims = state.get<float>("aims", 2 * (dimensions + told) * cells);
  const auto& means = state.get<float>("means", (dimensions + 1) * cells);
  require(all_finite(means), "the means of the saved state", "finite", "others");
  for (std::size_t i = 0; i < cells; ++i) {
    const std::int64_t* n = numbers.data() + 5 * i;
    require(0 <= n[4] && n[4] <= n[3] && n[3] <= n[2], "the counts of the saved state",
            "0 <= inside <= finite <= samples", fmt::format("{}, {}, {}", n[4], n[3], n[2]));
    const auto nets = static_cast<std::int64_t>(std::max<std::size_t>(1, nets_.size()));
    require(n[0] >= 0 && n[0] < nets && n[1] >= 0 && n[1] < nets, "the policies of the saved state",
            fmt::format("numbers below {}", nets), fmt::format("{}, {}", n[0], n[1]));
  }
  promising_ = state.get<std::int64_t>("promising", cells);
  stride_ = state.get<double>("stride", cells);
  auto aim = aims.begin();
  const auto read_aim = [&](std::int64_t net) {
    const auto target = aim;
    const auto offset = target + static_cast<std::ptrdiff_t>(dimensions);
    aim = offset + static_cast<std::ptrdiff_t>(told);
    return Aim{static_cast<std::size_t>(net), {target, offset}, {offset, aim}};
  };
  for (std::size_t i = 0; i < cells; ++i) {
    const std::int64_t* n = numbers.data() + 5 * i;
    const float* mean = means.data() + (dimensions + 1) * i;
    best_[i].aim = read_aim(n[0]);
    tried_[i] = read_aim(n[1]);
    best_[i].record = {static_cast<std::size_t>(n[2]),
                       static_cast<std::size_t>(n[4]),
                       {static_cast<std::size_t>(n[3]), mean[0], {mean + 1, mean + 1 + dimensions}}};
  }
  round_ = static_cast<std::size_t>(round);
  spent_ = static_cast<std::size_t>(spent);
  if (begun()) find_active();
}

}  // namespace aria
