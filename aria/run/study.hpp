// A whole study: every algorithm, replicated, and the comparison. What `aria study` does, without the screen.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "aria/metrics/study_data.hpp"
#include "aria/run/study_config.hpp"
#include "aria/run/study_runs.hpp"

namespace aria {

struct Study {
  std::size_t runs = 0;             // in all
  std::size_t finished = 0;         // of those
  std::size_t started = 0;          // or continued, this time
  std::vector<std::string> failed;  // names of runs
  bool interrupted = false;
  std::optional<StudyData> data;  // of the finished runs; nothing where it was interrupted or none is finished
};

// Runs into `folder`, continuing what is there: finished runs are not repeated, and a study may be given more
// algorithms and replications. A damaged run is refused by an InputError that names it, or with `repair` put aside and
// run anew. Ends by writing study.json, study.csv and runs.csv.
Study run_study(const StudyConfig& config, const std::filesystem::path& folder, bool repair, const StudyHooks& hooks);

// Compares the runs in `folder` that are finished and changes nothing; others may be under way meanwhile. `config`
// may say what the study is, or leave it to the study.toml that is there; it may not contradict that.
Study study_so_far(const StudyConfig& config, const std::filesystem::path& folder);

// What a study says of itself before anything is compared.
StudyData data_of(const ResolvedStudy& study);

}  // namespace aria
