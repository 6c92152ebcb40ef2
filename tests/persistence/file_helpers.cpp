#include "file_helpers.hpp"

#include <stdlib.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <limits>
#include <system_error>

namespace aria::testing {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "aria-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), name);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::vector<std::string> file_names(const fs::path& folder) {
  std::vector<std::string> result;
  for (const auto& entry : fs::directory_iterator(folder)) result.push_back(entry.path().filename().string());
  std::ranges::sort(result);
  return result;
}

void write_bytes(const fs::path& path, const std::string& bytes) {
  // a file that is cut and written again is flushed by some file systems, which makes thousands of them slow
  fs::remove(path);
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string read_bytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::Not(::testing::HasSubstr("\n")));
    return error.what();
  }
  ADD_FAILURE() << "no InputError was thrown";
  return "";
}

FileSizeLimit::FileSizeLimit(std::size_t bytes) : handler_(::signal(SIGXFSZ, SIG_IGN)) {
  ::getrlimit(RLIMIT_FSIZE, &before_);
  const rlimit now{bytes, before_.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &now);
}

FileSizeLimit::~FileSizeLimit() {
  ::setrlimit(RLIMIT_FSIZE, &before_);
  ::signal(SIGXFSZ, handler_);
}

std::size_t memory_growth(const std::function<void()>& work) {
  rusage before{};
  rusage after{};
  ::getrusage(RUSAGE_SELF, &before);
  work();
  ::getrusage(RUSAGE_SELF, &after);
#ifdef __SANITIZE_ADDRESS__
  return 0;
#else
  return static_cast<std::size_t>(after.ru_maxrss - before.ru_maxrss) * 1024;
#endif
}

bool has_python() { return std::string(ARIA_PYTHON).size() > 0; }

std::string run_python(const std::string& script, const fs::path& path) {
  const fs::path script_path = path.parent_path() / "script.py";
  write_bytes(script_path, script);
  const std::string command =
      std::string("'") + ARIA_PYTHON + "' '" + script_path.string() + "' '" + path.string() + "' 2>&1";
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::system_error(errno, std::generic_category(), command);
  std::string output;
  std::array<char, 4096> buffer{};
  for (std::size_t got = 0; (got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    output.append(buffer.data(), got);
  }
  EXPECT_EQ(::pclose(pipe), 0) << output;
  fs::remove(script_path);
  return output;
}

ArchiveTable full_table() {
  constexpr float kTiny = std::numeric_limits<float>::denorm_min();
  constexpr float kHuge = std::numeric_limits<float>::max();
  ArchiveTable table;
  table.solution = Matrix(3, 2, {0.1f, -0.0f, kTiny, -kTiny, kHuge, -kHuge});
  table.objective = {-1.5f, 0.0f, -0.0f};
  table.measures = Matrix(3, 2, {0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f});
  table.index = {0, 3, 5};
  table.objective_mean = {1, 2, 3};
  table.objective_std = {0.5f, 0, kTiny};
  table.measures_mean = Matrix(3, 2, {0.7f, 0.8f, 0.9f, 1.0f, 1.1f, 1.2f});
  table.measures_std = Matrix(3, 2, {0.01f, 0.02f, 0.03f, 0.04f, 0.05f, 0.06f});
  table.cell_probability = {0.0f, 0.5f, 1.0f};
  table.cell_probability_lower = {0.0f, 0.4f, 0.9f};
  table.cell_probability_upper = {0.1f, 0.6f, 1.0f};
  table.n_evals = {1, std::int64_t{1} << 40, 1024};
  table.target_index = {1, 2, 4};
  table.grid = Grid(GridShape{{2, 3}, {-0.0, -1.0 / 3}, {1, 0.1 + 0.2}});
  table.task = "arm";
  table.provenance = {{"algorithm", "aria-me"}, {"seed", "1"}, {"text", "\"quotes\" and \xc3\xa9"}};
  return table;
}

Reevaluation full_reevaluation() {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  Reevaluation table;
  table.samples = 10;
  table.grid = Grid(GridShape{{2, 3}, {0, -1.0 / 3}, {1, 0.1 + 0.2}});
  table.objective_mean = {-1.5f, -0.0f, kNaN};
  table.objective_std = {0.25f, 0.0f, kNaN};
  table.measures_mean = Matrix(3, 2, {0.1f, 0.2f, 0.9f, -0.3f, kNaN, kNaN});
  table.measures_std = Matrix(3, 2, {0.3f, 0.4f, 0.0f, 0.0f, kNaN, kNaN});
  table.descriptor_variance = {0.25, 0, std::numeric_limits<double>::quiet_NaN()};
  table.cell_probability = {0.5f, 1.0f, 0.0f};
  table.cell_probability_lower = {0.25f, 0.75f, 0.0f};
  table.cell_probability_upper = {0.75f, 1.0f, 0.25f};
  table.index = {2, 3, -1};
  table.non_finite = {1, 0, 10};
  table.objective_samples = {-1.25f, kNaN, 0.5f, -0.5f, kNaN, kNaN};
  table.measures_samples = Matrix(6, 2, {0.1f, 0.2f, 0.0f, 0.0f, 0.9f, -0.3f, 0.8f, -0.2f, kNaN, 0.0f, 0.0f, 0.0f});
  return table;
}

}  // namespace aria::testing
