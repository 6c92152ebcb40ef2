#include "aria/report/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "aria/report/table.hpp"
#include "aria/report/text.hpp"

namespace aria {

namespace {

constexpr std::array<std::string_view, 6> kRowNames = {"Cells",       "Coverage", "QD-Score",
                                                       "Max fitness", "P-Score",  "V-Score"};
constexpr std::string_view kUnknown = "–";

std::string one_decimal(double value) {
  const std::string text = fmt::format("{:.1f}", value);
  return text == "-0.0" ? "0.0" : text;
}

std::string score_text(const std::optional<double>& score, const std::optional<double>& margin = std::nullopt) {
  if (!score || !std::isfinite(*score)) return std::string(kUnknown);
  return margin ? fmt::format("{} ± {}", one_decimal(*score), one_decimal(*margin)) : one_decimal(*score);
}

std::string cells_text(const ArchiveScores& scores) {
  if (scores.coverage <= 0) return fmt::format("{}", scores.cells);
  return fmt::format("{} of {}", scores.cells, std::llround(static_cast<double>(scores.cells) / scores.coverage));
}

// One text per row of the table.
std::array<std::string, kRowNames.size()> column_texts(const ArchiveScores& scores) {
  return {cells_text(scores),
          fmt::format("{:.1f} %", 100 * scores.coverage),
          score_text(scores.qd_score),
          fitness_text(scores.max_fitness),
          score_text(scores.p_score, scores.p_margin),
          score_text(scores.v_score)};
}

constexpr std::size_t kNameWidth = 11;  // of the longest row name
constexpr std::size_t kGap = 2;         // between columns of the table

std::string one_table(std::span<const ScoreColumn> columns, const TerminalStyle& style) {
  std::vector<TextTable::Column> headers = {{"", Align::kLeft}};
  std::vector<std::vector<std::string>> rows;
  rows.reserve(kRowNames.size());
  for (const std::string_view name : kRowNames) rows.push_back({std::string(name)});
  for (const ScoreColumn& column : columns) {
    headers.push_back({column.title, Align::kRight});
    const auto texts = column_texts(column.scores);
    for (std::size_t r = 0; r < rows.size(); ++r) rows[r].push_back(texts[r]);
  }
  TextTable table(std::move(headers));
  for (std::vector<std::string>& row : rows) table.add_row(std::move(row));
  return table.render(style);
}

std::size_t column_width(const ScoreColumn& column, bool unicode) {
  std::size_t width = display_width(printable(column.title, unicode));
  for (const std::string& text : column_texts(column.scores)) {
    width = std::max(width, display_width(printable(text, unicode)));
  }
  return width;
}

}  // namespace

std::string fitness_text(const std::optional<double>& fitness) {
  if (!fitness || !std::isfinite(*fitness)) return std::string(kUnknown);
  const double size = std::abs(*fitness);
  if (size >= 1e4 && size < 1e7) return fmt::format("{:.0f}", *fitness);
  return fmt::format("{:.4g}", size == 0 ? 0.0 : *fitness);
}

std::string score_table(const std::vector<ScoreColumn>& columns, const TerminalStyle& style) {
  std::string text;
  std::size_t first = 0;
  do {
    std::size_t used = kNameWidth;
    std::size_t last = first;
    while (last < columns.size()) {
      used += kGap + column_width(columns[last], style.unicode);
      // one column is shown however narrow the terminal is
      if (used > style.width && last > first) break;
      ++last;
    }
    if (first > 0) text += '\n';
    text += one_table(std::span(columns).subspan(first, last - first), style);
    first = last;
  } while (first < columns.size());
  return text;
}

}  // namespace aria
