// A file that is only in memory, for readers that want a path.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace aria::fuzz {

class MemoryFile {
 public:
  MemoryFile() : descriptor_(::memfd_create("fuzzed", MFD_CLOEXEC)) {
    if (descriptor_ < 0) std::abort();
    path_ = "/proc/self/fd/" + std::to_string(descriptor_);
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  // The path of a file with these bytes; those from before are gone.
  const std::filesystem::path& holding(const void* bytes, std::size_t size) {
    const auto length = static_cast<off_t>(size);
    if (::ftruncate(descriptor_, 0) != 0 || ::ftruncate(descriptor_, length) != 0) std::abort();
    if (::pwrite(descriptor_, bytes, size, 0) != static_cast<ssize_t>(size)) std::abort();
    return path_;
  }
  const std::filesystem::path& holding(const std::string& bytes) { return holding(bytes.data(), bytes.size()); }

 private:
  int descriptor_;
  std::filesystem::path path_;
};

}  // namespace aria::fuzz
