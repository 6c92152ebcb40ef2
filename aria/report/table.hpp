// Tables of plain text with columns that line up.
#pragma once

#include <string>
#include <vector>

#include "aria/report/terminal.hpp"
#include "aria/report/text.hpp"

namespace aria {

class TextTable {
 public:
  struct Column {
    std::string header;
    Align align = Align::kLeft;
  };

  explicit TextTable(std::vector<Column> columns);

  // One text per column. Control characters in it will not reach the terminal.
  void add_row(std::vector<std::string> cells);

  // Lines that end with '\n'. Where the table is wider than the style, the widest column that is aligned to the left is
  // wrapped, as far as that makes sense, and columns that still do not fit follow below, behind the first one again;
  // numbers are never cut.
  std::string render(const TerminalStyle& style) const;

  // The same as a table of Markdown.
  std::string markdown() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;  // (rows x columns)
};

}  // namespace aria
