// The results of a study for people: tables on the terminal, and a page of Markdown.
#pragma once

#include <string>

#include "aria/metrics/study_data.hpp"
#include "aria/report/terminal.hpp"

namespace aria {

// Scores, the published ones beside them, coverage and cost, significance. The best QD-Score comes first.
std::string study_screen(const StudyData& data, const TerminalStyle& style);

// The same and more: quartiles of every metric, every p-value, the archive profiles.
std::string study_markdown(const StudyData& data);

}  // namespace aria
