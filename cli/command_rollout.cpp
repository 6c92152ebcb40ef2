// aria rollout
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "aria/archive/grid.hpp"
#include "aria/core/finite.hpp"
#include "aria/core/nearest_name.hpp"
#include "aria/core/require.hpp"
#include "aria/core/settings.hpp"
#include "aria/persistence/file_error.hpp"
#include "aria/persistence/input_file.hpp"
#include "aria/persistence/npy.hpp"
#include "aria/persistence/npy_header.hpp"
#include "aria/run/trajectory_file.hpp"
#include "aria/sources/archive_source.hpp"
#include "aria/task/trajectory.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "cli/output_place.hpp"

namespace aria::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostSteps = 1'000'000;

struct RolloutOptions {
  CommonOptions common;
  std::optional<std::string> archive;
  std::optional<std::string> index;
  std::optional<std::string> cell;
  std::optional<std::string> actions;
  std::optional<std::string> reset_noise;
};

// What is to be rolled out, and where it came from.
struct Plan {
  std::shared_ptr<const RobotTask> task;
  std::vector<float> policy;  // closed loop
  Matrix actions;             // open loop
  std::vector<float> noise;   // of the start
  std::map<std::string, std::string> origin;
};

std::shared_ptr<const RobotTask> as_robot(const std::shared_ptr<const Task>& task) {
  auto robot = std::dynamic_pointer_cast<const RobotTask>(task);
  require(robot != nullptr, "--task", "a robot, such as ant or walker: only those have rollouts", task->info().name);
  return robot;
}

Matrix read_matrix(const fs::path& path) {
  return naming_file(path, [&] {
    const InputFile file(path);
    ByteSource source = file.source();
    NpyArray array = read_npy(source);
    require(array.shape.size() == 2, "the array", "a matrix", shape_text(array.shape));
    const std::vector<std::size_t> shape = array.shape;
    Matrix matrix(shape[0], shape[1], to_floats(std::move(array)));
    require(all_finite(matrix.values()), "every number", "finite", "one that is not");
    return matrix;
  });
}

Matrix read_actions(const fs::path& path, const RobotTask& task) {
  Matrix actions = read_matrix(path);
  const std::size_t joints = task.policy().outputs();
  require(actions.rows() >= 1 && actions.rows() <= kMostSteps && actions.columns() == joints, path.string(),
          fmt::format("of shape (1 to {} steps, {} joints) for task '{}'", kMostSteps, joints, task.info().name),
          fmt::format("({}, {})", actions.rows(), actions.columns()));
  return actions;
}

std::vector<float> read_noise(const fs::path& path, const RobotTask& task) {
  const Matrix noise = read_matrix(path);
  const std::size_t joints = task.policy().outputs();
  require(
      noise.rows() == 2 && noise.columns() == joints, path.string(),
      fmt::format("of shape (2, {}) for task '{}': noise of the joints' angles and rates", joints, task.info().name),
      fmt::format("({}, {})", noise.rows(), noise.columns()));
  return noise.values();
}

// "3,4" to the cell's number in C order of the grid.
std::size_t parse_cell(const std::string& text, const Grid& grid) {
  std::vector<std::size_t> place;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    place.push_back(parse_count("--cell", text.substr(from, comma - from)));
    from = comma + 1;
  }
  const std::vector<std::size_t>& cells = grid.shape().cells;
  bool inside = place.size() == cells.size();
  for (std::size_t i = 0; inside && i < place.size(); ++i) inside = place[i] < cells[i];
  require(inside, "--cell", fmt::format("{} numbers below {}", cells.size(), fmt::join(cells, ",")), text);
  return grid.cell_at(place);
}

std::size_t find_row(const RolloutOptions& options, const ArchiveTable& table, const RobotTask& task) {
  require(table.size() > 0, "the archive", "not empty", "no solutions");
  if (options.index) {
    const std::size_t row = parse_count("--index", *options.index);
    require(row < table.size(), "--index", fmt::format("below {}, the number of solutions", table.size()), row);
    return row;
  }
  if (!options.cell) {
    require(table.size() == 1, "--index or --cell", fmt::format("given for an archive of {} solutions", table.size()),
            "neither");
    return 0;
  }
  require(!table.index.empty(), "--cell", "for an archive that knows its cells (use --index)", *options.cell);
  const std::size_t cell = parse_cell(*options.cell, table.grid.value_or(Grid(task.info().grid)));
  const auto found = std::ranges::find(table.index, static_cast<std::int32_t>(cell));
  require(found != table.index.end(), "--cell", "an occupied cell", *options.cell);
  return static_cast<std::size_t>(found - table.index.begin());
}

void plan_closed_loop(const RolloutOptions& options, const RunConfig& given, Plan& plan) {
  const ArchiveSource source = open_archive(*options.archive);
  plan.task = as_robot(source.make_task(given, options.common.assignments).task);
  const std::size_t row = find_row(options, source.table, *plan.task);
  const std::span<const float> policy = source.table.solution.row(row);
  require_genotype_length(plan.task->info(), policy.size());
  require(all_finite(policy), "every weight of the policy", "finite", "one that is not");
  plan.policy.assign(policy.begin(), policy.end());
  plan.origin["archive"] = fs::path(*options.archive).filename().string();
  plan.origin["index"] = std::to_string(row);
}

void plan_open_loop(const RolloutOptions& options, const RunConfig& given, Plan& plan) {
  require(given.task.has_value(), "--task", "given where actions are", "nothing");
  const ResolvedTask resolved = resolve_task(*given.task, given.settings);
  if (!resolved.left_over.empty()) throw_unknown("setting", resolved.left_over[0].first, resolved.setting_names);
  plan.task = as_robot(resolved.task);
  plan.actions = read_actions(*options.actions, *plan.task);
  plan.origin["actions"] = fs::path(*options.actions).filename().string();
}

Plan make_plan(const RolloutOptions& options) {
  require(options.archive.has_value() != options.actions.has_value(), "what to roll out",
          "either an archive or --actions", options.archive ? "both" : "neither");
  const RunConfig given = run_config(options.common);
  Plan plan;
  if (options.archive) {
    plan_closed_loop(options, given, plan);
  } else {
    require(!options.index && !options.cell, "--index and --cell", "given with an archive only", "--actions");
    plan_open_loop(options, given, plan);
  }
  if (options.reset_noise) {
    plan.noise = read_noise(*options.reset_noise, *plan.task);
    plan.origin["reset_noise"] = fs::path(*options.reset_noise).filename().string();
  } else {
    const std::uint64_t seed = given.seed.value_or(kDefaultSeed);
    plan.noise = reset_noise(*plan.task, Key(seed), 0, 0);
    plan.origin["seed"] = std::to_string(seed);
  }
  return plan;
}

void show(const RolloutOptions& options, const Plan& plan, const Trajectory& trajectory, const fs::path& path) {
  if (options.common.json) {
    const nlohmann::ordered_json object = {{"task", plan.task->info().name},      {"steps", trajectory.steps},
                                           {"length", trajectory.length},         {"fitness", trajectory.fitness},
                                           {"descriptor", trajectory.descriptor}, {"trajectory", path.string()}};
    std::fputs((object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n").c_str(), stdout);
  } else if (!options.common.quiet) {
    const bool fell = trajectory.terminated[trajectory.length - 1] != 0;
    const bool broke_off = !is_finite(trajectory.fitness) || !all_finite(trajectory.descriptor);
    const char* end = broke_off ? "in which the simulation broke off" : fell ? "then it fell" : "to the end";
    std::fputs(fmt::format("{} steps, {}: fitness {:.4g}, descriptor ({:.4g})\nTrajectory: {}\n", trajectory.length,
                           end, trajectory.fitness, fmt::join(trajectory.descriptor, ", "), path.string())
                   .c_str(),
               stdout);
  }
}

// A trajectory of ours is replaced; anything else is somebody's file.
void check_trajectory(const fs::path& path) {
  check_output_file(path);
  std::error_code error;
  require(!fs::exists(path, error) || is_trajectory(path), "--out", "a new file or a trajectory to replace",
          path.string());
}

int rollout(const RolloutOptions& options) {
  const fs::path path = options.common.out.value_or("trajectory.npz");
  check_trajectory(path);
  const Plan plan = make_plan(options);
  prepare_machine(options.common);
  const Trajectory trajectory = plan.policy.empty() ? record_actions(*plan.task, plan.actions, plan.noise)
                                                    : record_rollout(*plan.task, plan.policy, plan.noise);
  write_trajectory(path, *plan.task, trajectory, plan.origin);
  show(options, plan, trajectory, path);
  return kDone;
}

}  // namespace

Command add_rollout_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand("rollout", "record one rollout of a robot, step by step");
  auto options = std::make_shared<RolloutOptions>();
  app->add_option("ARCHIVE", options->archive, "an archive (.npz, .npy, .csv) or the folder of a run");
  app->add_option("--index", options->index, "the solution, by its row, from 0")->type_name("I");
  app->add_option("--cell", options->cell, "the solution, by its cell")->type_name("I,J")->excludes("--index");
  app->add_option("--actions", options->actions, "no archive: do these actions (steps x joints)")
      ->type_name("FILE.npy");
  app->add_option("--reset-noise", options->reset_noise,
                  "start with this noise of angles and rates (2 x joints) instead of drawing it")
      ->type_name("FILE.npy");
  add_common_options(*app, options->common);
  for (const char* name : {"--reevaluations", "--threads"}) app->remove_option(app->get_option(name));
  app->get_option("--out")->description("the trajectory; default trajectory.npz")->type_name("FILE");
  app->footer(
      "Writes the states of all bodies, observations, actions, rewards and contacts of every step.\n"
      "docs/files.md describes them.\n\n"
      "Examples:\n"
      "  aria rollout runs/ant --cell 3,4 --seed 7 --out t.npz\n"
      "  aria rollout genotypes.npy --task walker --index 12\n"
      "  aria rollout --task ant --actions actions.npy --reset-noise noise.npy --out t.npz");
  return {app, [options] { return rollout(*options); }};
}

}  // namespace aria::cli
