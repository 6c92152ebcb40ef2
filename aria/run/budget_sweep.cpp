#include "aria/run/budget_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "aria/algorithm/scaled_defaults.hpp"
#include "aria/core/require.hpp"
#include "aria/core/settings.hpp"
#include "aria/metrics/published.hpp"
#include "aria/run/study_files.hpp"
#include "aria/run/study_folder.hpp"

namespace aria {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostShares = 20;
constexpr const char* kFolderPrefix = "budget-";

// 1/16 where it is that, as people write it
std::string share_text(double share) {
  const double parts = std::round(1 / share);
  return share < 1 && std::abs(parts * share - 1) < 1e-9 ? fmt::format("1/{:g}", parts) : fmt::format("{:g}", share);
}

std::string folder_name(double share) { return fmt::format("{}{:g}", kFolderPrefix, share); }

// What the user gave for a setting of an algorithm; the last one counts.
std::optional<std::string> given(const StudyConfig& config, const std::string& algorithm, const std::string& setting) {
  std::optional<std::string> value;
  const auto look_in = [&](const std::vector<NamedValue>& settings) {
    for (const NamedValue& named : settings) {
      if (named.first == setting) value = named.second;
    }
  };
  look_in(config.settings);
  const auto own = config.algorithm_settings.find(algorithm);
  if (own != config.algorithm_settings.end()) look_in(own->second);
  return value;
}

AlgorithmPlan plan_at(const std::string& algorithm, TaskInfo info, Preset preset, double share) {
  info.defaults = scaled_defaults(info.defaults, share);
  info.defaults.goal_share *= share;
  return plan_algorithm(algorithm, info, preset);
}

void set_scaled(const SettingTable::Entry& entry, double value) {
  try {
    entry.set(fmt::format("{}", value));
  } catch (const InputError&) {
    entry.set(fmt::format("{:.0f}", std::max(1.0, std::floor(value))));  // a count is a whole number
  }
}

// The study at a share of the budget: whatever costs evaluations is smaller, be it a default or given by the user.
StudyConfig at_share(const StudyConfig& config, const ResolvedStudy& full, const TaskInfo& info, double share) {
  const Preset preset = parse_preset(full.common().preset);
  StudyConfig result = config;
  for (const ResolvedConfig& algorithm : full.algorithms) {
    const std::string& name = algorithm.algorithm;
    const AlgorithmPlan whole = plan_at(name, info, preset, 1);
    const AlgorithmPlan part = plan_at(name, info, preset, share);
    for (std::size_t i = 0; i < part.settings.entries().size(); ++i) {
      const auto& entry = part.settings.entries()[i];
      if (const auto value = given(config, name, entry.name)) {
        const std::string at_whole = whole.settings.entries()[i].get();
        if (entry.get() == at_whole) continue;  // costs nothing
        // nor does what grows as the budget shrinks, such as steps of training
        if (parse_number(entry.name, entry.get()) > parse_number(entry.name, at_whole)) continue;
        set_scaled(entry, share * parse_number(entry.name, *value));
      }
      result.algorithm_settings[name].emplace_back(entry.name, entry.get());
    }
  }
  return result;
}

void check_folder(const fs::path& folder) {
  std::error_code error;
  require(!folder.empty(), "--out", "the name of a folder", "nothing");
  if (!fs::exists(folder, error)) return;
  require(fs::is_directory(folder, error), "--out", "a folder", folder.string());
  bool known = fs::is_empty(folder, error);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    known = known || is_sweep_part(entry.path());
  }
  require(known, "--out", "a new folder, an empty one, or that of a budget sweep", folder.string());
}

// What one algorithm came to at one budget.
struct Point {
  std::string algorithm;
  double share = 1;
  ComparedAlgorithm compared;
};

void add_points(std::vector<Point>& points, const StudyConfig& config, const fs::path& folder, double share,
                const TaskInfo& info) {
  const std::string below = folder_name(share);
  const StudyFolder study(folder / below, resolve_study(config));
  const std::vector<PlannedRun> runs = study.look_at_runs(info);
  for (const ResolvedConfig& algorithm : study.study().algorithms) {
    Point point{
        algorithm.algorithm, share, {fmt::format("{} x {}", algorithm.algorithm, share_text(share)), {}, false}};
    for (const PlannedRun& run : runs) {
      if (run.config.algorithm != algorithm.algorithm || run.state != PlannedRun::State::kFinished) continue;
      ComparedRun compared = study.read_run(run, info);
      compared.folder = below + "/" + compared.folder;
      point.compared.runs.push_back(std::move(compared));
    }
    if (!point.compared.runs.empty()) points.push_back(std::move(point));
  }
}

// study.json, with which of its algorithms are one at several budgets, and what was published.
std::string sweep_json(const StudyData& data, const std::vector<Point>& points) {
  auto object = nlohmann::ordered_json::parse(study_json(data));
  std::map<std::string, nlohmann::ordered_json> curves;
  auto published = nlohmann::ordered_json::array();
  const auto cost = published_cost(data.task);
  for (std::size_t i = 0; i < points.size(); ++i) {
    auto& curve = curves[points[i].algorithm];
    curve["name"] = points[i].algorithm;
    curve["label"] = published_name(points[i].algorithm);
    curve["points"].push_back({{"algorithm", i}, {"share", points[i].share}});
    const auto scores = published_scores(data.task, points[i].algorithm);
    if (!scores || !cost || curve["points"].size() > 1) continue;
    // how long a baseline took was not published
    const bool timed = points[i].algorithm.starts_with("aria");
    published.push_back({{"name", points[i].algorithm},
                         {"evaluations", cost->evaluations},
                         {"seconds", timed ? nlohmann::ordered_json(cost->seconds) : nlohmann::ordered_json(nullptr)},
                         {"qd_score", scores->qd_score},
                         {"p_score", scores->p_score}});
  }
  object["sweep"] = {{"curves", nlohmann::ordered_json::array()}, {"published", published}};
  for (const auto& [name, curve] : curves) object["sweep"]["curves"].push_back(curve);
  return object.dump(1) + "\n";
}

StudyData compare_points(const ResolvedStudy& study, const TaskInfo& info, std::size_t budgets,
                         std::vector<Point>& points) {
  // the budgets of one algorithm side by side
  std::ranges::stable_sort(points, {}, [&](const Point& point) {
    return std::ranges::find(study.algorithms, point.algorithm, &ResolvedConfig::algorithm) - study.algorithms.begin();
  });
  std::vector<ComparedAlgorithm> compared;
  compared.reserve(points.size());
  for (Point& point : points) compared.push_back(std::move(point.compared));
  StudyData data = compare(data_of(study), info, compared);
  // a sweep draws curves; which budgets of which algorithms differ is no question
  data.tests.clear();
  data.budgets = budgets;
  for (std::size_t i = 0; i < points.size(); ++i) {
    data.algorithms[i].label = fmt::format("{} × {}", published_name(points[i].algorithm), share_text(points[i].share));
  }
  return data;
}

}  // namespace

bool is_sweep_part(const fs::path& folder) { return folder.filename().string().starts_with(kFolderPrefix); }

std::vector<double> parse_shares(std::string_view text) {
  std::vector<double> shares;
  for (const std::string& part : parse_names(text)) {
    const std::size_t slash = part.find('/');
    const double above = parse_number("--budget-sweep", part.substr(0, slash));
    const double below = slash == std::string::npos ? 1 : parse_number("--budget-sweep", part.substr(slash + 1));
    const double share = below > 0 ? above / below : 0;
    require(share > 0 && share <= 1, "--budget-sweep",
            "shares of the budget, above 0 and at most 1, such as 1,1/4,1/16", fmt::format("'{}'", part));
    shares.push_back(share);
  }
  std::ranges::sort(shares, std::greater<>());
  require(std::ranges::adjacent_find(shares) == shares.end(), "--budget-sweep", "shares that differ",
          fmt::format("'{}'", text));
  require(shares.size() <= kMostShares, "--budget-sweep", fmt::format("at most {} shares", kMostShares), shares.size());
  return shares;
}

BudgetSweep run_budget_sweep(const StudyConfig& config, const std::vector<double>& shares, const fs::path& folder,
                             bool repair, const StudyHooks& hooks) {
  const ResolvedStudy full = resolve_study(config);
  const TaskInfo info = resolve_task(full.common().task, request_of(full.common()).settings).task->info();
  check_folder(folder);
  std::vector<StudyConfig> studies;
  BudgetSweep sweep;
  // everything is checked before anything is run
  for (const double share : shares) {
    studies.push_back(at_share(config, full, info, share));
    const StudyFolder study(folder / folder_name(share), resolve_study(studies.back()));
    sweep.study.runs += study.look_at_runs(info).size();
  }
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (hooks.note) hooks.note(fmt::format("{} of the budget", share_text(shares[i])));
    const Study study = run_study(studies[i], folder / folder_name(shares[i]), repair, hooks);
    sweep.study.finished += study.finished;
    sweep.study.started += study.started;
    sweep.study.failed.insert(sweep.study.failed.end(), study.failed.begin(), study.failed.end());
    sweep.study.interrupted = study.interrupted;
    if (study.interrupted) return sweep;
  }
  if (sweep.study.finished == 0) return sweep;
  std::vector<Point> points;
  for (std::size_t i = 0; i < shares.size(); ++i) add_points(points, studies[i], folder, shares[i], info);
  sweep.study.data = compare_points(full, info, shares.size(), points);
  sweep.json = sweep_json(*sweep.study.data, points);
  write_study_files(folder, sweep.json, *sweep.study.data);
  return sweep;
}

}  // namespace aria
