#include "aria/persistence/archive_file.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aria/persistence/archive_columns.hpp"
#include "aria/persistence/archive_csv.hpp"
#include "aria/persistence/file_error.hpp"
#include "aria/persistence/file_format.hpp"
#include "aria/persistence/grid_json-inl.h"
#include "aria/persistence/input_file.hpp"
#include "aria/persistence/json_header-inl.h"
#include "aria/persistence/npy_header.hpp"
#include "aria/persistence/npz.hpp"

namespace aria {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;
constexpr std::string_view kCentroids = "centroids";

Json header_of(const ArchiveTable& table) {
  Json header;
  header["format"] = kArchiveFormat;
  header["version"] = kVersion;
  if (table.grid) header["grid"] = grid_object(*table.grid);
  header["task"] = table.task;
  header["provenance"] = table.provenance;
  // a column that got lost on the way is missed at reading
  header["columns"] = Json::array();
  each_column(table, [&](const char* name, const auto& column) {
    if (!column.empty()) header["columns"].push_back(name);
  });
  return header;
}

Matrix centroids_of(const Grid& grid) {
  Matrix centroids(grid.cells(), grid.dimensions());
  for (std::size_t cell = 0; cell < grid.cells(); ++cell) grid.centroid(cell, centroids.row(cell));
  return centroids;
}

// Fills a column from an array of the file; `rows` 0 means not yet known.
void load(NpyArray array, std::size_t rows, Matrix& column) {
  require(array.shape.size() == 2 && array.shape[0] > 0 && array.shape[1] > 0 && (rows == 0 || array.shape[0] == rows),
          "its shape", rows == 0 ? "(rows, columns), at least one each" : fmt::format("({}, columns)", rows),
          shape_text(array.shape));
  const std::vector<std::size_t> shape = array.shape;
  column = Matrix(shape[0], shape[1], to_floats(std::move(array)));
}

template <class T>
void load(NpyArray array, std::size_t rows, std::vector<T>& column) {
  require(array.shape.size() == 1 && array.shape[0] == rows, "its shape", shape_text(std::vector{rows}),
          shape_text(array.shape));
  if constexpr (std::is_same_v<T, float>) {
    column = to_floats(std::move(array));
  } else {
    column = to_integers<T>(std::move(array));
  }
}

// What the header says of our own file; a file from elsewhere has none.
void apply_header(const NpzReader& reader, ArchiveTable& table) {
  const Json header = read_header(reader, kArchiveFormat, kVersion);
  naming(kHeaderMember, [&] {
    if (header.contains("grid")) table.grid = grid_from(header["grid"]);
    table.task = json_string(header, "task");
    table.provenance = json_string_map(header, "provenance");
    const Json& columns = json_at(header, "columns");
    require(columns.is_array(), "columns", "an array of texts", excerpt(columns.dump()));
    for (const Json& column : columns) {
      require(column.is_string(), "columns", "an array of texts", excerpt(column.dump()));
      const auto name = column.get<std::string>();
      require(reader.has_array(name), "every column named", "a member of the file", excerpt(name));
    }
  });
}

// The centroids are for readers that know no grid. Here they have to agree with it, and so stand behind its size: a
// few bytes cannot claim a grid that takes much memory.
void check_centroids(const NpzReader& reader, const Grid& grid) {
  const std::vector<std::size_t> expected = {grid.cells(), grid.dimensions()};
  const NpyArray centroids = reader.read_array(kCentroids);
  require(centroids.shape == expected, "centroids.npy: its shape", fmt::format("{}, as the grid", shape_text(expected)),
          shape_text(centroids.shape));
}

ArchiveTable read_npz_archive(const std::filesystem::path& path) {
  const NpzReader reader(path);
  ArchiveTable table;
  if (reader.has_member(kHeaderMember)) apply_header(reader, table);
  each_column(table, [&](const char* name, auto& column) {
    const bool required = std::string_view(name) == "solution";
    if (!required && !reader.has_array(name)) return;
    NpyArray array = reader.read_array(name);
    naming(fmt::format("{}.npy", name), [&] { load(std::move(array), table.size(), column); });
  });
  if (table.grid) check_centroids(reader, *table.grid);
  return table;
}

ArchiveTable read_npy_archive(const InputFile& file) {
  ByteSource source = file.source();
  ArchiveTable table;
  load(read_npy(source), 0, table.solution);
  return table;
}

ArchiveTable read_any(const std::filesystem::path& path) {
  const InputFile file(path);
  std::array<char, 6> start{};
  file.read_at(0, std::as_writable_bytes(std::span(start)));
  const std::string_view magic(start.data(), start.size());
  // an empty zip starts with its end record
  if (magic.starts_with("PK\x03\x04") || magic.starts_with("PK\x05\x06")) return read_npz_archive(path);
  if (magic == kNpyMagic) return read_npy_archive(file);
  return parse_archive_csv(file.read_all());
}

}  // namespace

void write_archive(const std::filesystem::path& path, const ArchiveTable& table) {
  naming_file(path, [&] { check_table(table); });

  NpzWriter writer;
  writer.add_text(std::string(kHeaderMember), naming_file(path, [&] { return format_header(header_of(table)); }));
  each_column(table, [&](const char* name, const auto& column) {
    if (!column.empty()) writer.add(name, column);
  });
  const Matrix centroids = table.grid ? centroids_of(*table.grid) : Matrix();
  if (table.grid) writer.add(std::string(kCentroids), centroids);
  writer.save(path);
}

ArchiveTable read_archive(const std::filesystem::path& path) {
  return naming_file(path, [&] {
    ArchiveTable table = read_any(path);
    check_table(table);
    return table;
  });
}

}  // namespace aria
