// What bash offers after the tabulator key.
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include "program.hpp"

namespace aria::testing {
namespace {

using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

using Words = std::set<std::string>;

class Completion : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    if (!std::filesystem::exists("/bin/bash")) GTEST_SKIP() << "no bash";
  }

  // The words offered for the last of those typed.
  Words offered(const Arguments& typed) const {
    Start start;
    start.program = "bash";
    const std::string script = R"(source <("$0" completion)
COMP_WORDS=("$0" "$@"); COMP_CWORD=$#; _aria; printf '%s\n' "${COMPREPLY[@]}")";
    start.arguments = Arguments{"--norc", "-c", script, ARIA_PROGRAM} + typed;
    const Finished finished = run(start);
    EXPECT_EQ(finished.err, "");
    return lines(finished.out);
  }

  static Words lines(const std::string& text) {
    Words words;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
      if (!line.empty()) words.insert(line);
    }
    return words;
  }

  // The options that the help of a command tells.
  Words options(const std::string& command) const {
    const std::string help = succeed({command, "--help"}).out;
    const std::regex option(R"(\n +(?:-\w,)?(--[a-z-]+))");
    Words words;
    for (std::sregex_iterator match(help.begin(), help.end(), option), end; match != end; ++match) {
      words.insert((*match)[1]);
    }
    return words;
  }
};

TEST_F(Completion, OffersTheCommands) {
  Words expected = {"--help", "--version"};
  for (const std::string& command : commands()) expected.insert(command);
  EXPECT_EQ(offered({""}), expected);
  EXPECT_THAT(offered({"ru"}), UnorderedElementsAre("run"));
  EXPECT_THAT(offered({"zzz"}), IsEmpty());
}

TEST_F(Completion, OffersTheOptionsOfEachCommand) {
  for (const std::string& command : commands()) {
    EXPECT_EQ(offered({command, "--"}), options(command)) << command;
  }
  EXPECT_THAT(offered({"run", "--al"}), UnorderedElementsAre("--algorithm"));
}

TEST_F(Completion, OffersTheNamesThatThereAre) {
  EXPECT_EQ(offered({"run", "--task", ""}), lines(succeed({"tasks", "--names"}).out));
  EXPECT_EQ(offered({"run", "--algorithm", ""}), lines(succeed({"algorithms", "--names"}).out));
  EXPECT_THAT(offered({"run", "--algorithm", "aria-m"}), UnorderedElementsAre("aria-me"));
  EXPECT_THAT(offered({"run", "--preset", ""}), UnorderedElementsAre("paper", "lite"));
  EXPECT_THAT(offered({"run", "--seed", ""}), IsEmpty());
}

TEST_F(Completion, OffersOneNameAfterTheOtherInAList) {
  Words names = lines(succeed({"algorithms", "--names"}).out);
  names.insert("all");
  EXPECT_EQ(offered({"study", "--algorithms", ""}), names);
  EXPECT_THAT(offered({"study", "--algorithms", "map-elites,aria-m"}), UnorderedElementsAre("map-elites,aria-me"));
}

TEST_F(Completion, OffersFilesAndFolders) {
  write("archive.npz", "");
  std::filesystem::create_directory(folder_ / "around");
  EXPECT_THAT(offered({"improve", "a"}), UnorderedElementsAre("archive.npz", "around"));
  EXPECT_THAT(offered({"correct", "ar"}), UnorderedElementsAre("archive.npz", "around"));
  EXPECT_THAT(offered({"report", "ar"}), UnorderedElementsAre("archive.npz", "around"));
  EXPECT_THAT(offered({"report", "--out", "arc"}), UnorderedElementsAre("archive.npz"));
  EXPECT_THAT(offered({"run", "--out", "a"}), UnorderedElementsAre("around"));
  EXPECT_THAT(offered({"run", "--config", "arc"}), UnorderedElementsAre("archive.npz"));
  EXPECT_THAT(offered({"run", "a"}), IsEmpty());
}

}  // namespace
}  // namespace aria::testing
