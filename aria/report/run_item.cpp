// A run, or an archive without one, in a report.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "aria/core/require.hpp"
#include "aria/report/report_items-inl.h"

namespace aria {

namespace {

ReportJson text_or_null(const std::string& text) { return text.empty() ? ReportJson(nullptr) : ReportJson(text); }

template <class T>
ReportJson value_or_null(const std::optional<T>& value) {
  return value ? ReportJson(*value) : ReportJson(nullptr);
}

// Axes have the names that people give them on paper.
std::vector<std::string> measure_names(std::size_t dimensions) {
  if (dimensions <= 3) {
    const std::vector<std::string> names = {"x", "y", "z"};
    return {names.begin(), names.begin() + static_cast<std::ptrdiff_t>(dimensions)};
  }
  std::vector<std::string> names;
  for (std::size_t k = 0; k < dimensions; ++k) names.push_back(fmt::format("d{}", k + 1));
  return names;
}

// A number where it is one, null where it says that there is none, else the text.
ReportJson field_object(const std::string& field) {
  double number = 0;
  const char* end = field.data() + field.size();
  const auto result = std::from_chars(field.data(), end, number);
  if (field.empty()) return nullptr;
  if (result.ec != std::errc() || result.ptr != end) return field;
  return std::isfinite(number) ? ReportJson(number) : ReportJson(nullptr);
}

ReportJson progress_object(const std::optional<ReportProgress>& progress) {
  if (!progress) return nullptr;
  ReportJson rows = ReportJson::array();
  for (const std::vector<std::string>& fields : progress->rows) {
    ReportJson row = ReportJson::array();
    for (const std::string& field : fields) row.push_back(field_object(field));
    rows.push_back(std::move(row));
  }
  return {{"columns", progress->columns}, {"rows", std::move(rows)}};
}

// What stands before the next separator, which is taken away with it.
std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  // a line that ends in a separator has an empty field behind it
  for (bool more = true; more;) {
    more = line.find(',') != std::string_view::npos;
    fields.emplace_back(take_until(line, ','));
  }
  return fields;
}

}  // namespace

ReportProgress parse_progress(std::string_view csv) {
  ReportProgress progress;
  progress.columns = fields_of(take_until(csv, '\n'));
  while (!csv.empty()) {
    progress.rows.push_back(fields_of(take_until(csv, '\n')));
    require(progress.rows.back().size() == progress.columns.size(),
            fmt::format("row {}: its fields", progress.rows.size() - 1), fmt::format("{}", progress.columns.size()),
            progress.rows.back().size());
  }
  return progress;
}

ReportJson run_object(const ReportRun& run, const ReportDetail& detail) {
  const GridShape& shape = run.grid.shape();
  ReportJson object;
  object["kind"] = run.lone_archive ? "archive" : "run";
  object["name"] = run.name;
  object["task"] = text_or_null(run.task);
  object["algorithm"] = text_or_null(run.algorithm);
  object["seed"] = value_or_null(run.seed);
  object["settings"] = ReportJson::array();
  for (const auto& [name, value] : run.settings) object["settings"].push_back({{"name", name}, {"value", value}});
  object["grid"] = {{"cells", shape.cells}, {"lower", shape.lower}, {"upper", shape.upper}};
  const bool named = run.measure_names.size() == run.grid.dimensions();
  object["measure_names"] = named ? run.measure_names : measure_names(run.grid.dimensions());
  object["fitness_range"] = {run.fitness_range.lower, run.fitness_range.upper};
  object["evaluations"] = value_or_null(run.evaluations);
  object["seconds"] = value_or_null(run.seconds);
  object["archives"] = ReportJson::array();
  for (const ReportArchive& archive : run.archives) {
    object["archives"].push_back(archive_object(archive, run.grid, run.fitness_range, detail));
  }
  object["progress"] = progress_object(run.progress);
  return object;
}

}  // namespace aria
