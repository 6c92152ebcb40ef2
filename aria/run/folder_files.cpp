#include "aria/run/folder_files.hpp"

#include <fstream>
#include <sstream>

#include "aria/core/require.hpp"
#include "aria/persistence/atomic_file.hpp"
#include "aria/persistence/folder_lock.hpp"

namespace aria {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  require(!stream.bad(), "a file of the run", "readable", path.string());
  return text.str();
}

void create_folder(const fs::path& folder, const std::string& file_name, const std::string& text) {
  std::error_code error;
  // remember the outermost folder that is not there yet, to leave nothing behind on failure
  fs::path made;
  for (fs::path part = fs::absolute(folder).lexically_normal(); !fs::exists(part, error) && part.has_relative_path();
       part = part.parent_path()) {
    made = part;
  }
  fs::create_directories(folder, error);
  try {
    require(!error, "--out", "a folder that can be made", fmt::format("{} ({})", folder.string(), error.message()));
    // of two processes that begin at once the first writes it, and the second finds it there
    const FolderLock lock(folder);
    if (!fs::exists(folder / file_name, error)) write_file_atomically(folder / file_name, text);
  } catch (...) {
    // from the inside out, and only what is still empty
    if (!made.empty()) {
      for (fs::path part = fs::absolute(folder).lexically_normal(); part != made; part = part.parent_path()) {
        fs::remove(part, error);
      }
      fs::remove(made, error);
    }
    throw;
  }
}

}  // namespace aria
