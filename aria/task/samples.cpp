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
  const auto centre = [&](std::size_t row) { return request.centres.row((first + row) / request.samples); };
  if (request.sigma == 0) {
    for (std::size_t row = 0; row < solutions.rows(); ++row) {
      std::ranges::copy(centre(row), solutions.row(row).begin());
    }
    return;
  }
  const std::size_t parameters = request.centres.columns();
  const std::size_t stride = normal_blocks(parameters) * kNormalsPerBlock;
  // as many at a time as keep their noise in the first-level cache
  const std::size_t at_once = std::max<std::size_t>(1, kNoiseAtOnce / stride);
  std::vector<float> noise(std::min(at_once, solutions.rows()) * stride);
  std::vector<std::uint32_t> ids;
  std::vector<std::uint32_t> streams;
  std::vector<std::size_t> noise_of;  // (rows) which noise a row takes: mirrored ones share theirs
  for (std::size_t begin = 0; begin < solutions.rows(); begin += noise_of.size()) {
    ids.clear();
    streams.clear();
    noise_of.clear();
    for (std::size_t row = begin; row < solutions.rows(); ++row) {
      const std::uint32_t id = request.ids[(first + row) / request.samples];
      const std::uint32_t stream = noise_stream(request, (first + row) % request.samples);
      if (ids.empty() || ids.back() != id || streams.back() != stream) {
        if (ids.size() == at_once) break;
        ids.push_back(id);
        streams.push_back(stream);
      }
      noise_of.push_back(ids.size() - 1);
    }
    draw_normal_rows(request.key, Purpose::kPerturbation, ids, streams, parameters, noise.data());
    for (std::size_t i = 0; i < noise_of.size(); ++i) {
      const float scale = noise_scale(request, (first + begin + i) % request.samples);
      const float* from = centre(begin + i).data();
      const float* drawn = &noise[noise_of[i] * stride];
      float* to = solutions.row(begin + i).data();
      for (std::size_t j = 0; j < parameters; ++j) to[j] = from[j] + scale * drawn[j];
    }
  }
}

}  // namespace aria
