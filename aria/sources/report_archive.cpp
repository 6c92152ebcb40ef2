// An archive without a run, for a report: what it says of itself, and what re-evaluation says of it.
#include <algorithm>
#include <utility>

#include "aria/core/finite.hpp"
#include "aria/core/require.hpp"
#include "aria/evaluation/evaluator.hpp"
#include "aria/persistence/file_error.hpp"
#include "aria/persistence/reevaluation_file.hpp"
#include "aria/run/correction.hpp"
#include "aria/sources/archive_source.hpp"
#include "aria/sources/report_motion.hpp"
#include "aria/sources/report_sources.hpp"
#include "aria/task/registry.hpp"

namespace aria {

namespace fs = std::filesystem;

namespace {

bool says_nothing(const RunConfig& given) {
  return !given.task && !given.seed && !given.reevaluations && given.settings.empty();
}

// Whether what was re-evaluated in a folder was so on this task: the corrected archive beside it says.
bool was_on(const ResolvedTask& task, const fs::path& folder) {
  std::error_code error;
  const fs::path corrected = folder / "corrected.npz";
  if (!fs::exists(corrected, error)) return true;
  ArchiveSource source = open_archive(corrected);
  return source.config.task == task.task->info().name && source.fits_record(task);
}

// What was re-evaluated before, by 'aria correct' or by the run that the archive is of.
std::optional<Reevaluation> reevaluation_beside(const fs::path& path, const Matrix& solutions,
                                                const ResolvedTask& task) {
  const fs::path folder = path.parent_path();
  for (const fs::path& candidate : {folder / (path.stem().string() + ".corrected") / "reevaluations.npz",
                                    folder / "reevaluations.npz", folder / "initial_reevaluations.npz"}) {
    std::error_code error;
    if (!fs::is_regular_file(candidate, error) || !is_reevaluation_of(candidate, solutions)) continue;
    if (!was_on(task, candidate.parent_path())) continue;
    Reevaluation found = read_reevaluation(candidate, solutions);
    if (found.grid == Grid(task.task->info().grid)) return found;
  }
  return std::nullopt;
}

Reevaluation evaluate_here(const ArchiveSource& source, const std::shared_ptr<const Task>& task,
                           const ArchiveEvaluation& evaluation) {
  const RunConfig config = source.config.overridden_by(evaluation.given);
  LocalEvaluator evaluator(task);
  const ReevaluationConfig metrics{config.reevaluations.value_or(kDefaultReevaluations), kReportSamples};
  const std::size_t planned = source.table.size() * metrics.reevaluations;
  Correction correction =
      correct(source.table, evaluator, metrics, config.seed.value_or(kDefaultSeed),
              [&](std::size_t done) { return !evaluation.progress || evaluation.progress(done, planned); });
  if (correction.reevaluation.size() < source.table.size()) throw Interrupted();
  return std::move(correction.reevaluation);
}

// Where no task says what to expect: what there is.
Range believed_range(const ArchiveTable& table) {
  Range range{0, 0};
  bool first = true;
  for (const float fitness : table.objective) {
    if (!is_finite(fitness)) continue;
    range.lower = first ? fitness : std::min<double>(range.lower, fitness);
    range.upper = first ? fitness : std::max<double>(range.upper, fitness);
    first = false;
  }
  if (range.lower == range.upper) range.upper = range.lower + 1;
  return range;
}

ReportRun bare_item(const ArchiveSource& source, const Grid& grid, const Range& fitness_range) {
  ReportRun item{.lone_archive = true,
                 .name = source.path.string(),
                 .task = source.table.task,
                 .algorithm = {},
                 .seed = source.config.seed,
                 .settings = {},
                 .grid = grid,
                 .fitness_range = fitness_range,
                 .evaluations = {},
                 .seconds = {},
                 .archives = {},
                 .progress = {}};
  for (const auto& [name, value] : source.table.provenance) {
    if (name == "algorithm") item.algorithm = value;
    if (name.starts_with(kRecordedSetting)) item.settings.emplace_back(name.substr(kRecordedSetting.size()), value);
  }
  return item;
}

}  // namespace

ReportRun archive_source(const fs::path& path, const ArchiveEvaluation& evaluation) {
  ArchiveSource source = open_archive(path);
  const RunConfig config = source.config.overridden_by(evaluation.given);
  const std::string label = path.filename().string();
  // a task of another program is known by name alone; one that the user names must be ours
  const bool can_evaluate = config.task && (evaluation.given.task || is_registered_task(*config.task));
  if (!can_evaluate) {
    require(source.table.grid.has_value(), "--task", fmt::format("given for {}, which has no grid", path.string()),
            "nothing");
    const Grid grid = *source.table.grid;
    const Range range = believed_range(source.table);
    ReportRun item = bare_item(source, grid, range);
    const auto scores = illusory_scores(source.table, grid, {range, {-1, 0}});
    item.archives.push_back({false, label, std::move(source.table), std::nullopt, scores, std::nullopt});
    return item;
  }

  const ResolvedTask resolved =
      naming_file(path, [&] { return source.make_task(evaluation.given, evaluation.assignments); });
  const auto& task = resolved.task;
  const TaskInfo& info = task->info();
  const Grid grid(info.grid);
  const ScoreRanges ranges = fixed_ranges(info);
  record_settings(resolved, source.table);  // what it is evaluated under
  ReportRun item = bare_item(source, grid, info.fitness_range);
  item.task = info.name;
  item.measure_names = info.descriptor_names;
  std::optional<Reevaluation> reevaluation;
  if (says_nothing(evaluation.given)) reevaluation = reevaluation_beside(path, source.table.solution, resolved);
  if (!reevaluation) reevaluation = naming_file(path, [&] { return evaluate_here(source, task, evaluation); });
  const ArchiveScores corrected = corrected_scores(corrected_archive(source.table, grid, *reevaluation), ranges);
  const auto illusory = illusory_scores(source.table, grid, ranges);
  auto motion = motion_of(*task, source.table, reevaluation, config.seed.value_or(kDefaultSeed));
  item.archives.push_back(
      {false, label, std::move(source.table), std::move(reevaluation), illusory, corrected, std::move(motion)});
  return item;
}

}  // namespace aria
