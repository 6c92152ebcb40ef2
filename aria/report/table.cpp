#include "aria/report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <utility>

#include "aria/core/require.hpp"

namespace aria {

namespace {

constexpr std::string_view kGap = "  ";
constexpr std::size_t kLeastWrapped = 16;  // columns below which wrapped text is hard to read

using Cells = std::vector<std::string>;

std::size_t table_width(const std::vector<std::size_t>& widths) {
  return std::accumulate(widths.begin(), widths.end(), kGap.size() * (widths.size() - 1));
}

// The lines of one row: as many as its longest wrapped cell has.
std::vector<std::string> row_lines(const Cells& cells, const std::vector<TextTable::Column>& columns,
                                   const std::vector<std::size_t>& widths) {
  std::vector<Cells> parts;
  std::size_t height = 1;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const bool fits = display_width(cells[c]) <= widths[c];
    parts.push_back(fits ? Cells{cells[c]} : wrapped(cells[c], widths[c]));
    height = std::max(height, parts.back().size());
  }
  std::vector<std::string> lines;
  for (std::size_t l = 0; l < height; ++l) {
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (c > 0) line += kGap;
      line += aligned(l < parts[c].size() ? parts[c][l] : "", widths[c], columns[c].align);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(std::move(line));
  }
  return lines;
}

// Takes what is too much from the widest column of text.
void narrow(std::vector<std::size_t>& widths, const std::vector<TextTable::Column>& columns, std::size_t limit) {
  std::size_t widest = columns.size();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].align == Align::kLeft && (widest == columns.size() || widths[c] > widths[widest])) widest = c;
  }
  if (widest == columns.size() || widths[widest] <= kLeastWrapped) return;
  const std::size_t excess = table_width(widths) - limit;
  widths[widest] = std::max(kLeastWrapped, widths[widest] > excess ? widths[widest] - excess : 0);
}

// Which columns are shown together: the first one, which tells rows apart, and as many others as fit, but at least one.
std::vector<std::vector<std::size_t>> parts_that_fit(const std::vector<std::size_t>& widths, std::size_t limit) {
  std::vector<std::vector<std::size_t>> parts = {{0}};
  std::size_t used = widths[0];
  for (std::size_t c = 1; c < widths.size(); ++c) {
    const std::size_t more = kGap.size() + widths[c];
    if (used + more > limit && parts.back().size() > 1) {
      parts.push_back({0});
      used = widths[0];
    }
    parts.back().push_back(c);
    used += more;
  }
  return parts;
}

template <class T>
std::vector<T> chosen(const std::vector<T>& all, const std::vector<std::size_t>& places) {
  std::vector<T> result;
  result.reserve(places.size());
  for (const std::size_t place : places) result.push_back(all[place]);
  return result;
}

}  // namespace

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {
  require(!columns_.empty(), "the number of a table's columns", "at least 1", columns_.size());
}

void TextTable::add_row(std::vector<std::string> cells) {
  require(cells.size() == columns_.size(), "the number of cells in a table's row",
          fmt::format("{}, one per column", columns_.size()), cells.size());
  rows_.push_back(std::move(cells));
}

std::string TextTable::render(const TerminalStyle& style) const {
  // Cleaned first: what is measured must be what is shown
  Cells header;
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) {
    header.push_back(printable(column.header, style.unicode));
    widths.push_back(display_width(header.back()));
  }
  std::vector<Cells> rows = rows_;
  for (Cells& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      row[c] = printable(row[c], style.unicode);
      widths[c] = std::max(widths[c], display_width(row[c]));
    }
  }
  if (table_width(widths) > style.width) narrow(widths, columns_, style.width);

  std::string text;
  for (const std::vector<std::size_t>& shown : parts_that_fit(widths, style.width)) {
    if (!text.empty()) text += '\n';
    const std::vector<Column> columns = chosen(columns_, shown);
    const std::vector<std::size_t> part_widths = chosen(widths, shown);
    for (const std::string& line : row_lines(chosen(header, shown), columns, part_widths)) {
      text += style.colour == TerminalStyle::Colour::kNone ? line : fmt::format("\x1b[1m{}\x1b[0m", line);
      text += '\n';
    }
    for (std::size_t i = 0; i < table_width(part_widths); ++i) text += style.unicode ? "─" : "-";
    text += '\n';
    for (const Cells& row : rows) {
      for (const std::string& line : row_lines(chosen(row, shown), columns, part_widths)) text += line + '\n';
    }
  }
  return text;
}

std::string TextTable::markdown() const {
  const auto line = [](const Cells& cells) {
    std::string text = "|";
    for (const std::string& cell : cells) {
      text += ' ';
      for (const char c : printable(cell, true)) text += c == '|' ? "\\|" : std::string(1, c);
      text += " |";
    }
    return text + '\n';
  };
  Cells header;
  std::string rule = "|";
  for (const Column& column : columns_) {
    header.push_back(column.header);
    rule += column.align == Align::kLeft ? "---|" : column.align == Align::kRight ? "---:|" : ":---:|";
  }
  std::string text = line(header) + rule + '\n';
  for (const Cells& row : rows_) text += line(row);
  return text;
}

}  // namespace aria
