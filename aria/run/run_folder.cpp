#include "aria/run/run_folder.hpp"

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "aria/core/require.hpp"
#include "aria/persistence/atomic_file.hpp"
#include "aria/persistence/file_error.hpp"
#include "aria/persistence/state_file.hpp"
#include "aria/run/folder_files.hpp"

namespace aria {

namespace fs = std::filesystem;

namespace {

// Settings that are listed at the most where configurations differ.
constexpr std::size_t kMostDifferences = 6;

// The lines of a configuration, by the names of their settings.
std::vector<std::pair<std::string, std::string>> lines_by_name(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> lines;
  std::istringstream rest(text);
  for (std::string line; std::getline(rest, line);) {
    if (const std::size_t sign = line.find(" = "); sign != std::string::npos)
      lines.emplace_back(line.substr(0, sign), line);
  }
  return lines;
}

// In what two configurations differ, for the message: first what the old one has, then what only the new one has.
std::string difference(const std::string& old_text, const std::string& new_text) {
  const auto old_lines = lines_by_name(old_text);
  const auto new_lines = lines_by_name(new_text);
  const auto line_of = [](const auto& lines, const std::string& name) {
    const auto found = std::ranges::find(lines, name, [](const auto& line) { return line.first; });
    return found == lines.end() ? std::string() : found->second;
  };
  std::vector<std::string> found;
  const auto compare = [&](const std::string& old_line, const std::string& new_line) {
    if (old_line != new_line) found.push_back(fmt::format("'{}' there, '{}' here", old_line, new_line));
  };
  for (const auto& [name, line] : old_lines) compare(line, line_of(new_lines, name));
  for (const auto& [name, line] : new_lines) {
    if (line_of(old_lines, name).empty()) compare("", line);
  }
  if (found.empty()) return "in nothing that is a setting";
  const std::size_t shown = std::min(found.size(), kMostDifferences);
  std::string text =
      fmt::format("{}", fmt::join(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(shown), "; "));
  if (found.size() > shown) text += fmt::format("; and {} more", found.size() - shown);
  return text;
}

}  // namespace

RunFolder::RunFolder(fs::path folder, const ResolvedConfig& config)
    : RunFiles(std::move(folder)), config_text_(config.to_toml()) {
  std::error_code error;
  require(!path().empty(), "--out", "the name of a folder", "nothing");
  if (!fs::exists(path(), error)) return;
  require(fs::is_directory(path(), error), "--out", "a folder", path().string());
  if (holds_nothing_finished(path())) return;
  require(fs::exists(this->config(), error), "--out", "a new folder, an empty one, or that of a run (with a run.toml)",
          path().string());
  const std::string there = read_file(this->config());
  if (there != config_text_) {
    throw InputError(fmt::format("--out {} holds a run with other settings ({}); choose another folder",
                                 path().string(), difference(there, config_text_)));
  }
  state_ = fs::exists(summary(), error) ? State::kFinished : State::kUnfinished;
}

bool RunFolder::has_checkpoint() const {
  std::error_code error;
  return fs::exists(checkpoint(), error) || fs::exists(previous_checkpoint(), error);
}

void RunFolder::create() const { create_folder(path(), config().filename().string(), config_text_); }

void RunFolder::write_checkpoint(const AnyAlgorithm& algorithm, const RunProgress& progress) const {
  aria::State state;
  state.put_part("algorithm/", algorithm.save());
  state.put_part("run/", progress.save());
  // a failure from here on leaves the one before under its new name
  std::error_code none_yet;
  fs::rename(checkpoint(), previous_checkpoint(), none_yet);
  write_state(checkpoint(), state, {});
}

std::string RunFolder::read_checkpoint(AnyAlgorithm& algorithm, RunProgress& progress) const {
  std::string damage;
  for (const fs::path& file : {checkpoint(), previous_checkpoint()}) {
    std::error_code error;
    if (!fs::exists(file, error)) continue;
    try {
      aria::State state = read_state(file);
      // what is wrong may be found halfway
      AnyAlgorithm loaded = algorithm;
      RunProgress loaded_progress;
      naming_file(file, [&] {
        loaded.load(state.take_part("algorithm/"));
        loaded_progress.load(state.part("run/"));
      });
      algorithm = std::move(loaded);
      progress = std::move(loaded_progress);
      return damage;
    } catch (const InputError& damaged) {
      damage = damage.empty() ? damaged.what() : fmt::format("{}; {}", damage, damaged.what());
    }
  }
  throw InputError(
      fmt::format("{}; without a whole checkpoint the run can only begin anew, in another folder", damage));
}

void RunFolder::remove_damaged_checkpoint() const {
  std::error_code error;
  fs::remove(checkpoint(), error);
}

void RunFolder::remove_checkpoint() const {
  std::error_code error;
  fs::remove(checkpoint(), error);
  fs::remove(previous_checkpoint(), error);
}

std::string RunFolder::read_summary() const { return read_file(summary()); }

}  // namespace aria
