#include "aria/report/text.hpp"

#include <algorithm>
#include <array>

namespace aria {

namespace {

constexpr char32_t kInvalid = 0xFFFFFFFF;

struct CodePoint {
  char32_t value;     // kInvalid for a byte that begins no code point
  std::size_t bytes;  // at least 1
};

CodePoint first_code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {kInvalid, 1};
  char32_t value = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return {kInvalid, 1};
    value = (value << 6) | (byte(i) & 0x3Fu);
  }
  // a longer spelling than needed, a surrogate, or beyond the last code point
  constexpr std::array<char32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool valid = value >= kSmallest[length] && value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
  return valid ? CodePoint{value, length} : CodePoint{kInvalid, 1};
}

struct CodeRange {
  char32_t first, last;
};
constexpr CodeRange kNoWidth[] = {{0x300, 0x36F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}};
constexpr CodeRange kDoubleWidth[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},   {0xAC00, 0xD7A3},
                                      {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},
                                      {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};

std::size_t width_of(char32_t value) {
  const auto within = [value](CodeRange range) { return value >= range.first && value <= range.last; };
  if (std::ranges::any_of(kNoWidth, within)) return 0;
  return std::ranges::any_of(kDoubleWidth, within) ? 2 : 1;
}

// Bytes of the colour sequence that a text begins with, such as ESC [ 1 m; 0 where it begins with none.
std::size_t colour_sequence(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

// Bytes of the longest beginning of a text that fits into `width` columns.
std::size_t bytes_that_fit(std::string_view text, std::size_t width) {
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    const CodePoint next = first_code_point(text.substr(bytes));
    if (width_of(next.value) > width) break;
    width -= width_of(next.value);
    bytes += next.bytes;
  }
  return bytes;
}

std::string_view ascii_spelling(char32_t value) {
  switch (value) {
    case U'±':
      return "+/-";
    case U'–':
    case U'—':
    case U'−':
      return "-";
    case U'…':
      return "...";
    case U'×':
      return "x";
    case U'·':
      return ".";
    case U'≤':
      return "<=";
    case U'≥':
      return ">=";
    case U'σ':
      return "sigma";
    case 0xA0:  // no-break space
      return " ";
    default:
      return "?";
  }
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const std::size_t sequence = colour_sequence(text);
    const CodePoint next = first_code_point(text);
    if (sequence == 0) width += width_of(next.value);
    text.remove_prefix(sequence > 0 ? sequence : next.bytes);
  }
  return width;
}

std::string aligned(std::string_view text, std::size_t width, Align align) {
  const std::size_t taken = display_width(text);
  const std::size_t spare = width > taken ? width - taken : 0;
  const std::size_t left = align == Align::kLeft ? 0 : align == Align::kRight ? spare : spare / 2;
  return std::string(left, ' ').append(text).append(spare - left, ' ');
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  width = std::max<std::size_t>(width, 1);
  std::vector<std::string> lines(1);
  std::size_t used = 0;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.empty()) return lines;
    std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());

    if (used > 0 && used + 1 + display_width(word) <= width) {
      lines.back() += ' ';
      ++used;
    } else if (used > 0) {
      lines.emplace_back();
      used = 0;
    }
    while (display_width(word) > width) {
      // one wide letter is kept whole even in a single column
      const std::size_t bytes = std::max(bytes_that_fit(word, width), first_code_point(word).bytes);
      lines.back() = word.substr(0, bytes);
      lines.emplace_back();
      word.remove_prefix(bytes);
    }
    lines.back() += word;
    used += display_width(word);
  }
}

std::string shortened(std::string_view text, std::size_t width) {
  return std::string(text.substr(0, bytes_that_fit(text, width)));
}

std::string printable(std::string_view text, bool unicode) {
  std::string result;
  while (!text.empty()) {
    const CodePoint next = first_code_point(text);
    const bool control = next.value < 0x20 || (next.value >= 0x7F && next.value < 0xA0);
    // marks that turn the direction of writing can make a name read as another
    const bool turns_direction =
        (next.value >= 0x202A && next.value <= 0x202E) || (next.value >= 0x2066 && next.value <= 0x2069);
    if (next.value == U'\t' || next.value == U'\n') {
      result += ' ';
    } else if (control || turns_direction || next.value == kInvalid) {
      result += '?';
    } else if (unicode || next.value < 0x80) {
      result += text.substr(0, next.bytes);
    } else {
      result += ascii_spelling(next.value);
    }
    text.remove_prefix(next.bytes);
  }
  return result;
}

}  // namespace aria
