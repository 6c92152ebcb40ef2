#include "aria/persistence/reevaluation_file.hpp"

#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "aria/core/finite.hpp"
#include "aria/persistence/archive_columns.hpp"
#include "aria/persistence/checksum.hpp"
#include "aria/persistence/file_error.hpp"
#include "aria/persistence/file_format.hpp"
#include "aria/persistence/grid_json-inl.h"
#include "aria/persistence/json_header-inl.h"
#include "aria/persistence/npy_header.hpp"
#include "aria/persistence/npz.hpp"

namespace aria {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;
constexpr std::size_t kMaxEvaluations = std::size_t{1} << 24;  // per solution, as at re-evaluating
constexpr const char* kObjectiveSamples = "objective_samples";
constexpr const char* kMeasuresSamples = "measures_samples";

// Calls `visit(name, column)` for every column that has one row per solution.
template <class Table, class Visit>
void each_reevaluation_column(Table& table, Visit&& visit) {
  each_statistic(table, visit);
  visit("index", table.index);
  visit("non_finite", table.non_finite);
}

Json header_of(const Reevaluation& reevaluation, const Matrix& solutions) {
  Json header;
  header["format"] = kReevaluationFormat;
  header["version"] = kVersion;
  header["grid"] = grid_object(reevaluation.grid.value());
  header["evaluations"] = reevaluation.samples;
  header["solutions"] = checksum_text(solutions);
  return header;
}

void require_shape(const NpyArray& array, const std::vector<std::size_t>& expected) {
  require(array.shape == expected, "its shape", shape_text(expected), shape_text(array.shape));
}

// Reads the columns once their shapes are known to be right.
class ColumnReader {
 public:
  ColumnReader(const NpzReader& reader, std::size_t rows, std::size_t measures)
      : reader_(reader), rows_(rows), measures_(measures) {}

  void operator()(const char* name, std::vector<float>& column) const { column = to_floats(read(name, {rows_})); }
  void operator()(const char* name, Matrix& column) const {
    column = Matrix(rows_, measures_, to_floats(read(name, {rows_, measures_})));
  }
  template <class T>
  void operator()(const char* name, std::vector<T>& column) const {
    NpyArray array = read(name, {rows_});
    naming(member(name), [&] { column = to_integers<T>(std::move(array)); });
  }
  NpyArray read(const char* name, const std::vector<std::size_t>& shape) const {
    NpyArray array = reader_.read_array(name);
    naming(member(name), [&] { require_shape(array, shape); });
    return array;
  }

 private:
  static std::string member(const char* name) { return fmt::format("{}.npy", name); }

  const NpzReader& reader_;
  std::size_t rows_;
  std::size_t measures_;
};

void read_samples(const NpzReader& npz, const ColumnReader& reader, std::size_t measures, Reevaluation& table) {
  if (!npz.has_array(kObjectiveSamples) && !npz.has_array(kMeasuresSamples)) return;
  NpyArray fitness = npz.read_array(kObjectiveSamples);
  const std::size_t kept = fitness.shape.size() == 2 ? fitness.shape[1] : 0;
  require(fitness.shape.size() == 2 && fitness.shape[0] == table.size() && kept >= 1 && kept <= table.samples,
          fmt::format("{}.npy: its shape", kObjectiveSamples),
          fmt::format("({}, 1 to {})", table.size(), table.samples), shape_text(fitness.shape));
  NpyArray descriptors = reader.read(kMeasuresSamples, {table.size(), kept, measures});
  table.objective_samples = to_floats(std::move(fitness));
  table.measures_samples = Matrix(table.size() * kept, measures, to_floats(std::move(descriptors)));
}

// What a row must be like; the message names it.
void check_row(const Reevaluation& table, std::size_t row) {
  const auto check = [&](bool ok, std::string_view name, std::string_view rule, const auto& got) {
    if (!ok) throw InputError(fmt::format("{}: row {} must be {}, got {}", name, row, rule, got));
  };
  const std::int64_t failed = table.non_finite[row];
  const auto all = static_cast<std::int64_t>(table.samples);
  const std::int32_t cell = table.index[row];
  check(failed >= 0 && failed <= all, "non_finite", fmt::format("from 0 to {}", all), failed);
  const bool none = failed == all;
  check(none ? cell == -1 : cell >= 0 && static_cast<std::size_t>(cell) < table.grid->cells(), "index",
        none ? "-1, where every evaluation failed" : fmt::format("a cell in [0, {})", table.grid->cells()), cell);
  for (const auto& [name, value] : {std::pair("cell_probability", table.cell_probability[row]),
                                    std::pair("cell_probability_lower", table.cell_probability_lower[row]),
                                    std::pair("cell_probability_upper", table.cell_probability_upper[row])}) {
    check(value >= 0 && value <= 1, name, "in [0, 1]", value);
  }
  // of nothing there are no means
  if (none) return;
  check(is_finite(table.objective_mean[row]), "objective_mean", "finite", table.objective_mean[row]);
  check(all_finite(table.measures_mean.row(row)), "measures_mean", "finite", "a value that is not");
  check(is_finite(table.objective_std[row]) && table.objective_std[row] >= 0, "objective_std",
        "finite and not negative", table.objective_std[row]);
  for (const float deviation : table.measures_std.row(row)) {
    check(is_finite(deviation) && deviation >= 0, "measures_std", "finite and not negative", deviation);
  }
}

// A sample is whole or failed.
void check_samples(const Reevaluation& table) {
  for (std::size_t i = 0; i < table.objective_samples.size(); ++i) {
    const float fitness = table.objective_samples[i];
    if (std::isnan(fitness) || (is_finite(fitness) && all_finite(table.measures_samples.row(i)))) continue;
    throw InputError(fmt::format("{}: row {} must be finite, or NaN where the evaluation failed, got something else",
                                 kObjectiveSamples, i / table.kept_samples()));
  }
}

void derive_variance(Reevaluation& table) {
  for (std::size_t row = 0; row < table.size(); ++row) {
    double variance = 0;
    for (const float deviation : table.measures_std.row(row)) variance += static_cast<double>(deviation) * deviation;
    table.descriptor_variance.push_back(variance);
  }
}

}  // namespace

void write_reevaluation(const std::filesystem::path& path, const Reevaluation& reevaluation, const Matrix& solutions) {
  const std::size_t n = reevaluation.size();
  const std::size_t kept = reevaluation.kept_samples();
  NpzWriter writer;
  writer.add_text(std::string(kHeaderMember), format_header(header_of(reevaluation, solutions)));
  each_reevaluation_column(reevaluation, [&](const char* name, const auto& column) { writer.add(name, column); });
  if (kept > 0) {
    writer.add(kObjectiveSamples, {n, kept}, reevaluation.objective_samples);
    writer.add(kMeasuresSamples, {n, kept, reevaluation.measures_samples.columns()},
               reevaluation.measures_samples.values());
  }
  writer.save(path);
}

Reevaluation read_reevaluation(const std::filesystem::path& path, const Matrix& solutions) {
  return naming_file(path, [&] {
    const NpzReader npz(path);
    const Json header = read_header(npz, kReevaluationFormat, kVersion);
    Reevaluation table;
    naming(kHeaderMember, [&] {
      table.grid = grid_from(json_at(header, "grid"));
      const Json& evaluations = json_at(header, "evaluations");
      require(evaluations.is_number_unsigned() && evaluations.get<std::uint64_t>() >= 1 &&
                  evaluations.get<std::uint64_t>() <= kMaxEvaluations,
              "evaluations", fmt::format("from 1 to {}", kMaxEvaluations), excerpt(evaluations.dump()));
      table.samples = evaluations.get<std::size_t>();
      const std::string got = json_string(header, "solutions");
      require(got == checksum_text(solutions), "solutions", "the checksum of the archive's", excerpt(got));
    });
    const std::size_t measures = table.grid->dimensions();
    const ColumnReader reader(npz, solutions.rows(), measures);
    each_reevaluation_column(table, reader);
    read_samples(npz, reader, measures, table);
    for (std::size_t row = 0; row < table.size(); ++row) check_row(table, row);
    check_samples(table);
    derive_variance(table);
    return table;
  });
}

bool is_reevaluation_of(const std::filesystem::path& path, const Matrix& solutions) {
  return naming_file(path, [&] {
    const Json header = read_header(NpzReader(path), kReevaluationFormat, kVersion);
    return naming(kHeaderMember, [&] { return json_string(header, "solutions") == checksum_text(solutions); });
  });
}

}  // namespace aria
