#include "aria/run/correction_files.hpp"

#include <system_error>
#include <utility>

#include "aria/core/require.hpp"
#include "aria/persistence/archive_file.hpp"
#include "aria/persistence/file_format.hpp"
#include "aria/persistence/reevaluation_file.hpp"

namespace aria {

namespace fs = std::filesystem;

namespace {

constexpr const char* kCorrected = "corrected.npz";
constexpr const char* kReevaluations = "reevaluations.npz";

}  // namespace

void check_correction_folder(const fs::path& folder, const fs::path& input) {
  std::error_code error;
  for (const auto& [file, owner] : {std::pair("run.toml", "a run"), std::pair("study.toml", "a study")}) {
    require(!fs::exists(folder / file, error), "--out",
            fmt::format("another folder than that of {}, whose files stay", owner), folder.string());
  }
  const bool some = fs::exists(folder / kCorrected, error) || fs::exists(folder / kReevaluations, error);
  const bool ours = format_of_file(folder / kCorrected) == kArchiveFormat &&
                    format_of_file(folder / kReevaluations) == kReevaluationFormat;
  require(!some || ours, "--out", "a new folder or that of an earlier correction", folder.string());
  require(!fs::equivalent(input, folder / kCorrected, error), "--out",
          "another folder than that of the archive, which would be replaced", folder.string());
}

void write_correction(const fs::path& folder, const ArchiveTable& corrected, const Reevaluation& reevaluation,
                      const Matrix& solutions) {
  std::error_code error;
  fs::create_directories(folder, error);
  require(!error, "--out", "a folder that can be made", fmt::format("{} ({})", folder.string(), error.message()));
  write_archive(folder / kCorrected, corrected);
  write_reevaluation(folder / kReevaluations, reevaluation, solutions);
}

}  // namespace aria
