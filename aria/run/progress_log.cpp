#include "aria/run/progress_log.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "aria/core/require.hpp"

namespace aria {

namespace {

constexpr std::size_t kMilestones = 200;

}  // namespace

void ProgressLog::add(std::size_t evaluations, const AlgorithmStatus& status) {
  auto phase = std::ranges::find(phases_, status.phase);
  if (phase == phases_.end()) phase = phases_.insert(phase, status.phase);
  evaluations_.push_back(static_cast<std::int64_t>(evaluations));
  phase_.push_back(phase - phases_.begin());
  cells_.push_back(static_cast<std::int64_t>(status.cells));
  best_fitness_.push_back(status.best_fitness);
  next_ = evaluations + std::max<std::size_t>(1, status.planned_evaluations / kMilestones);
}

std::string ProgressLog::to_csv() const {
  std::string text = "evaluations,phase,cells,best_fitness\n";
  for (std::size_t i = 0; i < evaluations_.size(); ++i) {
    text += fmt::format("{},{},{},{}\n", evaluations_[i], phases_[static_cast<std::size_t>(phase_[i])], cells_[i],
                        best_fitness_[i]);
  }
  return text;
}

State ProgressLog::save() const {
  State state;
  state.put("evaluations", evaluations_);
  state.put("phase", phase_);
  state.put("cells", cells_);
  state.put("best_fitness", best_fitness_);
  state.put("next", static_cast<std::int64_t>(next_));
  // arrays hold numbers only: the names of the phases go letter by letter
  std::vector<std::uint32_t> letters;
  for (const std::string& name : phases_) {
    for (const char letter : name) letters.push_back(static_cast<unsigned char>(letter));
    letters.push_back('\n');
  }
  state.put("phases", letters);
  return state;
}

void ProgressLog::load(const State& state) {
  const auto& evaluations = state.get<std::int64_t>("evaluations");
  const auto& phase = state.get<std::int64_t>("phase", evaluations.size());
  std::vector<std::string> phases;
  std::string name;
  for (const std::uint32_t letter : state.get<std::uint32_t>("phases")) {
    if (letter == '\n') {
      phases.push_back(name);
      name.clear();
    } else {
      name.push_back(static_cast<char>(letter));
    }
  }
  for (const std::int64_t p : phase) {
    require(p >= 0 && static_cast<std::size_t>(p) < phases.size(), "a phase of the saved log", "one of its names", p);
  }
  const auto& cells = state.get<std::int64_t>("cells", evaluations.size());
  const auto& best_fitness = state.get<double>("best_fitness", evaluations.size());
  next_ = static_cast<std::size_t>(state.get_integer("next"));
  evaluations_ = evaluations;
  cells_ = cells;
  best_fitness_ = best_fitness;
  phase_ = phase;
  phases_ = std::move(phases);
}

}  // namespace aria
