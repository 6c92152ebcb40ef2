// Options that several sub-commands share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "aria/run/checkpoint_pace.hpp"
#include "aria/run/configuration.hpp"

namespace CLI {
class App;
}

namespace aria::cli {

struct CommonOptions {
  std::optional<std::string> config;
  std::vector<std::string> assignments;  // name=value
  std::optional<std::string> task;
  std::optional<std::string> seed;
  std::optional<std::string> reevaluations;
  std::optional<std::string> threads;
  std::optional<std::string> out;
  bool use_symmetry = false;
  bool json = false;
  bool quiet = false;
};

void add_common_options(CLI::App& command, CommonOptions& options);

// For commands that run algorithms.
void add_symmetry_option(CLI::App& command, CommonOptions& options);
// The settings given on the command line.
std::vector<NamedValue> given_settings(const CommonOptions& options);

// For commands whose runs can be continued.
void add_checkpoint_option(CLI::App& command, std::optional<std::string>& seconds);
CheckpointPace checkpoint_pace(const std::optional<std::string>& seconds);

// The configuration file, overridden by the options. Numbers are checked here, so that messages are of one kind.
RunConfig run_config(const CommonOptions& options);

// Sets the number of threads, and says so where results may differ from those of other machines.
void prepare_machine(const CommonOptions& options);

}  // namespace aria::cli
