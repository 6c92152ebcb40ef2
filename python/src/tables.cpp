#include "python/src/tables.hpp"

#include <map>
#include <string>
#include <type_traits>
#include <variant>

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "aria/core/require.hpp"
#include "aria/persistence/archive_columns.hpp"
#include "python/src/arrays.hpp"

namespace aria::python {

namespace {

void load(const nb::object& array, Matrix& column) { column = to_matrix(nb::cast<Rows>(array)); }
template <class T>
void load(const nb::object& array, std::vector<T>& column) {
  column = to_vector(nb::cast<Vector<T>>(array));
}

template <class Column>
void put(nb::dict& dict, const char* name, const Column& column) {
  if (!column.empty()) dict[name] = to_numpy(column);
}

template <class Column>
void take(const nb::dict& dict, const char* name, Column& column) {
  if (dict.contains(name)) load(nb::object(dict[name]), column);
}

// Calls `visit(name, column)` for every column of a re-evaluation.
template <class Table, class Visit>
void each_reevaluation_column(Table& table, Visit&& visit) {
  each_statistic(table, visit);
  visit("descriptor_variance", table.descriptor_variance);
  visit("index", table.index);
  visit("non_finite", table.non_finite);
}

}  // namespace

nb::dict to_dict(const GridShape& shape) {
  std::vector<std::pair<double, double>> ranges;
  for (std::size_t k = 0; k < shape.cells.size(); ++k) ranges.emplace_back(shape.lower[k], shape.upper[k]);
  nb::dict grid;
  grid["dims"] = nb::cast(shape.cells);
  grid["ranges"] = nb::cast(ranges);
  return grid;
}

GridShape to_grid_shape(const nb::dict& grid) {
  GridShape shape;
  shape.cells = nb::cast<std::vector<std::size_t>>(grid["dims"]);
  for (const auto& [lower, upper] : nb::cast<std::vector<std::pair<double, double>>>(grid["ranges"])) {
    shape.lower.push_back(lower);
    shape.upper.push_back(upper);
  }
  return shape;
}

nb::dict to_dict(const ArchiveTable& table) {
  nb::dict dict;
  each_column(table, [&](const char* name, const auto& column) { put(dict, name, column); });
  if (table.grid) dict["grid"] = to_dict(table.grid->shape());
  dict["task"] = table.task;
  dict["provenance"] = table.provenance;
  return dict;
}

ArchiveTable to_table(const nb::dict& dict) {
  ArchiveTable table;
  each_column(table, [&](const char* name, auto& column) { take(dict, name, column); });
  if (dict.contains("grid")) table.grid = Grid(to_grid_shape(nb::cast<nb::dict>(dict["grid"])));
  if (dict.contains("task")) table.task = nb::cast<std::string>(dict["task"]);
  if (dict.contains("provenance")) {
    table.provenance = nb::cast<std::map<std::string, std::string>>(dict["provenance"]);
  }
  check_table(table);
  return table;
}

nb::dict to_dict(const Reevaluation& reevaluation) {
  nb::dict dict;
  dict["samples"] = reevaluation.samples;
  if (reevaluation.grid) dict["grid"] = to_dict(reevaluation.grid->shape());
  each_reevaluation_column(reevaluation, [&](const char* name, const auto& column) { put(dict, name, column); });
  if (const std::size_t kept = reevaluation.kept_samples(); kept > 0) {
    const std::size_t n = reevaluation.size();
    const Matrix& measures = reevaluation.measures_samples;
    dict["objective_samples"] = to_numpy(reevaluation.objective_samples, {n, kept});
    dict["measures_samples"] = to_numpy(measures.values(), {n, kept, measures.columns()});
  }
  return dict;
}

Reevaluation to_reevaluation(const nb::dict& dict) {
  Reevaluation reevaluation;
  reevaluation.samples = nb::cast<std::size_t>(dict["samples"]);
  reevaluation.grid = Grid(to_grid_shape(nb::cast<nb::dict>(dict["grid"])));
  each_reevaluation_column(reevaluation, [&](const char* name, auto& column) { take(dict, name, column); });
  if (dict.contains("objective_samples")) {
    using Cube = nb::ndarray<const float, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
    const auto objective = nb::cast<Rows>(dict["objective_samples"]);
    const auto measures = nb::cast<Cube>(dict["measures_samples"]);
    reevaluation.objective_samples = to_matrix(objective).values();
    reevaluation.measures_samples = Matrix(measures.shape(0) * measures.shape(1), measures.shape(2),
                                           std::vector<float>(measures.data(), measures.data() + measures.size()));
  }
  return reevaluation;
}

nb::dict to_dict(const SignedMap& map) {
  nb::dict dict;
  dict["from"] = to_numpy(map.from);
  dict["sign"] = to_numpy(map.sign);
  dict["offset"] = to_numpy(map.offset.empty() ? std::vector<float>(map.size()) : map.offset);
  return dict;
}

SignedMap to_map(const nb::dict& map) {
  SignedMap result;
  load(nb::object(map["from"]), result.from);
  load(nb::object(map["sign"]), result.sign);
  load(nb::object(map["offset"]), result.offset);
  return result;
}

nb::dict to_dict(const State& state) {
  nb::dict dict;
  for (const auto& [name, array] : state.arrays()) {
    const std::vector<std::size_t>& shape = array.shape;
    dict[name.c_str()] = std::visit([&](const auto& values) { return to_numpy(values, shape); }, array.values);
  }
  return dict;
}

State to_state(const nb::dict& dict) {
  State state;
  for (const auto& [name, value] : dict) {
    const auto array = nb::cast<nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>>(value);
    StateArray& entry = state.arrays()[nb::cast<std::string>(name)];
    for (std::size_t k = 0; k < array.ndim(); ++k) entry.shape.push_back(array.shape(k));
    const auto take = [&]<class T>(T) {
      if (array.dtype() != nb::dtype<T>()) return false;
      const auto* data = static_cast<const T*>(array.data());
      entry.values = std::vector<T>(data, data + array.size());
      return true;
    };
    const bool known = take(float{}) || take(double{}) || take(std::int64_t{}) || take(std::uint32_t{});
    require(known, fmt::format("'{}' of the state", nb::cast<std::string>(name)),
            "an array of float32, float64, int64 or uint32", "another");
  }
  return state;
}

}  // namespace aria::python
