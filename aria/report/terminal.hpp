// What the output can do: how wide it is, which colours and which characters it shows.
#pragma once

#include <cstddef>
#include <optional>

namespace aria {

struct TerminalStyle {
  enum class Colour { kNone, k256, kTrue };

  Colour colour = Colour::kNone;
  bool unicode = false;    // else ASCII alone
  std::size_t width = 80;  // columns
};

// Of what a file descriptor leads to. Of the environment, NO_COLOR wins over FORCE_COLOR and CLICOLOR_FORCE, and these
// over what the descriptor is and over TERM.
TerminalStyle detect_terminal(int fd);

// Columns of the window behind a file descriptor; nothing where there is no window. It may change at any time.
std::optional<std::size_t> window_width(int fd);

// Whether a line on it can be drawn again in place.
bool can_redraw(int fd);

}  // namespace aria
