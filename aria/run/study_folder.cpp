#include "aria/run/study_folder.hpp"

#include <utility>

#include "aria/core/require.hpp"
#include "aria/persistence/archive_file.hpp"
#include "aria/persistence/atomic_file.hpp"
#include "aria/persistence/file_error.hpp"
#include "aria/run/finished_run.hpp"
#include "aria/run/folder_files.hpp"
#include "aria/run/run_files.hpp"
#include "aria/run/run_folder.hpp"
#include "aria/run/summary.hpp"

namespace aria {

namespace fs = std::filesystem;

namespace {

// The genotypes of many runs would fill the memory, and nobody compares them.
ArchiveTable without_genotypes(ArchiveTable table) {
  table.solution = Matrix(table.size(), 1);
  return table;
}

void check_corrected(const ArchiveTable& table, const Grid& grid) {
  require(table.grid == grid, "its grid", "that of the task", "another");
  require(table.objective_mean.size() == table.size() && table.measures_std.rows() == table.size() &&
              table.cell_probability.size() == table.size() && table.n_evals.size() == table.size(),
          "its columns", "objective_mean, measures_std, cell_probability and n_evals", "less");
}

// An archive in which nothing could be evaluated again is not written.
ArchiveTable read_corrected(const fs::path& path, const RunSummary& summary, const Grid& grid) {
  if (summary.result.corrected->cells == 0) {
    ArchiveTable nothing;
    nothing.grid = grid;
    return nothing;
  }
  ArchiveTable table = without_genotypes(read_archive(path));
  naming_file(path, [&] {
    check_corrected(table, grid);
    require(table.size() == summary.result.corrected->cells, "its size",
            fmt::format("{} solutions, as summary.json says", summary.result.corrected->cells), table.size());
  });
  return table;
}

RunSummary read_summary(const RunFolder& folder, const ResolvedConfig& config) {
  return naming_file(folder.summary(), [&] {
    RunSummary summary = parse_summary(folder.read_summary());
    require(summary.task == config.task && summary.algorithm == config.algorithm && summary.seed == config.seed,
            "the summary", fmt::format("of {} on {}, seed {}", config.algorithm, config.task, config.seed),
            fmt::format("{} on {}, seed {}", summary.algorithm, summary.task, summary.seed));
    require(summary.result.corrected.has_value(), "the summary", "that of a run with metrics", "one without");
    return summary;
  });
}

}  // namespace

std::string PlannedRun::name() const { return fmt::format("{}, seed {}", config.algorithm, config.seed); }

StudyFolder::StudyFolder(fs::path path, const ResolvedStudy& wanted) : path_(std::move(path)), study_(wanted) {
  std::error_code error;
  require(!path_.empty(), "--out", "the name of a folder", "nothing");
  if (!fs::exists(path_, error)) return;
  require(fs::is_directory(path_, error), "--out", "a folder", path_.string());
  if (holds_nothing_finished(path_)) return;
  const fs::path config = path_ / kStudyConfigName;
  require(fs::exists(config, error), "--out", "a new folder, an empty one, or that of a study (with a study.toml)",
          path_.string());
  text_there_ = read_file(config);
  const StudyConfig there = read_study_config(config);
  const ResolvedStudy resolved = naming_file(config, [&] { return resolve_study(there); });
  try {
    study_ = extended(resolved, wanted);
  } catch (const InputError& difference) {
    throw InputError(fmt::format("--out {} holds a study with other settings ({}); choose another folder",
                                 path_.string(), difference.what()));
  }
}

std::vector<PlannedRun> StudyFolder::planned_runs() const {
  std::vector<PlannedRun> runs;
  for (std::size_t replication = 0; replication < study_.replications; ++replication) {
    for (std::size_t algorithm = 0; algorithm < study_.algorithms.size(); ++algorithm) {
      PlannedRun run;
      run.config = study_.run(algorithm, replication);
      run.folder = fmt::format("{}/seed-{}", run.config.algorithm, run.config.seed);
      runs.push_back(std::move(run));
    }
  }
  return runs;
}

std::vector<PlannedRun> StudyFolder::look_at_runs(const TaskInfo& info) const {
  std::vector<PlannedRun> runs = planned_runs();
  for (PlannedRun& run : runs) look_at(run, info);
  return runs;
}

std::vector<PlannedRun> StudyFolder::look_at_finished_runs(const TaskInfo& info) const {
  std::vector<PlannedRun> runs = planned_runs();
  for (PlannedRun& run : runs) {
    std::error_code error;
    if (fs::exists(RunFiles(path_ / run.folder).summary(), error)) look_at(run, info);
  }
  return runs;
}

void StudyFolder::look_at(PlannedRun& run, const TaskInfo& info) const {
  const fs::path folder = path_ / run.folder;
  std::error_code error;
  if (!fs::exists(folder, error) || (fs::is_directory(folder, error) && holds_nothing_finished(folder))) return;
  try {
    const fs::path config = folder / "run.toml";
    require(fs::is_regular_file(config, error), "run.toml", "there", "nothing");
    require(read_file(config) == run.config.to_toml(), "run.toml", "that of this study", "another");
    const RunFolder files(folder, run.config);
    run.state =
        files.state() == RunFolder::State::kFinished ? PlannedRun::State::kFinished : PlannedRun::State::kUnfinished;
    if (run.state == PlannedRun::State::kFinished) {
      read_run(run, info);
      const RunSummary summary = read_summary(files, run.config);
      refuse_foreign_files(files, summary);
      run.seconds = summary.seconds + summary.reevaluation_seconds;
    } else if (files.has_checkpoint()) {
      ResolvedRun resolved = resolve(request_of(run.config), nullptr);
      RunProgress progress;
      files.read_checkpoint(resolved.algorithm, progress);
    }
  } catch (const InputError& fault) {
    run.state = PlannedRun::State::kDamaged;
    run.damage = fault.what();
  }
}

void StudyFolder::create() const {
  const std::string text = study_.to_toml();
  if (!text_there_) {
    create_folder(path_, kStudyConfigName, text);
  } else if (*text_there_ != text) {
    write_file_atomically(path_ / kStudyConfigName, text);
  }
  // here and now: runs that start side by side make no folder but their own
  for (const ResolvedConfig& config : study_.algorithms) {
    std::error_code error;
    fs::create_directories(path_ / config.algorithm, error);
    require(!error, "--out", "a folder that can be written to",
            fmt::format("{} ({})", (path_ / config.algorithm).string(), error.message()));
  }
}

std::string StudyFolder::put_aside(const PlannedRun& run) const {
  std::error_code error;
  std::string name = run.folder + ".damaged";
  for (int count = 2; fs::exists(path_ / name, error); ++count) name = fmt::format("{}.damaged-{}", run.folder, count);
  fs::rename(path_ / run.folder, path_ / name, error);
  require(!error, (path_ / run.folder).string(), "a folder that can be renamed", error.message());
  return name;
}

ComparedRun StudyFolder::read_run(const PlannedRun& run, const TaskInfo& info) const {
  const RunFolder files(path_ / run.folder, run.config);
  const RunSummary summary = read_summary(files, run.config);
  ComparedRun result;
  result.seed = run.config.seed;
  result.folder = run.folder;
  result.evaluations = summary.evaluations;
  result.seconds = summary.seconds;
  result.archive = without_genotypes(read_archive(files.archive()));
  result.corrected = read_corrected(files.corrected(), summary, Grid(info.grid));
  if (summary.initial && summary.initial->corrected) result.initial_cells = summary.initial->corrected->cells;
  return result;
}

}  // namespace aria
