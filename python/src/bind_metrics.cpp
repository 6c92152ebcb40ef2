// Metrics: grids, scores, statistics.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "aria/core/interval.hpp"
#include "aria/core/require.hpp"
#include "aria/metrics/corrected_archive.hpp"
#include "aria/metrics/holm.hpp"
#include "aria/metrics/quantiles.hpp"
#include "aria/metrics/rank_sum.hpp"
#include "aria/metrics/scores.hpp"
#include "python/src/arrays.hpp"
#include "python/src/bindings.hpp"
#include "python/src/tables.hpp"

namespace aria::python {

namespace {

using Pair = std::pair<double, double>;

Range to_range(const Pair& pair) {
  require(pair.first < pair.second, "fitness_range", "two numbers, the lower first",
          fmt::format("({}, {})", pair.first, pair.second));
  return {pair.first, pair.second};
}

// A grid has room for so much variance; see fixed_ranges.
ScoreRanges ranges_of(const Grid& grid, const Pair& fitness) {
  TaskInfo info;
  info.grid = grid.shape();
  info.fitness_range = to_range(fitness);
  return fixed_ranges(info);
}

template <class T>
nb::object optional_number(const std::optional<T>& value) {
  return value ? nb::cast(*value) : nb::none();
}

nb::dict scores_dict(const ArchiveScores& scores) {
  nb::dict dict;
  dict["cells"] = scores.cells;
  dict["coverage"] = scores.coverage;
  dict["qd_score"] = scores.qd_score;
  dict["max_fitness"] = optional_number(scores.max_fitness);
  dict["p_score"] = optional_number(scores.p_score);
  dict["p_score_margin"] = optional_number(scores.p_margin);
  dict["v_score"] = optional_number(scores.v_score);
  return dict;
}

nb::object cells_of(const nb::dict& grid, const Rows& measures) {
  const Grid cells(to_grid_shape(grid));
  require(measures.shape(1) == cells.dimensions(), "measures", fmt::format("of shape (n, {})", cells.dimensions()),
          fmt::format("({}, {})", measures.shape(0), measures.shape(1)));
  std::vector<std::uint32_t> index(measures.shape(0));
  cells.cells_of(MatrixView(measures.data(), measures.shape(0), measures.shape(1)), index);
  return to_numpy(std::vector<std::int32_t>(index.begin(), index.end()));
}

nb::object centroids_of(const nb::dict& grid) {
  const Grid cells(to_grid_shape(grid));
  Matrix centroids(cells.cells(), cells.dimensions());
  for (std::size_t cell = 0; cell < cells.cells(); ++cell) cells.centroid(cell, centroids.row(cell));
  return to_numpy(centroids);
}

nb::object illusory(const nb::dict& archive, const nb::dict& grid, const Pair& fitness) {
  const Grid cells(to_grid_shape(grid));
  const auto scores = illusory_scores(to_table(archive), cells, ranges_of(cells, fitness));
  return scores ? nb::object(scores_dict(*scores)) : nb::none();
}

nb::dict corrected(const nb::dict& archive, const Pair& fitness) {
  const ArchiveTable table = to_table(archive);
  require(table.grid && !table.cell_probability.empty() && !table.objective_mean.empty() && !table.n_evals.empty(),
          "the archive", "a corrected one, with a grid and cell_probability", "another");
  return scores_dict(corrected_scores(table, ranges_of(*table.grid, fitness)));
}

std::vector<double> profile(const nb::dict& archive, const std::vector<double>& thresholds) {
  const ArchiveTable table = to_table(archive);
  require(table.grid && !table.objective_mean.empty(), "the archive", "a corrected one, with a grid", "another");
  return archive_profile(table, thresholds);
}

Pair wilson(std::size_t hits, std::size_t trials) {
  require(trials >= 1 && hits <= trials, "hits", fmt::format("from 0 to trials ({})", trials), hits);
  const Interval interval = wilson_interval(hits, trials);
  return {interval.lower, interval.upper};
}

nb::dict rank_sum(const std::vector<double>& a, const std::vector<double>& b) {
  const auto usable = [](const std::vector<double>& sample) {
    return !sample.empty() && std::ranges::none_of(sample, [](double value) { return std::isnan(value); });
  };
  require(usable(a) && usable(b), "each sample", "not empty and without NaN", "another");
  const RankSum result = rank_sum_test(a, b);
  nb::dict dict;
  dict["statistic"] = result.statistic;
  dict["p"] = result.p;
  dict["method"] = result.method == RankSum::Method::kExact ? "exact" : "normal";
  return dict;
}

}  // namespace

void bind_metrics(nb::module_& module) {
  module.def("cells_of", &cells_of, nb::arg("grid"), nb::arg("measures"), "Cells in C order of the grid.");
  module.def("centroids", &centroids_of, nb::arg("grid"));
  module.def("illusory_scores", &illusory, nb::arg("archive"), nb::arg("grid"), nb::arg("fitness_range"));
  module.def("corrected_scores", &corrected, nb::arg("archive"), nb::arg("fitness_range"));
  module.def("archive_profile", &profile, nb::arg("archive"), nb::arg("thresholds"));
  module.def("wilson_interval", &wilson, nb::arg("hits"), nb::arg("trials"));
  module.def("rank_sum_test", &rank_sum, nb::arg("a"), nb::arg("b"));
  module.def(
      "holm_correction", [](const std::vector<double>& p) { return holm_correction(p); }, nb::arg("p"));
  module.def(
      "quantile",
      [](const std::vector<double>& values, double share) {
        require(!values.empty(), "values", "not empty", "none");
        require(share >= 0 && share <= 1, "share", "from 0 to 1", share);
        return quantile(values, share);
      },
      nb::arg("values"), nb::arg("share"));
}

}  // namespace aria::python
