#include "aria/task/samples.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "aria/core/draws.hpp"

namespace aria {

namespace {

constexpr std::size_t kNoiseAtOnce = 4096;  // floats

}  // namespace

void draw_solutions(const SampleRequest& request, std::size_t first, MutableMatrixView solutions) {
  const std::size_t parameters = request.centres.columns();
  const std::size_t stride = draw_blocks(parameters) * kDrawsPerBlock;
  std::vector<std::uint32_t> ids(solutions.rows());
  std::vector<std::uint32_t> streams(solutions.rows());
  for (std::size_t i = 0; i < solutions.rows(); ++i) {
    ids[i] = request.ids[(first + i) / request.samples];
    streams[i] = noise_stream(request, (first + i) % request.samples);
    std::ranges::copy(request.centres.row((first + i) / request.samples), solutions.row(i).begin());
  }
  if (request.sigma == 0) return;
  // as many rows at a time as keep their noise in the first-level cache
  const std::size_t rows_at_once = std::max<std::size_t>(1, kNoiseAtOnce / stride);
  std::vector<float> noise(std::min(rows_at_once, solutions.rows()) * stride);
  for (std::size_t begin = 0; begin < solutions.rows(); begin += rows_at_once) {
    const std::size_t count = std::min(rows_at_once, solutions.rows() - begin);
    draw_normal_rows(request.key, Purpose::kPerturbation, std::span(ids).subspan(begin, count),
                     std::span(streams).subspan(begin, count), parameters, noise.data());
    for (std::size_t i = 0; i < count; ++i) {
      const float scale = noise_scale(request, (first + begin + i) % request.samples);
      const std::span<float> row = solutions.row(begin + i);
      for (std::size_t j = 0; j < parameters; ++j) row[j] += scale * noise[i * stride + j];
    }
  }
}

}  // namespace aria
