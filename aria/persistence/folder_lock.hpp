// Keeps other processes off a folder that is being written.
#pragma once

#include <filesystem>

#include "aria/persistence/file_descriptor.hpp"

namespace aria {

// Held until the object is gone or its process is, however that ends: nothing is left behind that could be stale. It is
// a lock among our programs; where the file system knows no locks there is none.
class FolderLock {
 public:
  // An InputError names the folder where another process holds its lock and goes on to for two seconds.
  explicit FolderLock(const std::filesystem::path& folder);

 private:
  FileDescriptor folder_;
};

}  // namespace aria
