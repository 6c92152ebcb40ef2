// How the solutions of an archive move, for the report: a few rollouts of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace aria {

struct ReportMotion {
  enum class Kind { kPath, kGait };

  Kind kind = Kind::kPath;
  std::vector<std::size_t> rows;     // of the archive's table: the solutions shown, each once
  std::size_t rollouts = 0;          // of each
  std::vector<std::uint32_t> steps;  // (rows x rollouts) length of each episode
  double step_seconds = 0;
  std::size_t longest = 0;  // steps that an episode may have at most

  // A path: the torso before each step kept; `points` of them, evenly spread over the episode, the last one included.
  // Its coordinates are those of the descriptor. What is not finite ends the track.
  std::size_t points = 0;
  std::vector<float> path;  // (rows x rollouts x points x 2) m

  // A gait: whether each foot touched the ground, step by step; beyond the end 0. The descriptor is the share of an
  // episode's steps in which they did, in the same order.
  std::vector<std::string> feet;      // their names
  std::vector<std::uint8_t> touches;  // (rows x rollouts x feet x longest) 0 or 1

  // Numbers of one rollout: coordinates of a path, touches of a gait.
  std::size_t rollout_size() const { return kind == Kind::kPath ? points * 2 : feet.size() * longest; }
};

}  // namespace aria
