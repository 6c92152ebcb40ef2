// What the tests of files share: a folder that disappears, raw bytes, the message of an error, a Python to ask.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "aria/archive/archive_table.hpp"
#include "aria/archive/reevaluation_table.hpp"
#include "aria/core/require.hpp"

#ifndef ARIA_PYTHON
#define ARIA_PYTHON ""  // no Python with NumPy: the tests that need one are skipped
#endif

namespace aria::testing {

// The names of the files in a folder, sorted.
std::vector<std::string> file_names(const std::filesystem::path& folder);

class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }
  std::vector<std::string> names() const { return file_names(path_); }

 private:
  std::filesystem::path path_;
};

void write_bytes(const std::filesystem::path& path, const std::string& bytes);
std::string read_bytes(const std::filesystem::path& path);

// The message of the InputError that `work` throws, which must be one line; fails the test where it throws none.
std::string error_of(const std::function<void()>& work);

// While it lives, writes beyond so many bytes of a file fail as they do on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(std::size_t bytes);
  ~FileSizeLimit();
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  sighandler_t handler_;
};

// How much the largest memory of this process grew during `work`, in bytes. Always 0 under the
// address sanitizer, which keeps freed memory for a while.
std::size_t memory_growth(const std::function<void()>& work);

// Runs a Python script with `path` as its argument and gives its output; fails the test where it fails.
bool has_python();
std::string run_python(const std::string& script, const std::filesystem::path& path);

// A table with every column known, of values that are hard on files: -0, denormals, the largest float.
ArchiveTable full_table();

// Three solutions evaluated ten times in six cells, two samples kept of each; the last one failed every time.
Reevaluation full_reevaluation();

}  // namespace aria::testing
