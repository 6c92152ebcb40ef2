// Trajectories on the disk.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "aria/task/trajectory.hpp"

namespace aria {

// Writes an `.npz` that `numpy.load` opens without pickle: the arrays of the trajectory by their names, and a text
// `header.json` with the robot, its bodies and joints, the length, fitness and descriptor of the episode, and `origin`:
// where it came from. The same content gives the same bytes.
void write_trajectory(const std::filesystem::path& path, const RobotTask& task, const Trajectory& trajectory,
                      const std::map<std::string, std::string>& origin);

// Whether a file is one that `write_trajectory` wrote.
bool is_trajectory(const std::filesystem::path& path);

}  // namespace aria
