// The scores of archives side by side, as a table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aria/metrics/scores.hpp"
#include "aria/report/terminal.hpp"
#include "aria/report/units.hpp"

namespace aria {

struct ScoreColumn {
  std::string title;  // such as "Illusory" or "Corrected"
  ArchiveScores scores;
};

// Four significant digits, without an exponent for numbers that people write in full; a dash where it is not known.
std::string fitness_text(const std::optional<double>& fitness);

// A row per score; what is not known is a dash. Columns that do not fit beside the others continue in a table below.
std::string score_table(const std::vector<ScoreColumn>& columns, const TerminalStyle& style);

}  // namespace aria
