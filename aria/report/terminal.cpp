#include "aria/report/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cctype>
#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>

namespace aria {

namespace {

constexpr std::size_t kDefaultWidth = 80;
constexpr std::size_t kMaxWidth = 10'000;  // a COLUMNS above this is taken for a mistake

// An unset variable and an empty one mean the same to all the conventions followed here.
std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view{} : std::string_view{value};
}

bool dumb_terminal() { return environment("TERM").empty() || environment("TERM") == "dumb"; }

TerminalStyle::Colour best_colour() {
  const std::string_view declared = environment("COLORTERM");
  return declared == "truecolor" || declared == "24bit" ? TerminalStyle::Colour::kTrue : TerminalStyle::Colour::k256;
}

TerminalStyle::Colour detect_colour(int fd) {
  if (!environment("NO_COLOR").empty()) return TerminalStyle::Colour::kNone;

  // FORCE_COLOR may name a level: 0 none, 1 and 2 a palette, 3 true colour
  const std::string_view force = environment("FORCE_COLOR");
  if (force == "0" || force == "false") return TerminalStyle::Colour::kNone;
  if (force == "1" || force == "2") return TerminalStyle::Colour::k256;
  if (force == "3") return TerminalStyle::Colour::kTrue;
  const std::string_view cli_force = environment("CLICOLOR_FORCE");
  if (!force.empty() || (!cli_force.empty() && cli_force != "0")) return best_colour();

  const bool shows_colour = isatty(fd) == 1 && !dumb_terminal() && environment("CLICOLOR") != "0";
  return shows_colour ? best_colour() : TerminalStyle::Colour::kNone;
}

bool detect_unicode() {
  // the first that is set decides, as in setlocale
  std::string_view locale;
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    locale = environment(name);
    if (!locale.empty()) break;
  }
  std::string letters;  // "UTF-8" and "utf8" alike
  for (const char c : locale) {
    if (c != '-') letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return letters.find("utf8") != std::string::npos;
}

std::optional<std::size_t> declared_width() {
  const std::string_view text = environment("COLUMNS");
  std::size_t width = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
  const bool valid = error == std::errc{} && end == text.data() + text.size() && width >= 1 && width <= kMaxWidth;
  return valid ? std::optional{width} : std::nullopt;
}

}  // namespace

TerminalStyle detect_terminal(int fd) {
  std::optional<std::size_t> width = window_width(fd);
  if (!width) width = declared_width();
  return {detect_colour(fd), detect_unicode(), width.value_or(kDefaultWidth)};
}

std::optional<std::size_t> window_width(int fd) {
  winsize window{};
  // some serial lines and containers answer with a window of no columns
  if (ioctl(fd, TIOCGWINSZ, &window) != 0 || window.ws_col == 0) return std::nullopt;
  return window.ws_col;
}

bool can_redraw(int fd) { return isatty(fd) == 1 && !dumb_terminal(); }

}  // namespace aria
