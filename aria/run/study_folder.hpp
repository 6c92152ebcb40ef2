// The folder of a study: its configuration, a folder for each run, and the results.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "aria/metrics/study_comparison.hpp"
#include "aria/run/study_config.hpp"
#include "aria/task/task.hpp"

namespace aria {

inline constexpr const char* kStudyConfigName = "study.toml";

// A run of a study, and how far it is.
struct PlannedRun {
  enum class State { kNew, kUnfinished, kFinished, kDamaged };

  ResolvedConfig config;
  std::string folder;  // within the study's, such as "aria-me/seed-3"
  State state = State::kNew;
  std::string damage;  // what is wrong with a damaged one
  double seconds = 0;  // that a finished one took, its metrics included

  std::string name() const;  // such as "aria-me, seed 3"
};

class StudyFolder {
 public:
  // Looks at the folder without changing anything, and takes in what is there (see `extended`). A folder with other
  // files in it, or with a study of other settings, is refused with a message that names the difference.
  StudyFolder(std::filesystem::path path, const ResolvedStudy& wanted);

  const std::filesystem::path& path() const { return path_; }
  const ResolvedStudy& study() const { return study_; }

  // Every run, replication by replication, so that algorithms can be compared from early on.
  std::vector<PlannedRun> look_at_runs(const TaskInfo& info) const;

  // The same, of those that have ended; the others, which may be under way, count as new.
  std::vector<PlannedRun> look_at_finished_runs(const TaskInfo& info) const;

  // Whether nothing is there yet, or nothing but an empty folder.
  bool is_new() const { return !text_there_.has_value(); }

  // Makes the folder and writes the configuration, where that is new.
  void create() const;

  // Puts a damaged run aside, under a name that is told, and so makes room for a new one.
  std::string put_aside(const PlannedRun& run) const;

  // What a finished run came to; an InputError names the file that is not as the run left it.
  ComparedRun read_run(const PlannedRun& run, const TaskInfo& info) const;

 private:
  std::vector<PlannedRun> planned_runs() const;
  void look_at(PlannedRun& run, const TaskInfo& info) const;

  std::filesystem::path path_;
  ResolvedStudy study_;
  std::optional<std::string> text_there_;  // of the configuration, where there is one
};

}  // namespace aria
