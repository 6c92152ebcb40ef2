// What a report page shows: runs, archives and studies, as the page's own code reads them (viewer/src/data/format.ts).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "aria/archive/archive_table.hpp"
#include "aria/archive/reevaluation_table.hpp"
#include "aria/metrics/scores.hpp"
#include "aria/report/motion.hpp"

namespace aria {

struct ReportArchive {
  bool initial = false;  // what a run started from; else what it ended with
  std::string label;     // e.g. "MAP-Elites archive"
  ArchiveTable table;
  std::optional<Reevaluation> reevaluation;  // of the table's solutions, row by row, in the grid of the run
  std::optional<ArchiveScores> illusory;
  std::optional<ArchiveScores> corrected;
  std::optional<ReportMotion> motion = std::nullopt;  // of tasks that move
};

// A progress.csv: columns and rows of texts, of which some are numbers.
struct ReportProgress {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

// Reads one; an InputError names the row (counted from 0) that does not have a field for every column.
ReportProgress parse_progress(std::string_view csv);

struct ReportRun {
  bool lone_archive = false;  // without a run around it
  std::string name;           // as the user calls it
  std::string task;           // empty where unknown
  std::string algorithm;      // empty where unknown
  std::optional<std::uint64_t> seed;
  std::vector<std::pair<std::string, std::string>> settings;
  Grid grid;
  Range fitness_range;
  std::optional<std::size_t> evaluations;
  std::optional<double> seconds;
  std::vector<ReportArchive> archives;
  std::optional<ReportProgress> progress;
  std::vector<std::string> measure_names = {};  // of the descriptor's coordinates; none: x, y, ...
};

struct ReportStudy {
  std::string name;
  std::string data;             // the text of its study.json, an object
  std::vector<ReportRun> runs;  // the median run of each algorithm
};

using ReportItem = std::variant<ReportRun, ReportStudy>;

// Descriptors of single evaluations per solution that a page holds at the most.
inline constexpr std::size_t kReportSamples = 64;

// The JSON that a page of `page_bytes` without data is to hold. Of each solution of a run or a lone archive as many
// rollouts of its motion, in half of the room that is left, and then as many kept samples go in as leave the page below
// `kMaxPageBytes`; runs in a study go without either.
inline constexpr std::size_t kMaxPageBytes = 5'000'000;
std::string report_json(const std::vector<ReportItem>& items, std::size_t page_bytes);

}  // namespace aria
