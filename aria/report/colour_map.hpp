// Colours for numbers: viridis, which looks evenly graded also in grey and to the colour-blind.
#pragma once

#include <cstdint>
#include <string>

#include "aria/report/terminal.hpp"

namespace aria {

struct Rgb {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;

  friend bool operator==(const Rgb&, const Rgb&) = default;
};

// Of a share from 0 (dark violet) to 1 (yellow); shares outside get the colour of the nearest end.
Rgb viridis(double share);

// The same in the palette of 256 colours: one of its 6 x 6 x 6 cube.
int viridis_of_palette(double share);

// The parameters that choose such a colour in an escape sequence, as "38;5;53"; empty without colours.
std::string foreground_code(double share, TerminalStyle::Colour depth);
std::string background_code(double share, TerminalStyle::Colour depth);

}  // namespace aria
