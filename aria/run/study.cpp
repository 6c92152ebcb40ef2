#include "aria/run/study.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include "aria/core/parallel.hpp"
#include "aria/core/require.hpp"
#include "aria/persistence/atomic_file.hpp"
#include "aria/persistence/folder_lock.hpp"
#include "aria/run/folder_files.hpp"
#include "aria/run/memory_note.hpp"
#include "aria/run/run_folder.hpp"
#include "aria/run/study_files.hpp"
#include "aria/run/study_folder.hpp"

namespace aria {

namespace fs = std::filesystem;

StudyData data_of(const ResolvedStudy& study) {
  StudyData data;
  data.task = study.common().task;
  data.preset = study.common().preset;
  data.seed = study.common().seed;
  data.replications = study.replications;
  data.reevaluations = study.common().reevaluations;
  return data;
}

namespace {

void note(const StudyHooks& hooks, const std::string& text) {
  if (hooks.note) hooks.note(text);
}

// One line, whatever the number of damaged runs.
void refuse_damaged(const std::vector<PlannedRun>& runs, const fs::path& folder) {
  const auto damaged = [](const PlannedRun& run) { return run.state == PlannedRun::State::kDamaged; };
  const auto first = std::ranges::find_if(runs, damaged);
  if (first == runs.end()) return;
  const auto others = std::ranges::count_if(runs, damaged) - 1;
  throw InputError(fmt::format("the run in {} is damaged ({}){}; --repair puts {} aside and runs anew",
                               (folder / first->folder).string(), first->damage,
                               others > 0 ? fmt::format(", and {} more", others) : "", others > 0 ? "them" : "it"));
}

void repair_damaged(std::vector<PlannedRun>& runs, const StudyFolder& folder, const StudyHooks& hooks) {
  for (PlannedRun& run : runs) {
    if (run.state != PlannedRun::State::kDamaged) continue;
    const std::string aside = folder.put_aside(run);
    note(hooks, fmt::format("{} is damaged ({}); it is kept as {} and run anew", run.name(), run.damage, aside));
    run.state = PlannedRun::State::kNew;
  }
}

std::string plan_text(const std::vector<PlannedRun>& runs, const ResolvedStudy& study) {
  std::vector<std::string> names;
  for (const ResolvedConfig& config : study.algorithms) names.push_back(config.algorithm);
  const auto finished = std::ranges::count(runs, PlannedRun::State::kFinished, &PlannedRun::state);
  const std::uint64_t first = study.common().seed;
  return fmt::format("{} {} of {}, {}{}", runs.size(), runs.size() == 1 ? "run" : "runs", fmt::join(names, ", "),
                     study.replications == 1 ? fmt::format("seed {}", first)
                                             : fmt::format("seeds {} to {}", first, first + study.replications - 1),
                     finished > 0 ? fmt::format("; {} finished before", finished) : "");
}

// Of the runs that may go on side by side and take most.
std::size_t memory_of(const std::vector<PlannedRun>& runs) {
  std::map<std::string, std::size_t> of_algorithm;
  std::vector<std::size_t> bytes;
  for (const PlannedRun& run : runs) {
    if (run.state == PlannedRun::State::kFinished) continue;
    const auto [known, is_new] = of_algorithm.try_emplace(run.config.algorithm);
    if (is_new) known->second = resolve(request_of(run.config), nullptr).algorithm.status().memory_bytes;
    bytes.push_back(known->second);
  }
  std::ranges::sort(bytes, std::greater());
  bytes.resize(std::min(bytes.size(), threads()));
  return std::accumulate(bytes.begin(), bytes.end(), std::size_t{0});
}

// Whether the task is the one that was published, not a variation of it.
bool as_published(const ResolvedConfig& config) {
  const std::vector<ResolvedSetting> defaults = resolve_task(config.task, {}).settings;
  return std::ranges::equal(defaults, config.task_settings, {}, &ResolvedSetting::value, &ResolvedSetting::value);
}

StudyData comparison(const std::vector<PlannedRun>& runs, const StudyFolder& folder, const TaskInfo& info) {
  const ResolvedStudy& study = folder.study();
  std::vector<ComparedAlgorithm> algorithms;
  for (const ResolvedConfig& config : study.algorithms) {
    algorithms.push_back({config.algorithm, {}, as_published(config)});
    for (const PlannedRun& run : runs) {
      if (run.config.algorithm != config.algorithm || run.state != PlannedRun::State::kFinished) continue;
      algorithms.back().runs.push_back(folder.read_run(run, info));
    }
  }
  return compare(data_of(study), info, algorithms);
}

}  // namespace

Study study_so_far(const StudyConfig& config, const fs::path& path) {
  std::error_code error;
  const fs::path there = path / kStudyConfigName;
  require(fs::exists(there, error), "--out", "the folder of a study that has begun (with a study.toml)", path.string());
  const StudyFolder folder(path, resolve_study(config.task ? config : read_study_config(there).overridden_by(config)));
  const ResolvedConfig& common = folder.study().common();
  const TaskInfo info = resolve_task(common.task, request_of(common).settings).task->info();
  const std::vector<PlannedRun> runs = folder.look_at_finished_runs(info);
  refuse_damaged(runs, path);
  Study result;
  result.runs = runs.size();
  const auto finished = std::ranges::count(runs, PlannedRun::State::kFinished, &PlannedRun::state);
  result.finished = static_cast<std::size_t>(finished);
  require(result.finished > 0, fmt::format("the study in {}", path.string()), "one with a finished run", "none");
  result.data = comparison(runs, folder, info);
  return result;
}

Study run_study(const StudyConfig& config, const fs::path& path, bool repair, const StudyHooks& hooks) {
  const ResolvedStudy wanted = resolve_study(config);
  const TaskInfo info = resolve_task(wanted.common().task, request_of(wanted.common()).settings).task->info();
  if (const StudyFolder found(path, wanted); found.is_new()) found.create();
  const FolderLock lock(path);
  // whoever held it before may have changed what is there
  const StudyFolder folder(path, wanted);
  const ResolvedStudy& study = folder.study();
  std::vector<PlannedRun> runs = folder.look_at_runs(info);
  if (!repair) refuse_damaged(runs, path);
  folder.create();
  remove_unfinished_files(path);
  for (const PlannedRun& run : runs) {
    // one that was killed at its very end
    if (run.state == PlannedRun::State::kFinished) RunFolder(path / run.folder, run.config).remove_checkpoint();
  }
  repair_damaged(runs, folder, hooks);
  note(hooks, plan_text(runs, study));
  if (const std::string text = memory_note("runs side by side learn", memory_of(runs)); !text.empty())
    note(hooks, text);

  const StudyRuns done = do_runs(runs, path, hooks);
  Study result;
  result.runs = runs.size();
  result.finished = done.finished;
  result.started = done.started;
  result.interrupted = done.interrupted;
  for (const std::size_t index : done.failed) result.failed.push_back(runs[index].name());
  if (done.interrupted || done.finished == 0) return result;

  result.data = comparison(runs, folder, info);
  write_study_files(path, study_json(*result.data), *result.data);
  return result;
}

}  // namespace aria
