// Text as a terminal shows it: how many columns it takes, and how to fill, wrap and clean it. All text is UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace aria {

enum class Align { kLeft, kCentre, kRight };

// Columns that a text takes: one per code point, none for marks that join the one before, two for wide East Asian
// letters and pictures. Escape sequences for colours take none.
std::size_t display_width(std::string_view text);

// Fills up with spaces; text that is longer stays as it is.
std::string aligned(std::string_view text, std::size_t width, Align align);

// Cuts between words into lines of at most `width` columns (at least 1), and within words that are longer. A text
// without words gives one empty line.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

// The longest beginning that takes at most `width` columns.
std::string shortened(std::string_view text, std::size_t width);

// Names and paths come from files and users: control characters could move the cursor or worse. They and bytes that are
// not UTF-8 become '?', tabs and ends of lines a space. Where there is no Unicode, other characters become their ASCII
// spelling, or '?'.
std::string printable(std::string_view text, bool unicode);

}  // namespace aria
