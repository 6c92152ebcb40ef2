// What the correction of an archive leaves in a folder: corrected.npz and reevaluations.npz.
#pragma once

#include <filesystem>

#include "aria/archive/archive_table.hpp"
#include "aria/archive/reevaluation_table.hpp"

namespace aria {

// That nothing is replaced there but an earlier correction: not the files of a run or a study, not somebody's files,
// and not `input`, the file that is corrected (empty where there is none).
void check_correction_folder(const std::filesystem::path& folder, const std::filesystem::path& input);

// `solutions` are those that were re-evaluated, in their order.
void write_correction(const std::filesystem::path& folder, const ArchiveTable& corrected,
                      const Reevaluation& reevaluation, const Matrix& solutions);

}  // namespace aria
