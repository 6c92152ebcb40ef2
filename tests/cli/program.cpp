#include "program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>
#include <thread>

#include "tests/support/every_algorithm.hpp"
#include "tests/support/sanitised.hpp"

extern char** environ;

namespace aria::testing {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kPatience{by_build(60, 300)};
constexpr std::chrono::milliseconds kLookInterval{1};

// What decides about colours, characters and widths must not depend on who runs the tests.
std::vector<std::string> environment_of(const Start& start) {
  const std::set<std::string_view> left_out = {"NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLORTERM",
                                               "TERM",     "COLUMNS",     "LC_ALL",   "LC_CTYPE",       "LANG"};
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string name(text.substr(0, text.find('=')));
    if (!left_out.contains(name) && !start.environment.contains(name)) result.emplace_back(text);
  }
  for (const auto& [name, value] : start.environment) result.push_back(name + "=" + value);
  return result;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

void check(int error_number, const char* what) {
  if (error_number != 0) throw std::system_error(error_number, std::generic_category(), what);
}

// The near end of a terminal whose far end is standard error; reading it never waits.
class Terminal {
 public:
  Terminal() : near_(::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)) {
    if (near_ < 0 || ::grantpt(near_) != 0 || ::unlockpt(near_) != 0) check(errno, "a terminal for the test");
  }
  ~Terminal() { ::close(near_); }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  std::string far_end() const { return ::ptsname(near_); }
  void read_into(std::string& text) const {
    std::array<char, 4096> buffer{};
    for (ssize_t got = 0; (got = ::read(near_, buffer.data(), buffer.size())) > 0;) {
      text.append(buffer.data(), static_cast<std::size_t>(got));
    }
  }

 private:
  int near_;
};

// Where the output of one process goes: files, so that nobody has to read while it runs.
class Streams {
 public:
  explicit Streams(bool terminal) {
    if (terminal) terminal_.emplace();
  }
  fs::path out() const { return folder_ / "out"; }
  fs::path err() const { return terminal_ ? fs::path(terminal_->far_end()) : folder_ / "err"; }

  // To be called now and then: a terminal that nobody reads fills up.
  void look() {
    if (terminal_) terminal_->read_into(seen_);
  }
  bool shown(const std::string& text) const { return seen_.find(text) != std::string::npos; }
  std::string read_out() const { return read_bytes(out()); }
  std::string read_err() {
    look();
    return terminal_ ? seen_ : read_bytes(err());
  }

 private:
  TemporaryFolder folder_;
  std::optional<Terminal> terminal_;
  std::string seen_;
};

pid_t spawn(const fs::path& folder, const Start& start, const Streams& streams) {
  std::vector<std::string> words = {start.program};
  words.insert(words.end(), start.arguments.begin(), start.arguments.end());
  std::vector<std::string> environment = environment_of(start);
  constexpr int kWrite = O_WRONLY | O_CREAT | O_NOCTTY;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, streams.out().c_str(), kWrite, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, streams.err().c_str(), kWrite, 0600);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  pid_t process = 0;
  const int error = ::posix_spawnp(&process, words[0].c_str(), &actions, nullptr, pointers(words).data(),
                                   pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  check(error, words[0].c_str());
  return process;
}

}  // namespace

Finished run_process(const fs::path& folder, const Start& start) {
  Streams streams(start.terminal);
  const pid_t process = spawn(folder, start, streams);
  const auto begin = Clock::now();
  bool signalled = start.signal == 0;
  int status = 0;
  while (::waitpid(process, &status, WNOHANG) == 0) {
    streams.look();
    if (!signalled && streams.shown(start.when)) {
      ::kill(process, start.signal);
      signalled = true;
    }
    if (Clock::now() - begin > kPatience) {
      ADD_FAILURE() << "the process does not end";
      ::kill(process, SIGKILL);
      ::waitpid(process, &status, 0);
      break;
    }
    std::this_thread::sleep_for(kLookInterval);
  }
  EXPECT_TRUE(signalled) << "the process ended before the signal was due";
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, WIFSIGNALED(status) ? WTERMSIG(status) : 0, streams.read_out(),
          streams.read_err()};
}

FolderState look_at(const fs::path& folder) {
  FolderState state;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = fs::relative(entry.path(), folder).string();
    state[name] = {entry.is_regular_file() ? read_bytes(entry.path()) : "", entry.last_write_time()};
  }
  return state;
}

std::vector<std::string> names_in(const FolderState& state) {
  std::vector<std::string> names;
  for (const auto& [name, file] : state) names.push_back(name);
  return names;
}

Finished Program::succeed(const Arguments& arguments) const {
  Finished finished = aria(arguments);
  EXPECT_EQ(finished.exit_code, 0) << ::testing::PrintToString(arguments) << "\n" << finished.err;
  return finished;
}

void Program::expect_refused(const Arguments& arguments, const ::testing::Matcher<std::string>& message) const {
  SCOPED_TRACE(::testing::PrintToString(arguments));
  const FolderState before = look_at(folder_.path());
  const Finished finished = aria(arguments);
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.out, "");
  EXPECT_THAT(finished.err, ::testing::AllOf(::testing::StartsWith("aria: "), ::testing::EndsWith("\n")));
  EXPECT_EQ(std::ranges::count(finished.err, '\n'), 1) << finished.err;
  EXPECT_THAT(finished.err, message);
  const FolderState after = look_at(folder_.path());
  EXPECT_EQ(names_in(after), names_in(before));
  EXPECT_TRUE(after == before) << "a file was changed";
}

std::string Program::python(const std::string& script) const {
  const Finished finished = run_process(
      folder_.path(), {.program = ARIA_PYTHON, .arguments = {"-c", "import json\nimport numpy as np\n" + script}});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  return finished.out;
}

std::vector<std::string> Program::commands() const {
  std::vector<std::string> names;
  std::istringstream help(succeed({"--help"}).out);
  std::string line;
  while (std::getline(help, line) && line != "Subcommands:") continue;
  // up to the empty line; what a command is for may go on in lines of its own
  while (std::getline(help, line) && !line.empty()) {
    if (line.size() > 2 && line[2] != ' ') names.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  EXPECT_FALSE(names.empty());
  return names;
}

std::string Program::bytes(const std::string& name) const {
  EXPECT_TRUE(fs::is_regular_file(folder_ / name)) << name;
  return read_bytes(folder_ / name);
}

Arguments operator+(Arguments a, const Arguments& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Arguments set(const Arguments& assignments) {
  Arguments arguments;
  for (const std::string& assignment : assignments) arguments = arguments + Arguments{"--set", assignment};
  return arguments;
}

namespace {

Arguments tiny_walker_settings(const std::string& algorithm) {
  const Arguments task = {"grid=4x4", "hidden=4", "episode_length=20"};
  if (algorithm == "aria-goal")
    return task + Arguments{"training_share=0.0006", "retarget_samples=4", "search_samples=2", "polish_budget=300",
                            "polish_steps=2",        "polish_pairs=4",     "polish_samples=4"};
  const Arguments learning = {"batch=32",         "critic_steps=4",    "critic_hidden=8", "critic_batch=16",
                              "gradient_steps=2", "gradient_batch=16", "replay_size=1000"};
  if (algorithm == "pga-me") return task + learning + Arguments{"budget=400"};
  return task + learning + Arguments{"initial_budget=200", "pairs=8", "sigma=0.02", "steps=4", "mean_evaluations=8"};
}

// Small numbers for every setting that an algorithm has and that costs time.
Arguments tiny_settings(const std::string& algorithm) {
  if (needs_policy(algorithm)) return set(tiny_walker_settings(algorithm)) + Arguments{"--reevaluations", "16"};
  Arguments settings = {"grid=6x6", "fitness_noise=0.05"};
  const auto add = [&](const Arguments& more) { settings = settings + more; };
  if (algorithm == "map-elites") add({"budget=2000", "batch=256"});
  const bool baseline = algorithm.starts_with("me-") || algorithm.starts_with("mome-");
  if (baseline) add({"budget=4000", "batch=64", "samples=8"});
  if (algorithm == "es" || algorithm.starts_with("aria")) add({"pairs=32", "sigma=0.02"});
  if (algorithm.starts_with("aria")) add({"steps=5", "mean_evaluations=32"});
  if (algorithm == "aria-me" || algorithm == "aria-linear") add({"initial_budget=2000", "batch=256"});
  if (algorithm == "es" || algorithm == "aria-es") add({"initial_steps=20"});
  if (algorithm == "aria-gn") add({"budget=30000"});
  return set(settings) + Arguments{"--reevaluations", "64"};
}

}  // namespace

Arguments tiny_run(const std::string& algorithm, const std::string& out) {
  const std::string task = needs_policy(algorithm) ? "walker" : "arm";
  return Arguments{"run", "--task", task, "--algorithm", algorithm, "--out", out} + tiny_settings(algorithm);
}

Arguments tiny_improvement(const std::string& archive, const std::string& out) {
  return Arguments{"improve", archive, "--task", "arm", "--out", out} + tiny_settings("aria");
}

}  // namespace aria::testing
