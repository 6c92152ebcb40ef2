#include "aria/sources/archive_source.hpp"

#include <algorithm>

#include "aria/core/nearest_name.hpp"
#include "aria/core/require.hpp"
#include "aria/core/settings.hpp"
#include "aria/persistence/archive_file.hpp"

namespace aria {

namespace fs = std::filesystem;

namespace {

ArchiveSource open_run(const fs::path& folder) {
  std::error_code error;
  require(fs::exists(folder / "archive.npz", error), "a run", "a folder with an archive.npz", folder.string());
  ArchiveSource source{folder, true, read_archive(folder / "archive.npz"), {}};
  if (fs::exists(folder / "run.toml", error)) source.config = read_config(folder / "run.toml");
  // a run without metrics says nothing of how many there shall be now
  if (source.config.reevaluations == 0) source.config.reevaluations.reset();
  return source;
}

ArchiveSource open_file(const fs::path& path) {
  ArchiveSource source{path, false, read_archive(path), {}};
  if (const auto seed = source.table.provenance.find("seed"); seed != source.table.provenance.end()) {
    source.config.seed = parse_count("the seed in the archive's header", seed->second);
  }
  return source;
}

}  // namespace

ResolvedTask ArchiveSource::make_task(const RunConfig& given, const std::vector<std::string>& assignments) const {
  RunConfig all = config.overridden_by(given);
  require(all.task.has_value(), "--task", "given: the archive does not say what it is for", "nothing");
  if (!in_run) all = with_recorded_settings(all, table);
  ResolvedTask resolved = resolve_task(*all.task, all.settings);
  for (const std::string& assignment : assignments) {
    const std::string name = parse_assignment(assignment).first;
    const bool known = std::ranges::find(resolved.setting_names, name) != resolved.setting_names.end();
    if (!known) throw_unknown("setting", name, resolved.setting_names);
  }
  return resolved;
}

bool ArchiveSource::fits_record(const ResolvedTask& task) const {
  const bool recorded = in_run || std::ranges::any_of(table.provenance, [](const auto& entry) {
                          return entry.first.starts_with(kRecordedSetting);
                        });
  if (!recorded || !config.task) return true;
  return *config.task == task.task->info().name && make_task({}, {}).settings == task.settings;
}

ArchiveSource open_archive(const fs::path& path) {
  std::error_code error;
  ArchiveSource source = fs::is_directory(path, error) ? open_run(path) : open_file(path);
  if (!source.config.task && !source.table.task.empty()) source.config.task = source.table.task;
  return source;
}

}  // namespace aria
