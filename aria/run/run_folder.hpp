// The folder of a run that is being made. Every file is replaced as a whole or not at all.
#pragma once

#include <filesystem>
#include <string>

#include "aria/run/configuration.hpp"
#include "aria/run/run_files.hpp"
#include "aria/run/run_loop.hpp"

namespace aria {

class RunFolder : public RunFiles {
 public:
  enum class State { kNew, kUnfinished, kFinished };

  // Looks at the folder without changing anything. A folder with other files in it, or with a run of other settings, is
  // refused with a message that names the difference.
  RunFolder(std::filesystem::path folder, const ResolvedConfig& config);

  State state() const { return state_; }
  bool has_checkpoint() const;

  // Makes the folder and writes the configuration: from here on the run can be continued. On failure nothing is left.
  void create() const;

  // The one before is kept: whatever happens meanwhile, one of the two is whole.
  void write_checkpoint(const AnyAlgorithm& algorithm, const RunProgress& progress) const;
  // Takes the newest that is whole. Gives back what is wrong with a newer one, empty where there is none.
  std::string read_checkpoint(AnyAlgorithm& algorithm, RunProgress& progress) const;
  // To be called before the next is written, which would otherwise push the whole one out and keep the damaged one.
  void remove_damaged_checkpoint() const;
  void remove_checkpoint() const;

  std::string read_summary() const;

 private:
  std::string config_text_;
  State state_ = State::kNew;
};

}  // namespace aria
