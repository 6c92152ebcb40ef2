// What a run or a correction came to, as figures; the object that --json prints and summary.json holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "aria/metrics/scores.hpp"

namespace aria {

// What an archive claims and what it is worth.
struct BeforeAndAfter {
  std::optional<ArchiveScores> illusory;   // unknown where the archive came without fitness or descriptors
  std::optional<ArchiveScores> corrected;  // unknown where it was not re-evaluated
};

struct RunSummary {
  std::string task;
  std::string algorithm;  // empty where unknown
  std::uint64_t seed = 0;
  bool use_symmetry = false;    // only fundamental cells were solved, the others follow from them
  std::size_t evaluations = 0;  // of the algorithm alone
  std::size_t failed = 0;       // of those
  double seconds = 0;           // of the algorithm alone
  std::size_t cells_in_all = 0;
  BeforeAndAfter result;
  std::optional<BeforeAndAfter> initial;  // of the archive that the algorithm started from
  ScoreRanges ranges;
  std::size_t reevaluations = 0;  // evaluations for the metrics, in all
  std::size_t failed_reevaluations = 0;
  double reevaluation_seconds = 0;
  std::string first_error;  // what the task said when an evaluation first failed
  // Checksums of the other files of the run, by name. Where there are any, the text ends with one of itself.
  std::map<std::string, std::string> files;

  std::string to_json() const;
};

// Reads back what to_json wrote; an InputError names the key that is wrong, or says that the checksum is.
RunSummary parse_summary(const std::string& json);

}  // namespace aria
