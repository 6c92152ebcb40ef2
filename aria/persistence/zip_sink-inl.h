// Lets libzip write straight into a file that is already there. Its own way makes a temporary file of its own, and
// closes it twice where the disk fills up with the last bytes (libzip 1.7).
#pragma once

#include <zip.h>

#include <cstdint>
#include <filesystem>

#include "aria/persistence/file_descriptor.hpp"

namespace aria {

// For the .cpp files of this room only: libzip's types leave it nowhere else. Must outlive the source made of it.
class ZipSink {
 public:
  explicit ZipSink(const std::filesystem::path& path);
  ~ZipSink() { zip_error_fini(&error_); }
  ZipSink(const ZipSink&) = delete;
  ZipSink& operator=(const ZipSink&) = delete;

  zip_source_t* make_source(zip_error_t* error) { return zip_source_function_create(&ZipSink::command, this, error); }

 private:
  static zip_int64_t command(void* self, void* data, zip_uint64_t length, zip_source_cmd_t what);
  zip_int64_t write(const void* data, zip_uint64_t length);
  zip_int64_t seek(void* data, zip_uint64_t length);
  zip_int64_t stat(void* data, zip_uint64_t length);

  FileDescriptor file_;
  std::uint64_t position_ = 0;
  std::uint64_t end_ = 0;
  zip_error_t error_;
};

}  // namespace aria
