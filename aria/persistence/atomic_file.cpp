#include "aria/persistence/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <string>
#include <string_view>
#include <vector>

#include "aria/persistence/file_descriptor.hpp"
#include "aria/persistence/file_error.hpp"

namespace aria {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTemporaryStart = ".aria-";
constexpr std::string_view kTemporaryEnd = ".tmp";

bool is_unfinished(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with(kTemporaryStart) && name.ends_with(kTemporaryEnd);
}

[[noreturn]] void fail(std::string_view action, int error_number) {
  throw InputError(fmt::format("cannot {}: {}", action, system_reason(error_number)));
}

// An empty file in `folder` that disappears unless it was renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& folder) {
    static std::atomic<unsigned> counter = 0;
    // a name may be left over from a process that was killed; the next one is tried
    constexpr int kTries = 100;
    for (int tries = 0; tries < kTries; ++tries) {
      // short, and free of the final name, so that a name as long as the system allows can still be written
      path_ = folder / fmt::format("{}{}-{}{}", kTemporaryStart, ::getpid(), counter++, kTemporaryEnd);
      const FileDescriptor file(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
      if (file.valid()) return;
      if (errno != EEXIST) break;
    }
    fail("create a file in its folder", errno);
  }
  ~TemporaryFile() {
    if (!renamed_) ::unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const fs::path& path() const { return path_; }
  void rename_to(const fs::path& target) {
    if (::rename(path_.c_str(), target.c_str()) != 0) fail("rename the temporary file to it", errno);
    renamed_ = true;
  }

 private:
  fs::path path_;
  bool renamed_ = false;
};

// The file behind a symbolic link is the one to replace, and a device or a folder is not to be replaced at all.
fs::path final_target(const fs::path& path) {
  if (path.filename().empty()) throw InputError("must be the name of a file, got a folder");
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return path;
  if (!fs::is_regular_file(path, ignored)) throw InputError("must be a regular file or not exist, got something else");
  const fs::path target = fs::canonical(path, ignored);
  return target.empty() ? path : target;
}

void flush_file(const fs::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid() || ::fsync(file.get()) != 0) fail("flush it to the disk", errno);
}

// The rename itself reaches the disk with the folder. Some file systems cannot flush a folder: that is no failure.
void flush_folder(const fs::path& folder) {
  const FileDescriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file.valid() && ::fsync(file.get()) != 0 && errno == EIO) fail("flush its folder to the disk", errno);
}

void write_all(const fs::path& path, std::string_view bytes) {
  const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.valid()) fail("write it", errno);
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write it", errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

void write_file_atomically(const fs::path& path, const std::function<void(const fs::path&)>& fill) {
  naming_file(path, [&] {
    const fs::path target = final_target(path);
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    TemporaryFile temporary(folder);
    fill(temporary.path());
    flush_file(temporary.path());
    temporary.rename_to(target);
    flush_folder(folder);
  });
}

void write_file_atomically(const fs::path& path, std::string_view bytes) {
  write_file_atomically(path, [&](const fs::path& temporary) { write_all(temporary, bytes); });
}

bool holds_nothing_finished(const fs::path& folder) {
  std::error_code error;
  const fs::directory_iterator entries(folder, error);
  return !error && std::all_of(begin(entries), end(entries),
                               [](const fs::directory_entry& entry) { return is_unfinished(entry.path()); });
}

void remove_unfinished_files(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> unfinished;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (is_unfinished(entry.path())) unfinished.push_back(entry.path());
  }
  for (const fs::path& file : unfinished) fs::remove(file, error);
}

}  // namespace aria
