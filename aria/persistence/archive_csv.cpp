#include "aria/persistence/archive_csv.hpp"

#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "aria/persistence/file_error.hpp"

namespace aria {
namespace {

// Cuts the text into rows of fields. Fields are views: one with doubled quotes inside keeps them doubled, since neither
// a column that is known nor a number has any.
class CsvRows {
 public:
  explicit CsvRows(std::string_view text) : rest_(text) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
  }

  bool next(std::vector<std::string_view>& fields) {
    fields.clear();
    skip_empty_lines();
    if (rest_.empty()) return false;
    bool more = true;
    while (more) {
      require(fields.size() < kMaxCsvColumns, "the number of its columns", fmt::format("at most {}", kMaxCsvColumns),
              "more");
      fields.push_back(rest_.starts_with('"') ? quoted_field() : plain_field());
      more = end_field();
    }
    return true;
  }

 private:
  void skip_empty_lines() {
    while (rest_.starts_with('\n') || rest_.starts_with("\r\n")) rest_.remove_prefix(rest_.front() == '\n' ? 1 : 2);
  }
  std::string_view plain_field() {
    const std::string_view field = rest_.substr(0, rest_.find_first_of(",\n"));
    rest_.remove_prefix(field.size());
    const bool carriage_return = field.ends_with('\r') && !rest_.starts_with(',');
    return carriage_return ? field.substr(0, field.size() - 1) : field;
  }
  std::string_view quoted_field() {
    std::size_t end = 1;
    while (true) {
      end = rest_.find('"', end);
      if (end == std::string_view::npos) throw InputError(fmt::format("a quote must end, got {}", excerpt(rest_)));
      if (!rest_.substr(end + 1).starts_with('"')) break;
      end += 2;
    }
    const std::string_view field = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    if (rest_.starts_with("\r\n") || rest_ == "\r") rest_.remove_prefix(1);
    return field;
  }
  // Steps over what ends a field; true where another follows in the row.
  bool end_field() {
    if (rest_.empty()) return false;
    const char separator = rest_.front();
    if (separator != ',' && separator != '\n') {
      throw InputError(fmt::format("a quoted field must end in ',' or a new line, got {}", excerpt(rest_)));
    }
    rest_.remove_prefix(1);
    return separator == ',';
  }

  std::string_view rest_;
};

std::string_view trimmed(std::string_view field) {
  constexpr std::string_view kSpaces = " \t\r\n";
  const std::size_t first = field.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return {};
  return field.substr(first, field.find_last_not_of(kSpaces) - first + 1);
}

enum class Kind { kIgnored, kSolution, kMeasures, kObjective, kIndex };

struct Column {
  Kind kind = Kind::kIgnored;
  std::size_t position = 0;  // within the genotype or the descriptor
};

std::optional<std::size_t> position_after(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  std::size_t position = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), position);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return position;
}

Column column_named(std::string_view name) {
  if (name == "objective") return {Kind::kObjective, 0};
  if (name == "index") return {Kind::kIndex, 0};
  if (const auto position = position_after(name, "solution_")) return {Kind::kSolution, *position};
  if (const auto position = position_after(name, "measures_")) return {Kind::kMeasures, *position};
  return {};
}

// How many columns there are of a kind; they must be numbered 0 to that, each once.
std::size_t count_columns(const std::vector<Column>& columns, Kind kind, std::string_view name) {
  std::size_t count = 0;
  for (const Column& column : columns) count += column.kind == kind ? 1 : 0;
  std::vector<bool> seen(count, false);
  for (const Column& column : columns) {
    if (column.kind != kind) continue;
    if (column.position >= count || seen[column.position]) {
      throw InputError(fmt::format("its columns {}* must be numbered 0 to {}, each once, got {}{}", name, count - 1,
                                   name, column.position));
    }
    seen[column.position] = true;
  }
  return count;
}

float parse_float(std::string_view field) {
  const char* end = field.data() + field.size();
  float value = 0;
  auto result = std::from_chars(field.data(), end, value);
  if (result.ec == std::errc::result_out_of_range) {
    // a double that is too small for a float is no mistake; it rounds to zero
    double wide = 0;
    result = std::from_chars(field.data(), end, wide);
    value = static_cast<float>(wide);
  }
  if (result.ec != std::errc() || result.ptr != end) {
    throw InputError(fmt::format("must be a number, got {}", excerpt(field)));
  }
  return value;
}

std::int32_t parse_index(std::string_view field) {
  const char* end = field.data() + field.size();
  std::int32_t value = 0;
  const auto result = std::from_chars(field.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end) {
    throw InputError(fmt::format("must be an integer of 4 bytes, got {}", excerpt(field)));
  }
  return value;
}

class TableBuilder {
 public:
  explicit TableBuilder(const std::vector<std::string_view>& names) {
    for (const std::string_view name : names) columns_.push_back(column_named(trimmed(name)));
    solution_.resize(count_columns(columns_, Kind::kSolution, "solution_"));
    measures_.resize(count_columns(columns_, Kind::kMeasures, "measures_"));
    if (solution_.empty()) {
      throw InputError(fmt::format(
          "it must be an archive: an .npz, a .npy, or a CSV with columns solution_0, solution_1, ..., got {}",
          excerpt(names.empty() ? "" : std::string_view(names.front().data(), header_length(names)))));
    }
    for (const auto& [kind, name] : {std::pair(Kind::kObjective, "objective"), std::pair(Kind::kIndex, "index")}) {
      std::size_t count = 0;
      for (const Column& column : columns_) count += column.kind == kind ? 1 : 0;
      require(count <= 1, fmt::format("its column {}", name), "there once", count);
    }
  }

  void add_row(const std::vector<std::string_view>& fields) {
    const std::size_t row = table_.solution.rows();
    if (fields.size() != columns_.size()) {
      throw InputError(
          fmt::format("row {} must have {} fields, as the first line, got {}", row, columns_.size(), fields.size()));
    }
    for (std::size_t i = 0; i < fields.size(); ++i) {
      try {
        add_field(columns_[i], trimmed(fields[i]));
      } catch (const InputError& error) {
        throw InputError(fmt::format("row {}, field {}: it {}", row, i, error.what()));
      }
    }
    table_.solution.append_row(solution_);
    if (!measures_.empty()) table_.measures.append_row(measures_);
  }

  ArchiveTable take() { return std::move(table_); }

 private:
  static std::size_t header_length(const std::vector<std::string_view>& names) {
    return static_cast<std::size_t>(names.back().data() + names.back().size() - names.front().data());
  }
  void add_field(const Column& column, std::string_view field) {
    switch (column.kind) {
      case Kind::kSolution:
        solution_[column.position] = parse_float(field);
        break;
      case Kind::kMeasures:
        measures_[column.position] = parse_float(field);
        break;
      case Kind::kObjective:
        table_.objective.push_back(parse_float(field));
        break;
      case Kind::kIndex:
        table_.index.push_back(parse_index(field));
        break;
      case Kind::kIgnored:
        break;
    }
  }

  std::vector<Column> columns_;  // (fields of a row)
  std::vector<float> solution_;  // (D) of the current row
  std::vector<float> measures_;  // (m) of the current row
  ArchiveTable table_;
};

}  // namespace

ArchiveTable parse_archive_csv(std::string_view text) {
  CsvRows rows(text);
  std::vector<std::string_view> fields;
  rows.next(fields);
  TableBuilder builder(fields);
  while (rows.next(fields)) builder.add_row(fields);
  return builder.take();
}

}  // namespace aria
