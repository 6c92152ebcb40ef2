// The folder of a run and the files in it. Every file is replaced as a whole or not at all.
#pragma once

#include <filesystem>
#include <string>

#include "aria/run/configuration.hpp"
#include "aria/run/run_loop.hpp"

namespace aria {

class RunFolder {
 public:
  enum class State { kNew, kUnfinished, kFinished };

  // Looks at the folder without changing anything. A folder with other files in it, or with a run of other settings, is
  // refused with a message that names the difference.
  RunFolder(std::filesystem::path path, const ResolvedConfig& config);

  State state() const { return state_; }
  bool has_checkpoint() const;

  std::filesystem::path config() const { return path_ / "run.toml"; }
  std::filesystem::path archive() const { return path_ / "archive.npz"; }
  std::filesystem::path corrected() const { return path_ / "corrected.npz"; }
  std::filesystem::path initial() const { return path_ / "initial.npz"; }
  std::filesystem::path summary() const { return path_ / "summary.json"; }
  std::filesystem::path progress() const { return path_ / "progress.csv"; }
  std::filesystem::path checkpoint() const { return path_ / "checkpoint.npz"; }
  const std::filesystem::path& path() const { return path_; }

  // Makes the folder and writes the configuration: from here on the run can be continued. On failure nothing is left.
  void create() const;

  void write_checkpoint(const AnyAlgorithm& algorithm, const RunProgress& progress) const;
  void read_checkpoint(AnyAlgorithm& algorithm, RunProgress& progress) const;
  void remove_checkpoint() const;

  std::string read_summary() const;

 private:
  std::filesystem::path path_;
  std::string config_text_;
  State state_ = State::kNew;
};

}  // namespace aria
