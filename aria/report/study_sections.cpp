#include "aria/report/study_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "aria/report/summary.hpp"
#include "aria/report/units.hpp"

namespace aria {

namespace {

constexpr double kLevel = 0.05;  // of significance
constexpr std::string_view kUnknown = "–";
constexpr std::array<std::string_view, 3> kScores = {"corrected.qd_score", "corrected.v_score", "corrected.p_score"};
constexpr std::size_t kProfileRows = 11;

const StudyMetric& metric_of(std::string_view key) { return study_metrics()[metric_index(key)]; }

std::string median_text(const StudyAlgorithm& algorithm, std::string_view key) {
  const auto& figure = algorithm.figure(key);
  return figure ? figure_text(key, figure->median) : std::string(kUnknown);
}

std::string quartiles_text(const StudyAlgorithm& algorithm, std::string_view key) {
  const auto& figure = algorithm.figure(key);
  if (!figure) return std::string(kUnknown);
  return fmt::format("{} ({} – {})", figure_text(key, figure->median), figure_text(key, figure->lower),
                     figure_text(key, figure->upper));
}

// By what is really there; those of equal score stay as they are.
std::vector<const StudyAlgorithm*> best_first(const StudyData& data) {
  std::vector<const StudyAlgorithm*> order;
  for (const StudyAlgorithm& algorithm : data.algorithms) order.push_back(&algorithm);
  std::ranges::stable_sort(order, std::greater{},
                           [](const StudyAlgorithm* algorithm) { return algorithm->figure(kScores[0])->median; });
  return order;
}

StudySection scores_section(const StudyData& data) {
  TextTable table({{"algorithm", Align::kLeft},
                   {"QD-Score", Align::kRight},
                   {"V-Score", Align::kRight},
                   {"P-Score", Align::kRight}});
  for (const StudyAlgorithm* algorithm : best_first(data)) {
    std::vector<std::string> row = {algorithm->name};
    for (const std::string_view key : kScores) row.push_back(quartiles_text(*algorithm, key));
    table.add_row(std::move(row));
  }
  const ScoreRanges& ranges = data.ranges;
  return {
      "What is really there (corrected archives): median (quartiles)", table,
      fmt::format("QD- and V-Score are normalised over all these archives: fitness {:.4g} .. {:.4g}, minus variance "
                  "{:.4g} .. {:.4g}.",
                  ranges.fitness.lower, ranges.fitness.upper, ranges.negative_variance.lower,
                  ranges.negative_variance.upper)};
}

std::optional<StudySection> published_section(const StudyData& data) {
  const auto is_published = [](const StudyAlgorithm& algorithm) { return algorithm.published.has_value(); };
  if (std::ranges::none_of(data.algorithms, is_published)) return std::nullopt;
  std::vector<TextTable::Column> columns = {{"algorithm", Align::kLeft}};
  for (const std::string_view key : kScores) {
    columns.push_back({metric_of(key).label, Align::kRight});
    columns.push_back({"published", Align::kRight});
  }
  TextTable table(columns);
  for (const StudyAlgorithm* algorithm : best_first(data)) {
    std::vector<std::string> row = {algorithm->name};
    for (const std::string_view key : kScores) {
      row.push_back(median_text(*algorithm, key));
      const auto published = published_figure(*algorithm, key);
      row.push_back(published ? fmt::format("{:.1f} {:+.1f}", *published, algorithm->figure(key)->median - *published)
                              : std::string(kUnknown));
    }
    table.add_row(std::move(row));
  }
  const bool less = data.preset != "paper";
  return StudySection{
      "Beside the published medians, with the difference from them", table,
      less ? fmt::format("The published runs had the budget of preset paper; these are of preset {}.", data.preset)
           : ""};
}

StudySection cost_section(const StudyData& data) {
  TextTable table({{"algorithm", Align::kLeft},
                   {"believed", Align::kRight},
                   {"real", Align::kRight},
                   {"gained", Align::kRight},
                   {"max fitness", Align::kRight},
                   {"evaluations", Align::kRight},
                   {"time", Align::kRight}});
  bool gains = false;
  for (const StudyAlgorithm* algorithm : best_first(data)) {
    const auto& gain = algorithm->figure("coverage_gain");
    gains = gains || gain;
    table.add_row({algorithm->name, median_text(*algorithm, "illusory.coverage"),
                   median_text(*algorithm, "corrected.coverage"), median_text(*algorithm, "coverage_gain"),
                   median_text(*algorithm, "corrected.max_fitness"), median_text(*algorithm, "evaluations"),
                   median_text(*algorithm, "seconds")});
  }
  return {"Coverage, believed and real; cost of a run: medians", table,
          gains
              ? "Gained: coverage over that of the archive it started from, both corrected (the paper: at least 50 %)."
              : ""};
}

// The smallest p that two samples can give, however different they are.
double least_p(std::size_t n, std::size_t m) {
  std::vector<double> low;
  std::vector<double> high;
  for (std::size_t i = 0; i < n; ++i) low.push_back(static_cast<double>(i));
  for (std::size_t i = 0; i < m; ++i) high.push_back(static_cast<double>(n + i));
  return rank_sum_test(low, high).p;
}

StudySection significance_section(const StudyData& data) {
  TextTable table({{"metric", Align::kLeft}, {"differ", Align::kRight}, {"do not differ", Align::kLeft}});
  std::size_t most = 0;
  for (const StudyMetric& metric : study_metrics()) {
    std::vector<std::string> alike;
    std::size_t pairs = 0;
    for (const StudyTest& test : data.tests) {
      if (test.metric != metric.key) continue;
      ++pairs;
      if (test.p_holm >= kLevel) alike.push_back(fmt::format("{} & {}", test.a, test.b));
    }
    if (pairs == 0) continue;
    most = std::max(most, pairs);
    const std::string others = alike.empty()           ? "–"
                               : alike.size() == pairs ? "all"
                                                       : fmt::format("{}", fmt::join(alike, ", "));
    table.add_row({metric.label, fmt::format("{} of {} pairs", pairs - alike.size(), pairs), others});
  }
  std::string note;
  const double least = least_p(data.replications, data.replications);
  if (least * static_cast<double>(most) >= kLevel) {
    note = fmt::format("With {} {} and {} {}, no difference can be significant: take more replications.",
                       data.replications, data.replications == 1 ? "replication" : "replications", most,
                       most == 1 ? "pair" : "pairs");
  }
  return {fmt::format("Significant differences (Wilcoxon rank-sum, Holm-Bonferroni over the pairs of a metric, {})",
                      kLevel),
          table, note};
}

// All metrics; algorithms as columns would not fit on a page.
StudySection figures_section(const StudyData& data, const StudyAlgorithm& algorithm) {
  TextTable table({{"metric", Align::kLeft},
                   {"median", Align::kRight},
                   {"lower quartile", Align::kRight},
                   {"upper quartile", Align::kRight},
                   {"published", Align::kRight}});
  for (const StudyMetric& metric : study_metrics()) {
    const auto& figure = algorithm.figure(metric.key);
    if (!figure) continue;
    const auto published = published_figure(algorithm, metric.key);
    table.add_row({metric.label, figure_text(metric.key, figure->median), figure_text(metric.key, figure->lower),
                   figure_text(metric.key, figure->upper),
                   published ? fmt::format("{:.2f}", *published) : std::string(kUnknown)});
  }
  std::string title =
      algorithm.label == algorithm.name ? algorithm.name : fmt::format("{} (`{}`)", algorithm.label, algorithm.name);
  if (algorithm.runs.size() < data.replications) {
    title += fmt::format(": {} of {} runs", algorithm.runs.size(), data.replications);
  }
  return {title, table, ""};
}

std::string p_text(double p) { return p < 0.001 ? fmt::format("{:.1e}", p) : fmt::format("{:.3f}", p); }

StudySection tests_section(const StudyData& data, const StudyMetric& metric) {
  TextTable table({{"pair", Align::kLeft},
                   {"U", Align::kRight},
                   {"p", Align::kRight},
                   {"p, corrected", Align::kRight},
                   {"method", Align::kLeft}});
  for (const StudyTest& test : data.tests) {
    if (test.metric != metric.key) continue;
    table.add_row({fmt::format("{} & {}", test.a, test.b), fmt::format("{}", test.result.statistic),
                   p_text(test.result.p), p_text(test.p_holm),
                   test.result.method == RankSum::Method::kExact ? "exact" : "normal"});
  }
  return {fmt::format("Rank-sum tests: {}", metric.label), table, ""};
}

StudySection profile_section(const StudyData& data) {
  std::vector<TextTable::Column> columns = {{"fitness at least", Align::kRight}};
  for (const StudyAlgorithm& algorithm : data.algorithms) columns.push_back({algorithm.name, Align::kRight});
  TextTable table(columns);
  const std::size_t last = data.thresholds.size() - 1;
  for (std::size_t r = 0; r < kProfileRows; ++r) {
    const std::size_t t = r * last / (kProfileRows - 1);
    std::vector<std::string> row = {fmt::format("{:.4g}", data.thresholds[t])};
    for (const StudyAlgorithm& algorithm : data.algorithms) {
      row.push_back(fmt::format("{:.1f} % ({:.1f} – {:.1f})", 100 * algorithm.profile.median[t],
                                100 * algorithm.profile.lower[t], 100 * algorithm.profile.upper[t]));
    }
    table.add_row(std::move(row));
  }
  return {"Archive profiles: share of all cells, median (quartiles)", table, ""};
}

}  // namespace

std::string figure_text(std::string_view key, double value) {
  if (key.ends_with("coverage") || key == "coverage_gain") return fmt::format("{:.1f} %", 100 * value);
  if (key.ends_with("max_fitness")) return fitness_text(value);
  if (key == "evaluations") return human_count(value);
  if (key == "seconds") return human_duration(value);
  if (key.ends_with("cells") && value == std::floor(value)) return fmt::format("{:.0f}", value);
  return fmt::format("{:.1f}", value);
}

std::string study_title(const StudyData& data) {
  const auto plural = [](std::size_t n, const char* word) {
    return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s");
  };
  const std::string budgets = data.budgets > 1 ? fmt::format(" × {} budgets", data.budgets) : "";
  return fmt::format("{}: {}{} × {} ({} {}{}), preset {}, {} re-evaluations of every solution", data.task,
                     plural(data.algorithms.size() / data.budgets, "algorithm"), budgets,
                     plural(data.replications, "replication"), data.replications == 1 ? "seed" : "seeds", data.seed,
                     data.replications == 1 ? "" : fmt::format(" – {}", data.seed + data.replications - 1), data.preset,
                     data.reevaluations);
}

std::vector<StudySection> main_sections(const StudyData& data) {
  std::vector<StudySection> sections = {scores_section(data)};
  if (auto published = published_section(data)) sections.push_back(std::move(*published));
  sections.push_back(cost_section(data));
  if (!data.tests.empty()) sections.push_back(significance_section(data));
  return sections;
}

std::vector<StudySection> detail_sections(const StudyData& data) {
  std::vector<StudySection> sections;
  for (const StudyAlgorithm& algorithm : data.algorithms) sections.push_back(figures_section(data, algorithm));
  for (const StudyMetric& metric : study_metrics()) {
    const auto is_of = [&](const StudyTest& test) { return test.metric == metric.key; };
    if (std::ranges::any_of(data.tests, is_of)) sections.push_back(tests_section(data, metric));
  }
  sections.push_back(profile_section(data));
  return sections;
}

}  // namespace aria
