#include "aria/run/finished_run.hpp"

#include "aria/core/require.hpp"
#include "aria/persistence/archive_file.hpp"
#include "aria/persistence/file_checksum.hpp"
#include "aria/persistence/file_error.hpp"
#include "aria/persistence/input_file.hpp"
#include "aria/persistence/reevaluation_file.hpp"

namespace aria {

namespace {

bool is_there(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

// On the grid of the run, whose size its archive vouches for.
Reevaluation read_on_grid(const std::optional<Grid>& grid, const std::filesystem::path& path, const Matrix& solutions) {
  Reevaluation table = read_reevaluation(path, solutions);
  require(table.grid == grid, fmt::format("{}: its grid", path.string()), "that of archive.npz", "another");
  return table;
}

}  // namespace

FinishedRun read_finished_run(const std::filesystem::path& folder) {
  const RunFiles files(folder);
  require(is_there(files.config()), "a run", "a folder with a run.toml", folder.string());
  require(is_there(files.summary()), fmt::format("the run in {}", folder.string()),
          "finished (the command that began it goes on with it)", "one without a summary.json");
  FinishedRun run;
  run.config = read_config(files.config());
  run.summary = naming_file(files.summary(), [&] { return parse_summary(InputFile(files.summary()).read_all()); });
  run.archive = read_archive(files.archive());
  if (run.summary.initial) run.initial = read_archive(files.initial());
  const std::optional<Grid>& grid = run.archive.grid;
  if (is_there(files.reevaluations())) {
    run.reevaluation = read_on_grid(grid, files.reevaluations(), run.archive.solution);
  }
  if (run.initial && is_there(files.initial_reevaluations())) {
    run.initial_reevaluation = read_on_grid(grid, files.initial_reevaluations(), run.initial->solution);
  }
  refuse_foreign_files(files, run.summary);
  return run;
}

void refuse_foreign_files(const RunFiles& files, const RunSummary& summary) {
  for (const std::filesystem::path& file : files.results()) {
    const auto recorded = summary.files.find(file.filename().string());
    if (recorded == summary.files.end() || !is_there(file)) continue;
    const std::string got = file_checksum(file);
    require(got == recorded->second, fmt::format("{}: its checksum", file.string()),
            fmt::format("{}, as summary.json says", printable(recorded->second)), got);
  }
}

}  // namespace aria
