// Whether the files of a finished run are those that its configuration makes: checksums are compared, and what follows
// from something else that is there is computed again.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "aria/run/experiment.hpp"

namespace aria {

struct VerificationConfig {
  // Of the algorithm, to repeat; where nothing is said as many as take the run to the third row of its progress.csv.
  std::optional<std::size_t> generations;
  bool whole = false;  // repeat the whole run instead
};

struct Verification {
  enum class Result { kHolds, kFails, kUnknown };
  struct Check {
    std::string what;
    Result result = Result::kUnknown;
    std::string detail;
  };

  std::vector<Check> checks;
  bool interrupted = false;

  bool holds() const;  // nothing fails
  std::string to_json() const;
};

std::string to_string(Verification::Result result);

// A damaged file is a check that fails; an InputError says that there is no finished run. Nothing in the folder is
// changed. Of `hooks`, `progress` and `stop` are used.
Verification verify_run(const std::filesystem::path& folder, const VerificationConfig& config,
                        const ExperimentHooks& hooks);

}  // namespace aria
