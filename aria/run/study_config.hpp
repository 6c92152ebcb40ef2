// What a study is to do: algorithms, replications and settings, and what that comes to once every default is filled in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aria/run/configuration.hpp"

namespace aria {

inline constexpr std::size_t kDefaultReplications = 10;

// What the user asks for; what is not said is filled in.
struct StudyConfig {
  std::optional<std::string> task;
  std::optional<std::vector<std::string>> algorithms;  // "all": those of the published comparison
  std::optional<std::size_t> replications;
  std::optional<std::uint64_t> seed;         // of the first replication; the others count on from it
  std::optional<std::string> preset;         // paper or lite
  std::optional<std::size_t> reevaluations;  // of every solution, for the metrics
  std::vector<NamedValue> settings;          // of the task, and of every algorithm that has them
  std::map<std::string, std::vector<NamedValue>> algorithm_settings;  // of one algorithm alone

  // What `over` says, else what this says; settings of both, those of `over` last.
  StudyConfig overridden_by(const StudyConfig& over) const;
};

// "a,b,c", as on the command line.
std::vector<std::string> parse_names(std::string_view text);

// Reads a configuration file: keys task, algorithms, replications, seed, preset, reevaluations, a table [settings] and
// for an algorithm alone [settings.NAME]. The study.toml of a study is one.
StudyConfig read_study_config(const std::filesystem::path& path);

// Everything that the result of a study depends on. Algorithms are in the order of the registry, whatever the order in
// which they were named.
struct ResolvedStudy {
  std::size_t replications = kDefaultReplications;
  std::vector<ResolvedConfig> algorithms;  // at least one; the first run of each

  const ResolvedConfig& common() const { return algorithms.front(); }  // task and what else all have in common
  const ResolvedConfig* find(std::string_view algorithm) const;

  // A run of the study is the run that `aria run` makes with the same seed.
  ResolvedConfig run(std::size_t algorithm, std::size_t replication) const;

  // A configuration file that repeats the study.
  std::string to_toml() const;
};

// Fills in every default and checks everything.
ResolvedStudy resolve_study(const StudyConfig& config);

// What there is with what is asked for now: more algorithms and more replications are added to those that are there,
// nothing is taken away. Anything else that differs is refused with an InputError that names it.
ResolvedStudy extended(const ResolvedStudy& there, const ResolvedStudy& now);

// A request that resolves to this very run.
RunConfig request_of(const ResolvedConfig& config);

}  // namespace aria
