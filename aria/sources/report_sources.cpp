#include "aria/sources/report_sources.hpp"

#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "aria/core/require.hpp"
#include "aria/metrics/published.hpp"
#include "aria/persistence/file_error.hpp"
#include "aria/persistence/input_file.hpp"
#include "aria/persistence/json_text-inl.h"
#include "aria/run/budget_sweep.hpp"
#include "aria/run/finished_run.hpp"
#include "aria/run/run_files.hpp"
#include "aria/sources/report_motion.hpp"
#include "aria/task/registry.hpp"

namespace aria {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

std::string read_text(const fs::path& path) {
  return naming_file(path, [&] { return InputFile(path).read_all(); });
}

std::string archive_label(const std::string& algorithm) {
  if (algorithm == "es") return "ES solution";
  if (algorithm.starts_with("aria")) return "ARIA's archive";
  return published_name(algorithm) + " archive";
}

// What ARIA started from.
std::string initial_label(const std::string& algorithm) {
  if (algorithm == "aria") return "archive given";
  if (algorithm == "aria-es") return archive_label("es");
  return archive_label(algorithm == "aria-pga" ? "pga-me" : "map-elites");
}

ReportProgress read_progress(const fs::path& path) {
  const std::string text = read_text(path);
  return naming_file(path, [&] { return parse_progress(text); });
}

// A run with metrics must have what they come from.
void require_reevaluations(const std::optional<BeforeAndAfter>& scores, const std::optional<Reevaluation>& there,
                           const fs::path& file) {
  if (!scores || !scores->corrected || there) return;
  throw InputError(fmt::format("{} must be there: the run's summary has metrics", file.string()));
}

ReportRun run_item(const fs::path& folder, FinishedRun run) {
  const RunFiles files(folder);
  const RunSummary& summary = run.summary;
  require_reevaluations(summary.result, run.reevaluation, files.reevaluations());
  require_reevaluations(summary.initial, run.initial_reevaluation, files.initial_reevaluations());
  const std::optional<Grid> grid = run.archive.grid;
  require(grid.has_value(), fmt::format("{}: its grid", files.archive().string()), "known", "none");
  ReportRun item{.name = folder.string(),
                 .task = summary.task,
                 .algorithm = summary.algorithm,
                 .seed = summary.seed,
                 .settings = {},
                 .grid = *grid,
                 .fitness_range = summary.ranges.fitness,
                 .evaluations = summary.evaluations,
                 .seconds = summary.seconds,
                 .archives = {},
                 .progress = {}};
  if (run.config.preset) item.settings.emplace_back("preset", *run.config.preset);
  item.settings.insert(item.settings.end(), run.config.settings.begin(), run.config.settings.end());
  if (run.initial) {
    item.archives.push_back({true, initial_label(summary.algorithm), std::move(*run.initial),
                             std::move(run.initial_reevaluation), summary.initial->illusory,
                             summary.initial->corrected});
  }
  item.archives.push_back({false, archive_label(summary.algorithm), std::move(run.archive), std::move(run.reevaluation),
                           summary.result.illusory, summary.result.corrected});
  if (is_there(files.progress())) item.progress = read_progress(files.progress());
  return item;
}

}  // namespace

SourceKind kind_of_source(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return SourceKind::kArchive;
  if (is_there(path / "study.json")) return SourceKind::kStudy;
  if (is_there(RunFiles(path).config())) return SourceKind::kRun;
  bool begun = is_there(path / "study.toml");
  for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
    begun = begun || (is_sweep_part(entry.path()) && is_there(entry.path() / "study.toml"));
  }
  require(!begun, fmt::format("the study in {}", path.string()), "finished (the command that began it goes on with it)",
          "one without a study.json");
  throw InputError(
      fmt::format("what is reported must be the folder of a run (with a run.toml), of a finished study (with a "
                  "study.json), or an archive, got {}",
                  path.string()));
}

ReportRun run_source(const fs::path& folder) {
  FinishedRun run = read_finished_run(folder);
  const RunConfig config = run.config;
  ReportRun item = run_item(folder, std::move(run));
  if (!config.task || !is_registered_task(*config.task)) return item;
  const auto task = resolve_task(*config.task, config.settings).task;
  item.measure_names = task->info().descriptor_names;
  for (ReportArchive& archive : item.archives) {
    archive.motion = motion_of(*task, archive.table, archive.reevaluation, config.seed.value_or(kDefaultSeed));
  }
  return item;
}

ReportStudy study_source(const fs::path& folder) {
  const fs::path file = folder / "study.json";
  ReportStudy study{folder.string(), read_text(file), {}};
  std::vector<std::string> folders;
  try {
    const Json data = naming_file(file, [&] { return parse_json(study.data); });
    if (data.at("format") != 1) throw InputError(fmt::format("{}: format must be 1", file.string()));
    for (const Json& algorithm : data.at("algorithms")) {
      const auto median = algorithm.at("median_run").get<std::size_t>();
      folders.push_back(algorithm.at("runs").at(median).at("folder").get<std::string>());
    }
  } catch (const nlohmann::json::exception& error) {
    throw InputError(fmt::format("{} must be what 'aria study' wrote: {}", file.string(), printable(error.what())));
  }
  for (const std::string& name : folders) {
    // runs are below the folder of their study
    const fs::path path(name);
    const bool below = !path.empty() && path.is_relative() && *path.lexically_normal().begin() != "..";
    require(below, fmt::format("{}: the folder of a run", file.string()), "below that of the study", excerpt(name));
    study.runs.push_back(run_item(folder / path, read_finished_run(folder / path)));
    study.runs.back().name = name;
  }
  return study;
}

}  // namespace aria
