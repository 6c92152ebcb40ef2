// Draws cells of a heat map as characters. A character is twice as high as wide, so each holds two square cells.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "aria/report/terminal.hpp"

namespace aria {

// The two cells of a character: shares of the scale from 0 to 1, nothing where the cell is empty.
struct CellPair {
  std::optional<double> upper;
  std::optional<double> lower;
};

// One character per pair. With colours and Unicode both cells are seen; else their mean: as a background colour, a
// shade (░▒▓█) or an ASCII character. An empty cell is left as the terminal is; a filled one never looks empty.
std::string paint_cells(std::span<const CellPair> pairs, const TerminalStyle& style);

}  // namespace aria
