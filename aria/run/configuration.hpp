// What a run is to do, from a configuration file and settings given by name, and what it comes to once every default is
// filled in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aria/algorithm/any_algorithm.hpp"
#include "aria/algorithm/registry.hpp"
#include "aria/archive/archive_table.hpp"
#include "aria/task/task.hpp"

namespace aria {

inline constexpr std::uint64_t kDefaultSeed = 1;
inline constexpr std::size_t kDefaultReevaluations = 1024;

// A setting by name, as text; the last of a name wins.
using NamedValue = std::pair<std::string, std::string>;

// What the user asks for; what is not said is filled in.
struct RunConfig {
  std::optional<std::string> task;
  std::optional<std::string> algorithm;
  std::optional<std::uint64_t> seed;
  std::optional<std::string> preset;         // paper or lite
  std::optional<std::size_t> reevaluations;  // of every solution, for the metrics; 0: no metrics
  std::vector<NamedValue> settings;          // of the task and the algorithm

  // What `over` says, else what this says; settings of both, those of `over` last.
  RunConfig overridden_by(const RunConfig& over) const;
};

// Settings that are written down with a preset are that preset's: with another one they would still be. Throws where
// `over` is another one.
void check_preset(const std::optional<std::string>& there, bool has_settings, const std::optional<std::string>& over);

// Reads a configuration file: keys task, algorithm, seed, preset, reevaluations, and a table [settings].
RunConfig read_config(const std::filesystem::path& path);

// "key=value", as on the command line.
NamedValue parse_assignment(std::string_view text);

// A setting with its final value, as text.
struct ResolvedSetting {
  std::string name;
  std::string value;
  bool quoted = false;  // a word, which a configuration file writes in quotes

  friend bool operator==(const ResolvedSetting&, const ResolvedSetting&) = default;
};

// Everything that the result of a run depends on, with nothing left to default.
struct ResolvedConfig {
  std::string task;
  std::string algorithm;
  std::uint64_t seed = kDefaultSeed;
  std::string preset;
  std::size_t reevaluations = kDefaultReevaluations;
  std::vector<ResolvedSetting> task_settings;
  std::vector<ResolvedSetting> algorithm_settings;
  std::string input_checksum;  // of the genotypes that the run starts from, where the user brings them

  // A configuration file that repeats the run.
  std::string to_toml() const;
};

// A task, made from its name and whatever of `settings` is its own; the rest is handed back.
struct ResolvedTask {
  std::shared_ptr<const Task> task;
  std::vector<ResolvedSetting> settings;  // of the task, all of them
  std::vector<std::string> setting_names;
  std::vector<NamedValue> left_over;
};
ResolvedTask resolve_task(const std::string& name, const std::vector<NamedValue>& settings);

// Settings in the header of an archive of ours begin with it.
inline constexpr std::string_view kRecordedSetting = "setting.";

// The settings of the task that an archive of ours records, where it was made for the task of `config`, before those
// that `config` has.
RunConfig with_recorded_settings(RunConfig config, const ArchiveTable& archive);

// Records in an archive the settings of the task that it was evaluated on, in place of those that it was made for.
void record_settings(const ResolvedTask& task, ArchiveTable& archive);

struct ResolvedRun {
  ResolvedConfig config;
  std::shared_ptr<const Task> task;
  AnyAlgorithm algorithm;
};

// Fills in every default, checks everything, and builds the task and the algorithm. `archive` is what the user brings.
ResolvedRun resolve(const RunConfig& config, const ArchiveTable* archive);

// The same on a task that is already made, such as a user's; the task that `config` names is its name.
ResolvedRun resolve(const RunConfig& config, const ResolvedTask& task, const ArchiveTable* archive);

}  // namespace aria
