#include "aria/policy/initial_policy.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "aria/core/draws.hpp"

namespace aria {

void initial_policy(const MlpShape& shape, Key key, std::uint32_t id, std::span<float> genotype) {
  assert(genotype.size() == shape.parameters());
  std::size_t at = 0;
  for (std::size_t layer = 0; layer < shape.layers(); ++layer) {
    const std::size_t inputs = shape.inputs_of(layer);
    const std::size_t outputs = shape.sizes[layer + 1];
    const auto bound = static_cast<float>(std::sqrt(3.0 / static_cast<double>(inputs)));
    for (const std::size_t end = at + inputs * outputs; at < end; ++at) {
      const auto block = static_cast<std::uint32_t>(at / kDrawsPerBlock);
      const float uniform = uniform_from(key.bits(Purpose::kInitial, id, 0, block)[at % kDrawsPerBlock]);
      genotype[at] = (2 * uniform - 1) * bound;
    }
    std::ranges::fill(genotype.subspan(at, outputs), 0.0f);
    at += outputs;
  }
}

}  // namespace aria
