// The results of a study as files for programs.
#pragma once

#include <filesystem>
#include <string>

#include "aria/metrics/study_data.hpp"

namespace aria {

// Everything: what `aria study --json` prints and `aria report` shows.
std::string study_json(const StudyData& data);

// One row per algorithm and metric: algorithm, metric, runs, median, lower_quartile, upper_quartile, published,
// difference (of the median from what was published). What is not known is left empty.
std::string study_csv(const StudyData& data);

// One row per run and metric: algorithm, seed, metric, value. What a run does not have is left out.
std::string runs_csv(const StudyData& data);

// Replaces a file, as a whole; one that holds this text already is left alone.
void write_if_changed(const std::filesystem::path& path, const std::string& text);

// study.json (with this text), study.csv and runs.csv in a study's folder, each only where it has changed.
void write_study_files(const std::filesystem::path& folder, const std::string& json, const StudyData& data);

}  // namespace aria
