// A run that is finished, read back from its folder.
#pragma once

#include <filesystem>
#include <optional>

#include "aria/archive/archive_table.hpp"
#include "aria/archive/reevaluation_table.hpp"
#include "aria/run/configuration.hpp"
#include "aria/run/run_files.hpp"
#include "aria/run/summary.hpp"

namespace aria {

struct FinishedRun {
  RunConfig config;
  RunSummary summary;
  ArchiveTable archive;
  std::optional<ArchiveTable> initial;  // what the algorithm started from
  // Of both, where the run has metrics; runs of before they were kept have none.
  std::optional<Reevaluation> reevaluation;
  std::optional<Reevaluation> initial_reevaluation;
};

// Nothing is computed again. An InputError names the file that is missing, damaged or of another run, or says that the
// run is not finished, or that there is none.
FinishedRun read_finished_run(const std::filesystem::path& folder);

// Each file may be whole in itself and yet not the one that the run wrote: an InputError names it. One that is gone is
// left to whoever needs it.
void refuse_foreign_files(const RunFiles& files, const RunSummary& summary);

}  // namespace aria
