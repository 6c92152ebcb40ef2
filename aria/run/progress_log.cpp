#include "aria/run/progress_log.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "aria/core/require.hpp"

namespace aria {

namespace {

constexpr std::size_t kMilestones = 200;

// Arrays of a state hold numbers only: names go letter by letter.
std::vector<std::uint32_t> letters_of(const std::vector<std::string>& names) {
  std::vector<std::uint32_t> letters;
  for (const std::string& name : names) {
    for (const char letter : name) letters.push_back(static_cast<unsigned char>(letter));
    letters.push_back('\n');
  }
  return letters;
}

std::vector<std::string> names_of(const std::vector<std::uint32_t>& letters) {
  std::vector<std::string> names;
  std::string name;
  for (const std::uint32_t letter : letters) {
    if (letter == '\n') {
      names.push_back(name);
      name.clear();
    } else {
      name.push_back(static_cast<char>(letter));
    }
  }
  return names;
}

// Where a name stands in a list, at whose end it is put if it is new.
std::size_t place_of(const std::string& name, std::vector<std::string>& names) {
  const auto found = std::ranges::find(names, name);
  const auto place = static_cast<std::size_t>(found - names.begin());
  if (found == names.end()) names.push_back(name);
  return place;
}

std::string figure_field(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

}  // namespace

void ProgressLog::add(std::size_t evaluations, const AlgorithmStatus& status) {
  evaluations_.push_back(static_cast<std::int64_t>(evaluations));
  phase_.push_back(static_cast<std::int64_t>(place_of(status.phase, phases_)));
  cells_.push_back(static_cast<std::int64_t>(status.cells));
  best_fitness_.push_back(status.best_fitness);
  for (const auto& [name, value] : status.figures) {
    figures_.resize(std::max(figures_.size(), place_of(name, figure_names_) + 1));
    std::vector<double>& values = figures_[place_of(name, figure_names_)];
    values.resize(evaluations_.size() - 1, std::numeric_limits<double>::quiet_NaN());
    values.push_back(value);
  }
  for (auto& values : figures_) values.resize(evaluations_.size(), std::numeric_limits<double>::quiet_NaN());
  const std::size_t followed = status.phase_evaluations > 0 ? status.phase_evaluations : status.planned_evaluations;
  next_ = evaluations + std::max<std::size_t>(1, followed / kMilestones);
}

std::string ProgressLog::to_csv() const {
  std::string text = "evaluations,phase,cells,best_fitness";
  for (const std::string& name : figure_names_) text += "," + name;
  text += "\n";
  for (std::size_t i = 0; i < evaluations_.size(); ++i) {
    text += fmt::format("{},{},{},{}", evaluations_[i], phases_[static_cast<std::size_t>(phase_[i])], cells_[i],
                        best_fitness_[i]);
    for (const auto& values : figures_) text += "," + figure_field(values[i]);
    text += "\n";
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
  state.put("phases", letters_of(phases_));
  state.put("figure_names", letters_of(figure_names_));
  std::vector<double> figures;
  for (const auto& values : figures_) figures.insert(figures.end(), values.begin(), values.end());
  state.put("figures", figures);
  return state;
}

void ProgressLog::load(const State& state) {
  const auto& evaluations = state.get<std::int64_t>("evaluations");
  const auto& phase = state.get<std::int64_t>("phase", evaluations.size());
  std::vector<std::string> phases = names_of(state.get<std::uint32_t>("phases"));
  for (const std::int64_t p : phase) {
    require(p >= 0 && static_cast<std::size_t>(p) < phases.size(), "a phase of the saved log", "one of its names", p);
  }
  const auto& cells = state.get<std::int64_t>("cells", evaluations.size());
  const auto& best_fitness = state.get<double>("best_fitness", evaluations.size());
  std::vector<std::string> figure_names = names_of(state.get<std::uint32_t>("figure_names"));
  const auto& figures = state.get<double>("figures", figure_names.size() * evaluations.size());
  next_ = static_cast<std::size_t>(state.get_integer("next"));
  figures_.clear();
  for (auto values = figures.begin(); values != figures.end();) {
    const auto end = values + static_cast<std::ptrdiff_t>(evaluations.size());
    figures_.emplace_back(values, end);
    values = end;
  }
  figure_names_ = std::move(figure_names);
  evaluations_ = evaluations;
  cells_ = cells;
  best_fitness_ = best_fitness;
  phase_ = phase;
  phases_ = std::move(phases);
}

}  // namespace aria
