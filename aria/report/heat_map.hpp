// Archives as heat maps on the terminal: a panel per archive, side by side, and one scale for all.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "aria/archive/archive_table.hpp"
#include "aria/metrics/scores.hpp"
#include "aria/report/terminal.hpp"

namespace aria {

struct HeatMapPanel {
  std::string title;
  std::vector<std::string> captions;               // lines below the map
  std::vector<std::optional<double>> cell_values;  // (rows x columns), top row first; nothing where a cell is empty
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t cell_width = 1;        // characters per cell
  std::size_t cell_height = 1;       // half characters per cell
  std::size_t averaged_columns = 1;  // cells of the archive behind each of these; above 1 the drawing
  std::size_t averaged_rows = 1;     // says so
};

// What the colours mean, for all panels: values outside the range get the colour of the nearest end.
struct HeatMapScale {
  std::string quantity;  // such as "fitness"
  Range range;
};

// The best value per cell of a column ("objective", "objective_mean" or "cell_probability") of an archive with a grid.
// The first measure runs from left to right, the second upwards. One dimension becomes a single row; more than two are
// projected on the first two. Many cells are averaged in blocks, few are drawn larger.
HeatMapPanel archive_panel(std::string title, const ArchiveTable& table, const std::string& column);

// The smallest range with all values of the panels; 0 .. 1 where there are none.
Range value_range(std::span<const HeatMapPanel> panels);

// Lines that end with '\n'. Panels stand side by side as far as the style's width goes; a map that is wider than all of
// it is reduced. What is not finite is drawn as empty.
std::string draw_heat_maps(std::span<const HeatMapPanel> panels, const HeatMapScale& scale, const TerminalStyle& style);

}  // namespace aria
