#include "aria/run/scratch_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <string>

#include "aria/core/require.hpp"
#include "aria/persistence/file_error.hpp"

namespace aria {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder() {
  std::error_code error;
  const fs::path around = fs::temp_directory_path(error);
  require(!error, "TMPDIR", "a folder",
          getenv("TMPDIR") == nullptr ? "nothing, and there is no /tmp" : getenv("TMPDIR"));
  std::string name = (around / "aria-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw InputError(fmt::format("cannot make the folder {}: {}", name, system_reason(errno)));
  }
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace aria
