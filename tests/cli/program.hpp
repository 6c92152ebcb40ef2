// Runs the program as a user would: in a folder of its own, with what it prints and its exit code caught.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/persistence/file_helpers.hpp"

#ifndef ARIA_PROGRAM
#define ARIA_PROGRAM ""  // the program is not built here: its tests are skipped
#endif

namespace aria::testing {

using Arguments = std::vector<std::string>;

// What came of a process.
struct Finished {
  int exit_code = -1;  // -1 where a signal ended it
  int signal = 0;      // that ended it
  std::string out;     // standard output
  std::string err;     // standard error
};

struct Start {
  std::string program = ARIA_PROGRAM;
  Arguments arguments = {};
  std::map<std::string, std::string> environment = {};  // beside the test's own, without what concerns terminals
  bool terminal = false;                                // standard error is a terminal
  int signal = 0;                                       // sent once, when a terminal shows `when`
  std::string when = {};
};

// Waits for the end, and fails the test where that takes more than a minute.
Finished run_process(const std::filesystem::path& folder, const Start& start);

// Every file below a folder: its name, bytes and time. Two are equal where nothing was made, changed or touched.
struct FileState {
  std::string bytes;
  std::filesystem::file_time_type time;
  friend bool operator==(const FileState&, const FileState&) = default;
};
using FolderState = std::map<std::string, FileState>;
FolderState look_at(const std::filesystem::path& folder);
std::vector<std::string> names_in(const FolderState& state);

// A folder that is there for one test, in which the program runs.
class Program : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::string(ARIA_PROGRAM).empty()) GTEST_SKIP() << "the program was not built";
  }

  Finished aria(const Arguments& arguments) const { return run({.arguments = arguments}); }
  Finished run(const Start& start) const { return run_process(folder_.path(), start); }

  // Runs it, and fails the test unless it says that all went well.
  Finished succeed(const Arguments& arguments) const;

  // Runs it on bad input: one line on standard error that says `message`, exit code 2, and every file as it was.
  void expect_refused(const Arguments& arguments, const ::testing::Matcher<std::string>& message) const;

  // Runs Python, which has `np` and `json`, in the folder; fails the test where it fails.
  std::string python(const std::string& script) const;

  std::vector<std::string> commands() const;         // that the program's help tells
  std::string bytes(const std::string& name) const;  // of a file, which must be there
  void write(const std::string& name, const std::string& text) const { write_bytes(folder_ / name, text); }

  TemporaryFolder folder_;
};

Arguments operator+(Arguments a, const Arguments& b);
Arguments set(const Arguments& assignments);  // --set before each

// Runs of a few hundredths of a second.
Arguments tiny_run(const std::string& algorithm, const std::string& out);
Arguments tiny_improvement(const std::string& archive, const std::string& out);

}  // namespace aria::testing
