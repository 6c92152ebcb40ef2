// What the rules of robots do with rows of numbers, worlds fastest: for all worlds at once.
#pragma once

#include <cstddef>
#include <span>

namespace aria {

// Rows of (any x stride) numbers, of which the first `worlds` count.
struct WorldRows {
  const float* values;
  std::size_t worlds;
  std::size_t stride;
};

// Rows that follow each other, to be copied to rows that do.
struct RowCopy {
  const float* from;
  float* to;
  std::size_t rows = 1;
};

// Rows of the same worlds and stride.
void copy_rows(std::span<const RowCopy> copies, std::size_t worlds, std::size_t stride);

// Each row named goes to the same row of `to`, clipped to +-limit.
void clip_rows(const WorldRows& from, std::span<const std::size_t> rows, float limit, float* to);

// Takes scale times the square of every row named, clipped to +-limit, from `sums`, row after row.
void subtract_squares(const WorldRows& from, std::span<const std::size_t> rows, float limit, float scale, float* sums);

// Adds 1 to row i of `counts` in the worlds where body bodies[i] has a push: three rows per body, not all of them zero.
void count_pushes(const WorldRows& pushes, std::span<const std::size_t> bodies, float* counts);

// The pitch of a body that turns about y alone, from the four rows of its rotation: within a right angle either way.
void tilts(const WorldRows& rotation, float* out);

}  // namespace aria
