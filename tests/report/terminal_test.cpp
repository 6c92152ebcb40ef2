#include "aria/report/terminal.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <map>
#include <optional>
#include <string>

namespace aria {
namespace {

using Colour = TerminalStyle::Colour;

// An environment without any variable that matters, and the one before put back at the end.
class ReportTerminal : public ::testing::Test {
 protected:
  ReportTerminal() {
    for (const char* name : {"NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "CLICOLOR", "COLORTERM", "TERM", "COLUMNS",
                             "LC_ALL", "LC_CTYPE", "LANG"}) {
      const char* value = getenv(name);
      before_[name] = value == nullptr ? std::nullopt : std::optional<std::string>(value);
      unsetenv(name);
    }
  }
  ~ReportTerminal() override {
    for (const auto& [name, value] : before_) {
      unsetenv(name.c_str());
      if (value) setenv(name.c_str(), value->c_str(), 1);
    }
  }
  static void set(const char* name, const char* value) { setenv(name, value, 1); }

 private:
  std::map<std::string, std::optional<std::string>> before_;
};

// A window of its own, which nobody sees.
class PseudoTerminal {
 public:
  PseudoTerminal() : master_(posix_openpt(O_RDWR | O_NOCTTY)) {
    if (master_ >= 0 && grantpt(master_) == 0 && unlockpt(master_) == 0) {
      window_ = open(ptsname(master_), O_RDWR | O_NOCTTY);
    }
  }
  ~PseudoTerminal() {
    if (window_ >= 0) close(window_);
    if (master_ >= 0) close(master_);
  }
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;

  int fd() const { return window_; }
  void resize(unsigned short columns) const {
    winsize size{};
    size.ws_row = 24;
    size.ws_col = columns;
    ASSERT_EQ(ioctl(window_, TIOCSWINSZ, &size), 0);
  }

 private:
  int master_ = -1;
  int window_ = -1;
};

class NoTerminal {
 public:
  int fd() const { return fd_; }
  NoTerminal() : fd_(open("/dev/null", O_WRONLY)) {}
  ~NoTerminal() { close(fd_); }
  NoTerminal(const NoTerminal&) = delete;
  NoTerminal& operator=(const NoTerminal&) = delete;

 private:
  int fd_;
};

TEST_F(ReportTerminal, IsPlainWhereNothingIsKnown) {
  const TerminalStyle style = detect_terminal(NoTerminal().fd());
  EXPECT_EQ(style.colour, Colour::kNone);
  EXPECT_FALSE(style.unicode);
  EXPECT_EQ(style.width, 80u);
  EXPECT_FALSE(can_redraw(NoTerminal().fd()));
}

TEST_F(ReportTerminal, SurvivesADescriptorThatIsClosed) { EXPECT_EQ(detect_terminal(-1).width, 80u); }

TEST_F(ReportTerminal, HasNoColourInAFile) {
  set("TERM", "xterm-256color");
  set("COLORTERM", "truecolor");
  EXPECT_EQ(detect_terminal(NoTerminal().fd()).colour, Colour::kNone);
}

TEST_F(ReportTerminal, HasColoursOnATerminal) {
  const PseudoTerminal terminal;
  ASSERT_GE(terminal.fd(), 0);
  set("TERM", "xterm");
  EXPECT_EQ(detect_terminal(terminal.fd()).colour, Colour::k256);
  set("COLORTERM", "truecolor");
  EXPECT_EQ(detect_terminal(terminal.fd()).colour, Colour::kTrue);
  set("COLORTERM", "24bit");
  EXPECT_EQ(detect_terminal(terminal.fd()).colour, Colour::kTrue);
  EXPECT_TRUE(can_redraw(terminal.fd()));
}

TEST_F(ReportTerminal, BelievesADumbTerminal) {
  const PseudoTerminal terminal;
  for (const char* name : {"dumb", ""}) {
    set("TERM", name);
    EXPECT_EQ(detect_terminal(terminal.fd()).colour, Colour::kNone) << name;
    EXPECT_FALSE(can_redraw(terminal.fd())) << name;
  }
}

TEST_F(ReportTerminal, HonoursNoColor) {
  const PseudoTerminal terminal;
  set("TERM", "xterm");
  set("NO_COLOR", "");
  EXPECT_EQ(detect_terminal(terminal.fd()).colour, Colour::k256) << "empty means unset";
  set("NO_COLOR", "1");
  EXPECT_EQ(detect_terminal(terminal.fd()).colour, Colour::kNone);
  set("FORCE_COLOR", "3");
  set("CLICOLOR_FORCE", "1");
  EXPECT_EQ(detect_terminal(terminal.fd()).colour, Colour::kNone);
}

TEST_F(ReportTerminal, HonoursForcedColour) {
  const NoTerminal file;
  set("TERM", "dumb");
  set("CLICOLOR_FORCE", "0");
  EXPECT_EQ(detect_terminal(file.fd()).colour, Colour::kNone);
  set("CLICOLOR_FORCE", "1");
  EXPECT_EQ(detect_terminal(file.fd()).colour, Colour::k256);
  set("COLORTERM", "truecolor");
  EXPECT_EQ(detect_terminal(file.fd()).colour, Colour::kTrue);
}

TEST_F(ReportTerminal, HonoursTheLevelOfForceColor) {
  const PseudoTerminal terminal;
  set("TERM", "xterm");
  const std::pair<const char*, Colour> levels[] = {{"0", Colour::kNone}, {"false", Colour::kNone},
                                                   {"1", Colour::k256},  {"2", Colour::k256},
                                                   {"3", Colour::kTrue}, {"true", Colour::k256}};
  for (const auto& [level, colour] : levels) {
    set("FORCE_COLOR", level);
    EXPECT_EQ(detect_terminal(terminal.fd()).colour, colour) << level;
  }
}

TEST_F(ReportTerminal, HonoursCliColor) {
  const PseudoTerminal terminal;
  set("TERM", "xterm");
  set("CLICOLOR", "0");
  EXPECT_EQ(detect_terminal(terminal.fd()).colour, Colour::kNone);
}

TEST_F(ReportTerminal, AsksTheWindowForItsWidth) {
  const PseudoTerminal terminal;
  set("COLUMNS", "50");
  terminal.resize(133);
  EXPECT_EQ(detect_terminal(terminal.fd()).width, 133u);
  EXPECT_EQ(window_width(terminal.fd()), 133u);
  terminal.resize(0);
  EXPECT_EQ(detect_terminal(terminal.fd()).width, 50u);
  EXPECT_EQ(window_width(terminal.fd()), std::nullopt);
}

TEST_F(ReportTerminal, TakesTheWidthFromColumnsWhereItIsANumber) {
  const NoTerminal file;
  for (const char* bad : {"", "0", "-1", "12x", " 90", "99999999999999999999", "20000"}) {
    set("COLUMNS", bad);
    EXPECT_EQ(detect_terminal(file.fd()).width, 80u) << bad;
  }
  set("COLUMNS", "120");
  EXPECT_EQ(detect_terminal(file.fd()).width, 120u);
}

TEST_F(ReportTerminal, FindsUnicodeInTheFirstLocaleThatIsSet) {
  const NoTerminal file;
  set("LANG", "en_GB.UTF-8");
  EXPECT_TRUE(detect_terminal(file.fd()).unicode);
  set("LC_CTYPE", "C");
  EXPECT_FALSE(detect_terminal(file.fd()).unicode);
  set("LC_ALL", "de_DE.utf8");
  EXPECT_TRUE(detect_terminal(file.fd()).unicode);
  set("LC_ALL", "POSIX");
  EXPECT_FALSE(detect_terminal(file.fd()).unicode);
}

}  // namespace
}  // namespace aria
