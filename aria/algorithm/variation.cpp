#include "aria/algorithm/variation.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>

#include "aria/core/draws.hpp"
#include "aria/core/parallel.hpp"

namespace aria {

namespace {

constexpr std::size_t kBlocksPerTile = 16;  // 16 KiB of noise at a time

// The offspring of one tile; `first` is the number of its first row, which names the draws.
void vary_tile(const Archive& archive, float iso_sigma, float line_sigma, Key key, std::uint32_t first,
               MutableMatrixView offspring) {
  const std::size_t count = offspring.rows();
  const std::size_t parameters = offspring.columns();
  std::array<std::uint32_t, kDrawTile> ids;
  std::iota(ids.begin(), ids.end(), first);
  constexpr std::array<std::uint32_t, kDrawTile> kSamples{};
  const auto named_ids = std::span<const std::uint32_t>(ids).first(count);
  const auto named_samples = std::span<const std::uint32_t>(kSamples).first(count);

  // Two parents and one step along the line for each
  std::array<std::uint32_t, kDrawsPerBlock * kDrawTile> words;
  std::array<float, kDrawsPerBlock * kDrawTile> lines;
  draw_bits(key, Purpose::kSelection, named_ids, named_samples, 0, 1, words.data());
  draw_normals(key, Purpose::kSelection, named_ids, named_samples, 1, 1, lines.data());

  // Noise on every parameter, a part of the genotype at a time
  std::array<float, kBlocksPerTile * kDrawsPerBlock * kDrawTile> noise;
  for (std::size_t block = 0; block < draw_blocks(parameters); block += kBlocksPerTile) {
    const std::size_t blocks = std::min(kBlocksPerTile, draw_blocks(parameters) - block);
    draw_normals(key, Purpose::kVariation, named_ids, named_samples, block, blocks, noise.data());
    const std::size_t from = block * kDrawsPerBlock;
    const std::size_t to = std::min(from + blocks * kDrawsPerBlock, parameters);
    for (std::size_t i = 0; i < count; ++i) {
      const float* first_parent = archive.genotype(index_from(words[i], archive.size())).data();
      const float* second_parent = archive.genotype(index_from(words[kDrawTile + i], archive.size())).data();
      const float line = line_sigma * lines[i];
      float* child = offspring.row(i).data();
      for (std::size_t j = from; j < to; ++j) {
        const float moved = std::fma(second_parent[j] - first_parent[j], line, first_parent[j]);
        child[j] = std::fma(iso_sigma, noise[(j - from) * kDrawTile + i], moved);
      }
    }
  }
}

}  // namespace

void iso_line_variation(const Archive& archive, double iso_sigma, double line_sigma, Key key,
                        MutableMatrixView offspring) {
  assert(archive.size() > 0);
  const std::size_t tiles = (offspring.rows() + kDrawTile - 1) / kDrawTile;
  parallel_for(tiles, 4, [&](std::size_t tile) {
    const std::size_t first = tile * kDrawTile;
    const std::size_t count = std::min(kDrawTile, offspring.rows() - first);
    vary_tile(archive, static_cast<float>(iso_sigma), static_cast<float>(line_sigma), key,
              static_cast<std::uint32_t>(first), offspring.rows(first, count));
  });
}

}  // namespace aria
