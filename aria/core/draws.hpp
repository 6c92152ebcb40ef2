// Uniform and normal variates by name. Uniform variate j of a sample comes from word j % 4 of block j / 4 of its bits,
// normal variates 2 j and 2 j + 1 from that word too, so a kernel may draw any part of any sample and always gets the
// same values. The scalar functions and the SIMD ones give the same bits on every CPU with fused multiply-add.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "aria/core/key.hpp"

namespace aria {

inline constexpr std::size_t kDrawsPerBlock = 4;
inline constexpr std::size_t kNormalsPerBlock = 2 * kDrawsPerBlock;
// Samples per tile of `draw_normals`: a multiple of every vector length, small enough that a tile of a few dozen
// variates stays in the first-level cache.
inline constexpr std::size_t kDrawTile = 64;

// Kernels read whole vectors: a short list of names is padded with zeros.
inline std::array<std::uint32_t, kDrawTile> padded_to_tile(std::span<const std::uint32_t> names) {
  assert(names.size() <= kDrawTile);
  std::array<std::uint32_t, kDrawTile> result{};
  std::ranges::copy(names, result.begin());
  return result;
}

constexpr std::size_t draw_blocks(std::size_t variates) { return (variates + kDrawsPerBlock - 1) / kDrawsPerBlock; }
constexpr std::size_t normal_blocks(std::size_t variates) {
  return (variates + kNormalsPerBlock - 1) / kNormalsPerBlock;
}

// In [0, 1), a multiple of 2^-24.
constexpr float uniform_from(std::uint32_t word) { return static_cast<float>(word >> 8) * 0x1p-24f; }

// In 0 .. n-1. The bias is below n / 2^32.
constexpr std::size_t index_from(std::uint32_t word, std::size_t n) {
  return static_cast<std::size_t>((std::uint64_t{word} * n) >> 32);
}

// No normal variate is farther from zero than this: 31 bits reach sqrt(-2 log(2^-31)).
inline constexpr float kLongestNormal = 6.56f;

// One word is enough for the radius and the angle of a pair of normal variates: w and this times w, modulo 2^32, are
// the coordinates of 2^32 points that fill the square as a lattice, about as evenly as so many can (the shortest step
// from one to another is 0.98 of what the best lattice has). Each coordinate alone takes all 2^32 values.
inline constexpr std::uint32_t kLatticeMultiplier = 0xADB4A92Du;

float normal(Key key, Purpose purpose, std::uint32_t id, std::uint32_t sample, std::uint32_t variate);

// Draws blocks first_block .. first_block + blocks - 1 for up to kDrawTile samples, of which lane i is sample
// samples[i] of ids[i]. Variate 8 * b + k of lane i goes to out[(8 * (b - first_block) + k) * kDrawTile + i].
// `out` holds 8 * blocks * kDrawTile floats; lanes beyond the samples given are undefined.
void draw_normals(Key key, Purpose purpose, std::span<const std::uint32_t> ids, std::span<const std::uint32_t> samples,
                  std::size_t first_block, std::size_t blocks, float* out);

// Draws the first `variates` variates of any number of samples as rows: variate j of sample i goes to
// out[i * 8 * normal_blocks(variates) + j]. `out` holds 8 * normal_blocks(variates) floats per sample.
void draw_normal_rows(Key key, Purpose purpose, std::span<const std::uint32_t> ids,
                      std::span<const std::uint32_t> samples, std::size_t variates, float* out);

// Raw bits: word 4 * b + w of lane i goes to out[(4 * (b - first_block) + w) * kDrawTile + i].
void draw_bits(Key key, Purpose purpose, std::span<const std::uint32_t> ids, std::span<const std::uint32_t> samples,
               std::size_t first_block, std::size_t blocks, std::uint32_t* out);

}  // namespace aria
