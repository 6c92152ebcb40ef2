#include "aria/report/colour_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace aria {

namespace {

// Every 17th of the 256 colours of viridis (Smith and van der Walt, 2015).
constexpr std::array<Rgb, 16> kAnchors = {{{68, 1, 84},
                                           {72, 26, 108},
                                           {71, 47, 125},
                                           {65, 68, 135},
                                           {57, 86, 140},
                                           {49, 104, 142},
                                           {42, 120, 142},
                                           {35, 136, 142},
                                           {31, 152, 139},
                                           {34, 168, 132},
                                           {53, 183, 121},
                                           {84, 197, 104},
                                           {122, 209, 81},
                                           {165, 219, 54},
                                           {210, 226, 27},
                                           {253, 231, 37}}};

std::uint8_t between(std::uint8_t from, std::uint8_t to, double share) {
  return static_cast<std::uint8_t>(std::lround(from + share * (to - from)));
}

// Chosen by eye: the nearest colours of the cube are greyish and tell fewer values apart.
constexpr std::array<int, 16> kPalette = {53, 54, 55, 25, 25, 31, 31, 30, 36, 36, 35, 77, 113, 148, 184, 220};

// The comparison also sends a NaN to an end.
double clamped(double share) { return share > 0 ? std::min(share, 1.0) : 0.0; }

std::string colour_code(int kind, double share, TerminalStyle::Colour depth) {
  switch (depth) {
    case TerminalStyle::Colour::kNone:
      return {};
    case TerminalStyle::Colour::k256:
      return fmt::format("{};5;{}", kind, viridis_of_palette(share));
    case TerminalStyle::Colour::kTrue: {
      const Rgb colour = viridis(share);
      return fmt::format("{};2;{};{};{}", kind, colour.red, colour.green, colour.blue);
    }
  }
  return {};
}

}  // namespace

Rgb viridis(double share) {
  const double position = clamped(share) * (kAnchors.size() - 1);
  const std::size_t below = std::min(static_cast<std::size_t>(position), kAnchors.size() - 2);
  const double rest = position - static_cast<double>(below);
  const Rgb& from = kAnchors[below];
  const Rgb& to = kAnchors[below + 1];
  return {between(from.red, to.red, rest), between(from.green, to.green, rest), between(from.blue, to.blue, rest)};
}

int viridis_of_palette(double share) {
  const auto level = static_cast<std::size_t>(clamped(share) * kPalette.size());
  return kPalette[std::min(level, kPalette.size() - 1)];
}

std::string foreground_code(double share, TerminalStyle::Colour depth) { return colour_code(38, share, depth); }

std::string background_code(double share, TerminalStyle::Colour depth) { return colour_code(48, share, depth); }

}  // namespace aria
