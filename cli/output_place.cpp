#include "cli/output_place.hpp"

#include <unistd.h>

#include "aria/core/require.hpp"

namespace aria::cli {

namespace fs = std::filesystem;

namespace {

void check_writable(const fs::path& folder, const fs::path& out) {
  require(access(folder.c_str(), W_OK | X_OK) == 0, "--out", "where files can be written", out.string());
}

}  // namespace

void check_output_file(const fs::path& path) {
  std::error_code error;
  require(!path.empty(), "--out", "the name of a file", "nothing");
  require(!fs::is_directory(path, error), "--out", "the name of a file", fmt::format("the folder {}", path.string()));
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  require(fs::is_directory(folder, error), "--out", "in a folder that exists", path.string());
  check_writable(folder, path);
}

void check_output_folder(const fs::path& folder) {
  require(!folder.empty(), "--out", "the name of a folder", "nothing");
  std::error_code error;
  fs::path there = fs::absolute(folder, error);
  while (!fs::exists(there, error) && there.has_relative_path()) there = there.parent_path();
  require(fs::is_directory(there, error), "--out", "a folder or the name of a new one", folder.string());
  check_writable(there, folder);
}

}  // namespace aria::cli
