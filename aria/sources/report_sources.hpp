// What `aria report` is given, made ready for the page: runs, studies and archives.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "aria/report/report_data.hpp"
#include "aria/run/configuration.hpp"

namespace aria {

enum class SourceKind { kRun, kStudy, kArchive };

// Told by what is there; an InputError where it is none of these.
SourceKind kind_of_source(const std::filesystem::path& path);

// How an archive without a run is evaluated here.
struct ArchiveEvaluation {
  RunConfig given;                       // task, seed, reevaluations, settings; those recorded in the archive give way
  std::vector<std::string> assignments;  // of settings, as typed
  // Told the evaluations done and those planned; false ends the work, by throwing Interrupted.
  std::function<bool(std::size_t done, std::size_t planned)> progress;
};
struct Interrupted {};

ReportRun run_source(const std::filesystem::path& folder);
ReportStudy study_source(const std::filesystem::path& folder);
ReportRun archive_source(const std::filesystem::path& path, const ArchiveEvaluation& evaluation);

}  // namespace aria
