#include "aria/task/samples.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "aria/core/draws.hpp"

namespace aria {

namespace {

constexpr std::size_t kBlocksPerTile = 16;  // 16 blocks x 4 variates x 64 samples: 16 KiB of noise at a time

}  // namespace

void draw_solutions(const SampleRequest& request, std::size_t first, MutableMatrixView solutions) {
  const std::size_t parameters = request.centres.columns();
  std::array<std::uint32_t, kDrawTile> ids;
  std::array<std::uint32_t, kDrawTile> streams;
  std::array<float, kBlocksPerTile * kDrawsPerBlock * kDrawTile> noise;
  for (std::size_t begin = 0; begin < solutions.rows(); begin += kDrawTile) {
    const std::size_t count = std::min(kDrawTile, solutions.rows() - begin);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t evaluation = first + begin + i;
      const std::size_t sample = evaluation % request.samples;
      ids[i] = request.ids[evaluation / request.samples];
      streams[i] = static_cast<std::uint32_t>(request.mirrored ? sample / 2 : sample);
      std::ranges::copy(request.centres.row(evaluation / request.samples), solutions.row(begin + i).begin());
    }
    if (request.sigma == 0) continue;
    for (std::size_t block = 0; block < draw_blocks(parameters); block += kBlocksPerTile) {
      const std::size_t blocks = std::min(kBlocksPerTile, draw_blocks(parameters) - block);
      draw_normals(request.key, Purpose::kPerturbation, std::span(ids).first(count), std::span(streams).first(count),
                   block, blocks, noise.data());
      const std::size_t from = block * kDrawsPerBlock;
      const std::size_t to = std::min(from + blocks * kDrawsPerBlock, parameters);
      for (std::size_t i = 0; i < count; ++i) {
        const bool negative = request.mirrored && (first + begin + i) % request.samples % 2 == 1;
        const float scale = negative ? -request.sigma : request.sigma;
        const std::span<float> row = solutions.row(begin + i);
        for (std::size_t j = from; j < to; ++j) row[j] = std::fma(scale, noise[(j - from) * kDrawTile + i], row[j]);
      }
    }
  }
}

}  // namespace aria
