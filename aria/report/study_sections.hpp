// The tables of a study, ready to be drawn.
#pragma once

#include <string>
#include <vector>

#include "aria/metrics/study_data.hpp"
#include "aria/report/table.hpp"

namespace aria {

struct StudySection {
  std::string title;
  TextTable table;
  std::string note;  // empty: none
};

// What is compared, in a line.
std::string study_title(const StudyData& data);

// The ones that matter most, each at most 80 columns wide as long as names and numbers are of usual length.
std::vector<StudySection> main_sections(const StudyData& data);

// All figures, all p-values, the profiles.
std::vector<StudySection> detail_sections(const StudyData& data);

// A figure with the digits and the unit of its metric.
std::string figure_text(std::string_view key, double value);

}  // namespace aria
