// Where results may go: said before the work, not after it.
#pragma once

#include <filesystem>

namespace aria::cli {

// That `--out`, a file, can be written.
void check_output_file(const std::filesystem::path& path);

// That `--out`, a folder, can be made or written to.
void check_output_folder(const std::filesystem::path& folder);

}  // namespace aria::cli
