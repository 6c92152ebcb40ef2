#include "aria/run/run_folder.hpp"

#include <sstream>
#include <utility>

#include "aria/core/require.hpp"
#include "aria/persistence/atomic_file.hpp"
#include "aria/persistence/file_error.hpp"
#include "aria/persistence/state_file.hpp"
#include "aria/run/folder_files.hpp"

namespace aria {

namespace fs = std::filesystem;

namespace {

// The first line in which two configurations differ, for the message.
std::string difference(const std::string& old_text, const std::string& new_text) {
  std::istringstream old_lines(old_text);
  std::istringstream new_lines(new_text);
  std::string old_line;
  std::string new_line;
  while (true) {
    const bool has_old = static_cast<bool>(std::getline(old_lines, old_line));
    const bool has_new = static_cast<bool>(std::getline(new_lines, new_line));
    if (!has_old && !has_new) return "nothing";
    if (!has_old || !has_new || old_line != new_line) {
      return fmt::format("'{}' there, '{}' here", has_old ? old_line : "", has_new ? new_line : "");
    }
  }
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
      const aria::State state = read_state(file);
      // what is wrong may be found halfway
      AnyAlgorithm loaded = algorithm;
      RunProgress loaded_progress;
      naming_file(file, [&] {
        loaded.load(state.part("algorithm/"));
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
