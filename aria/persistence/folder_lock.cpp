#include "aria/persistence/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "aria/core/require.hpp"

namespace aria {

namespace {

// A process that was killed just now holds its lock until the system is done with it, which takes a while where it was
// writing: whoever starts a killed run again at once waits for so long.
constexpr std::chrono::milliseconds kPatience(2000);
constexpr std::chrono::milliseconds kPause(20);

bool held_by_another(int folder) { return ::flock(folder, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; }

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder)
    : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (!folder_.valid()) return;
  const auto give_up = std::chrono::steady_clock::now() + kPatience;
  while (held_by_another(folder_.get())) {
    if (std::chrono::steady_clock::now() >= give_up) {
      throw InputError(
          fmt::format("{} is being written by another process; wait for it or choose another folder", folder.string()));
    }
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace aria
