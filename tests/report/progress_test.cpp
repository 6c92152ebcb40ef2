#include "aria/report/progress.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <stdlib.h>

#include <string>
#include <vector>

#include "aria/report/text.hpp"

namespace aria {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Colour = TerminalStyle::Colour;
using Mode = ProgressDisplay::Mode;

constexpr TerminalStyle kAscii{Colour::kNone, false, 100};
constexpr TerminalStyle kUnicode{Colour::kNone, true, 100};

// A stream that keeps what is written.
class MemoryStream {
 public:
  MemoryStream() : stream_(open_memstream(&text_, &size_)) {}
  ~MemoryStream() {
    fclose(stream_);
    free(text_);
  }
  MemoryStream(const MemoryStream&) = delete;
  MemoryStream& operator=(const MemoryStream&) = delete;

  std::FILE* stream() const { return stream_; }
  std::string text() const {
    fflush(stream_);
    return {text_, size_};
  }

 private:
  char* text_ = nullptr;
  size_t size_ = 0;
  std::FILE* stream_;
};

// What each redraw shows.
std::vector<std::string> redraws(const std::string& text) {
  const std::string clear = "\r\x1b[K";
  std::vector<std::string> lines;
  for (std::size_t at = text.find(clear); at != std::string::npos;) {
    const std::size_t next = text.find(clear, at + clear.size());
    lines.push_back(text.substr(at + clear.size(), next == std::string::npos ? next : next - at - clear.size()));
    at = next;
  }
  return lines;
}

class ReportProgress : public ::testing::Test {
 protected:
  ProgressDisplay display(Mode mode, const TerminalStyle& style = kAscii) {
    return {out_.stream(), mode, style, [this] { return now_; }};
  }

  MemoryStream out_;
  double now_ = 1000;
};

TEST_F(ReportProgress, ShowsABarOnATerminal) {
  ProgressDisplay progress = display(Mode::kRedraw);
  progress.update({"improving", 0, 2'000'000, 10});
  now_ += 2;
  progress.update({"improving", 500'000, 2'000'000, 812});
  EXPECT_EQ(out_.text(),
            "\r\x1b[Kimproving [                ]  0 %       0 / 2.00 M evaluations            10 cells"
            "\r\x1b[Kimproving [###            ] 25 %   500 k / 2.00 M evaluations   250 k/s  812 cells  6.0 s left");
}

TEST_F(ReportProgress, ShowsEighthsOfACharacter) {
  const ProgressTimes times{1, 100.0};
  EXPECT_THAT(bar_line({"", 1, 100, 0}, times, kUnicode, 200), HasSubstr("▕▎                             ▏  1 %"));
  EXPECT_THAT(bar_line({"", 50, 100, 0}, times, kUnicode, 200), HasSubstr("▕███████████████               ▏ 50 %"));
  EXPECT_THAT(bar_line({"", 100, 100, 0}, times, kUnicode, 200), HasSubstr("▕██████████████████████████████▏100 %"));
}

TEST_F(ReportProgress, IsRedrawnAtMostTenTimesASecond) {
  ProgressDisplay progress = display(Mode::kRedraw);
  for (std::size_t i = 0; i <= 1000; ++i) {
    progress.update({"improving", i, 1000, 0});
    now_ += 0.001;
  }
  EXPECT_GE(redraws(out_.text()).size(), 9u);
  EXPECT_LE(redraws(out_.text()).size(), 11u);
}

TEST_F(ReportProgress, WritesALineEveryTenSecondsElsewhere) {
  {
    ProgressDisplay progress = display(Mode::kLines);
    for (std::size_t second = 0; second <= 25; ++second) {
      progress.update({"improving", 1000 * second, 100'000, second});
      now_ += 1;
    }
  }
  EXPECT_EQ(out_.text(),
            "improving   10 %  10.0 k / 100 k evaluations  1.00 k/s  10 cells  1 min 30 s left\n"
            "improving   20 %  20.0 k / 100 k evaluations  1.00 k/s  20 cells  1 min 20 s left\n");
}

TEST_F(ReportProgress, IsQuietOnRequest) {
  {
    ProgressDisplay progress = display(Mode::kQuiet);
    for (int i = 0; i < 100; ++i) {
      progress.update({"improving", 1, 2, 3});
      now_ += 10;
    }
    progress.finish();
  }
  EXPECT_EQ(out_.text(), "");
}

TEST_F(ReportProgress, LeavesNoTrace) {
  {
    ProgressDisplay progress = display(Mode::kRedraw);
    progress.update({"improving", 1, 2, 3});
    progress.finish();
    EXPECT_THAT(out_.text(), ::testing::EndsWith("\r\x1b[K"));
    const std::string before = out_.text();
    progress.finish();
    EXPECT_EQ(out_.text(), before) << "there is nothing left to clear";
    now_ += 1;
    progress.update({"improving", 2, 2, 3});
  }
  EXPECT_THAT(out_.text(), ::testing::EndsWith("\r\x1b[K")) << "also where it ends by an exception";
}

TEST_F(ReportProgress, PrintsAWarningAboveItself) {
  ProgressDisplay progress = display(Mode::kRedraw);
  progress.print_line("first");
  progress.update({"improving", 0, 2, 3});
  const std::string line = redraws(out_.text()).back();
  progress.print_line("second");
  EXPECT_EQ(out_.text(), "first\n\r\x1b[K" + line + "\r\x1b[Ksecond\n" + line);
}

TEST_F(ReportProgress, NeverExceedsTheTerminal) {
  const ProgressSample samples[] = {{"improving", 123'456, 2'000'000, 812},
                                    {"a phase with quite a long name – of ± sixty columns or more…", 1, 2, 3},
                                    {"improving", 123'456, 0, 812},
                                    {"learning", 123'456, 2'000'000, 812, {"loss 0.1", "return 17 ± 3"}},
                                    {"", 0, 0, 0}};
  for (const ProgressSample& sample : samples) {
    for (std::size_t width = 0; width <= 130; ++width) {
      for (const bool unicode : {false, true}) {
        const TerminalStyle style{Colour::kTrue, unicode, width};
        const std::string line = bar_line(sample, {3700, 1234.5}, style, width);
        EXPECT_LE(display_width(line), width) << line;
      }
    }
  }
}

TEST_F(ReportProgress, LeavesTheLastColumnFree) {
  ProgressDisplay progress = display(Mode::kRedraw, {Colour::kNone, true, 40});
  progress.update({"a phase with a name of forty columns ...", 0, 0, 3});
  EXPECT_LE(display_width(redraws(out_.text()).back()), 39u);
}

TEST_F(ReportProgress, LeavesOutWhatHasNoRoom) {
  const ProgressSample sample{"improving", 1'000'000, 2'000'000, 812};
  const auto line = [&](std::size_t width) { return bar_line(sample, {10, 100'000.0}, kAscii, width); };
  EXPECT_EQ(line(90), "improving [###   ] 50 %  1.00 M / 2.00 M evaluations   100 k/s  812 cells  10.0 s left");
  EXPECT_EQ(line(79), "improving [###    ] 50 %  1.00 M / 2.00 M   100 k/s  812 cells  10.0 s left");
  EXPECT_EQ(line(70), "improving [####    ] 50 %  1.00 M / 2.00 M  812 cells  10.0 s left");
  EXPECT_EQ(line(40), "improving [###   ] 50 %  10.0 s left");
  EXPECT_EQ(line(30), "improving   50 %  10.0 s left");
  EXPECT_EQ(line(17), "improving   50 %");
  EXPECT_EQ(line(8), " 50 %");
  EXPECT_EQ(line(3), "imp");
}

TEST_F(ReportProgress, LeavesOutTheBarBeforeWhatALearnerDoes) {
  const ProgressSample sample{"PGA-MAP-Elites", 10'000, 31'000, 812, {"critic loss 0.4623", "greedy return 312.1"}};
  const auto line = [&](std::size_t width) { return bar_line(sample, {400, 25.0}, kAscii, width); };
  EXPECT_THAT(line(140), AllOf(HasSubstr("]"), HasSubstr("critic loss 0.4623  greedy return 312.1")));
  EXPECT_EQ(line(110),
            "PGA-MAP-Elites   32 %  10.0 k / 31.0 k  812 cells  critic loss 0.4623  greedy return 312.1  "
            "14 min 00 s left");
  EXPECT_EQ(line(99), "PGA-MAP-Elites   32 %  10.0 k / 31.0 k  812 cells  critic loss 0.4623  14 min 00 s left");
  EXPECT_EQ(line(79), " 32 %  10.0 k / 31.0 k  812 cells  critic loss 0.4623  14 min 00 s left");
  EXPECT_EQ(line(60), "PGA-MAP-Elites [######              ] 32 %  14 min 00 s left");
}

TEST_F(ReportProgress, SaysWhenMoreComesAfterThePhase) {
  const ProgressSample sample{"PGA-MAP-Elites", 10'000, 31'000, 812, {}, true};
  const ProgressTimes times{400, 25.0};
  EXPECT_THAT(bar_line(sample, times, kAscii, 120), HasSubstr("14 min 00 s left in this phase"));
  EXPECT_THAT(plain_line(sample, times), HasSubstr("14 min 00 s left in this phase"));
}

TEST_F(ReportProgress, KeepsTheBarSteadyAsTimeRunsOut) {
  const ProgressSample sample{"improving", 1'000'000, 2'000'000, 812};
  const std::string minutes = bar_line(sample, {10, 5'000.0}, kAscii, 85);
  const std::string seconds = bar_line(sample, {10, 200'000.0}, kAscii, 85);
  EXPECT_THAT(minutes, HasSubstr("3 min 20 s left"));
  EXPECT_EQ(minutes.find(']'), seconds.find(']'));
}

TEST_F(ReportProgress, DoesWithoutAPlan) {
  ProgressDisplay progress = display(Mode::kRedraw);
  progress.update({"searching", 0, 0, 0});
  now_ += 65.4;
  progress.update({"searching", 650'000, 0, 812});
  const std::string line = redraws(out_.text()).back();
  EXPECT_THAT(line, ::testing::StartsWith("searching   650 k evaluations"));
  EXPECT_THAT(line, HasSubstr("9.94 k/s  812 cells  1 min 05 s so far"));
  EXPECT_THAT(line, Not(HasSubstr("%")));
}

TEST_F(ReportProgress, FollowsAPlanThatGrows) {
  const ProgressTimes times{10, 100.0};
  EXPECT_THAT(bar_line({"", 500, 1000, 0}, times, kAscii, 99), HasSubstr("] 50 %     500 / 1.00 k evaluations"));
  EXPECT_THAT(bar_line({"", 500, 2000, 0}, times, kAscii, 99), HasSubstr("] 25 %     500 / 2.00 k evaluations"));
}

TEST_F(ReportProgress, EndsAtAHundredPercentWhereMoreIsDoneThanPlanned) {
  const std::string line = bar_line({"", 1500, 1000, 0}, {10, 100.0}, kAscii, 99);
  EXPECT_THAT(line, HasSubstr("]100 %  1.50 k / 1.50 k evaluations"));
  EXPECT_THAT(line, Not(HasSubstr("left")));
}

TEST_F(ReportProgress, SaysAHundredPercentOnlyWhenAllIsDone) {
  EXPECT_THAT(bar_line({"", 1999, 2000, 0}, {}, kAscii, 99), HasSubstr(" 99 %"));
}

TEST_F(ReportProgress, MeasuresTheRateOfThePresentPhase) {
  ProgressDisplay progress = display(Mode::kRedraw, {Colour::kNone, false, 150});
  progress.update({"first", 0, 0, 0});
  now_ += 10;
  progress.update({"first", 1'000'000, 0, 0});
  EXPECT_THAT(redraws(out_.text()).back(), HasSubstr("100 k/s"));
  now_ += 1;
  progress.update({"second", 1'000'000, 0, 0});
  EXPECT_THAT(redraws(out_.text()).back(), Not(HasSubstr("/s")));
  now_ += 2;
  progress.update({"second", 1'000'500, 0, 0});
  EXPECT_THAT(redraws(out_.text()).back(), HasSubstr(" 250/s"));
}

TEST_F(ReportProgress, DoesNotCountWhatWasDoneBeforeItBegan) {
  ProgressDisplay progress = display(Mode::kRedraw, {Colour::kNone, false, 150});
  progress.update({"resumed", 5'000'000, 6'000'000, 0});
  now_ += 10;
  progress.update({"resumed", 5'001'000, 6'000'000, 0});
  EXPECT_THAT(redraws(out_.text()).back(), HasSubstr(" 100/s"));
}

TEST_F(ReportProgress, ForgetsAnOldRate) {
  ProgressDisplay progress = display(Mode::kRedraw, {Colour::kNone, false, 150});
  std::size_t done = 0;
  for (int i = 0; i < 400; ++i) {
    done += i < 200 ? 1000 : 10;
    progress.update({"slowing", done, 0, 0});
    now_ += 0.1;
  }
  EXPECT_THAT(redraws(out_.text()).back(), HasSubstr(" 100/s"));
}

TEST_F(ReportProgress, CountsAnew) {
  ProgressDisplay progress = display(Mode::kRedraw, {Colour::kNone, false, 150});
  progress.update({"same", 1000, 0, 0});
  now_ += 1;
  progress.update({"same", 10, 0, 0});
  EXPECT_THAT(redraws(out_.text()).back(), Not(HasSubstr("/s"))) << "no rate of a negative number";
}

TEST_F(ReportProgress, CleansThePhase) {
  EXPECT_THAT(bar_line({"a\nb\x1b", 1, 2, 3}, {}, kAscii, 99), ::testing::StartsWith("a b? ["));
  EXPECT_THAT(plain_line({"a\nb", 1, 2, 3}, {}), ::testing::StartsWith("a b  "));
}

TEST_F(ReportProgress, ChoosesHowToShowItself) {
  EXPECT_EQ(ProgressDisplay::mode_for(out_.stream(), false), Mode::kLines);
  EXPECT_EQ(ProgressDisplay::mode_for(out_.stream(), true), Mode::kQuiet);
}

TEST_F(ReportProgress, HasAClockThatRuns) {
  const double before = ProgressDisplay::steady_clock();
  EXPECT_GE(ProgressDisplay::steady_clock(), before);
}

}  // namespace
}  // namespace aria
