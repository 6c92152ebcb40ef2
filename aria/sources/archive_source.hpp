// An archive that a command is given, as a file or in the folder of a run, with what is recorded of how it was made.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "aria/archive/archive_table.hpp"
#include "aria/run/configuration.hpp"

namespace aria {

struct ArchiveSource {
  std::filesystem::path path;  // as given
  bool in_run = false;         // the path is the folder of a run
  ArchiveTable table;
  RunConfig config;  // as recorded: task, seed, settings of the task; of a run all that its run.toml says

  // The task to evaluate it on, by what is recorded and what `given` says, which wins. Settings of an algorithm come
  // along in the record of a run and are passed over; those in `assignments` must be the task's.
  ResolvedTask make_task(const RunConfig& given, const std::vector<std::string>& assignments) const;

  // Whether the archive was made for this very task, or says nothing of what it was made for.
  bool fits_record(const ResolvedTask& task) const;
};

ArchiveSource open_archive(const std::filesystem::path& path);

}  // namespace aria
