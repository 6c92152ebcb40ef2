// The names of the files in the folder of a run.
#pragma once

#include <filesystem>
#include <utility>
#include <vector>

namespace aria {

class RunFiles {
 public:
  explicit RunFiles(std::filesystem::path folder) : path_(std::move(folder)) {}

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path config() const { return path_ / "run.toml"; }
  std::filesystem::path archive() const { return path_ / "archive.npz"; }
  std::filesystem::path corrected() const { return path_ / "corrected.npz"; }
  std::filesystem::path reevaluations() const { return path_ / "reevaluations.npz"; }  // of the archive
  std::filesystem::path initial() const { return path_ / "initial.npz"; }
  std::filesystem::path initial_reevaluations() const { return path_ / "initial_reevaluations.npz"; }
  std::filesystem::path summary() const { return path_ / "summary.json"; }
  std::filesystem::path progress() const { return path_ / "progress.csv"; }
  // What a finished run may have beside its summary.
  std::vector<std::filesystem::path> results() const {
    return {config(), archive(), corrected(), reevaluations(), initial(), initial_reevaluations(), progress()};
  }
  std::filesystem::path checkpoint() const { return path_ / "checkpoint.npz"; }
  std::filesystem::path previous_checkpoint() const { return path_ / "checkpoint.previous.npz"; }

 private:
  std::filesystem::path path_;
};

}  // namespace aria
