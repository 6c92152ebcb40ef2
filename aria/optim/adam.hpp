// Adam (Kingma & Ba 2015), as an ascent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace aria {

struct AdamConfig {
  double learning_rate = 0.01;
  double beta1 = 0.9;     // decay of the mean gradient
  double beta2 = 0.999;   // decay of the mean squared gradient
  double epsilon = 1e-8;  // keeps the division defined

  void validate() const;
};

// What Adam remembers between steps; handed from cell to cell with the genotype.
struct AdamState {
  std::vector<float> mean;    // (parameters) of the gradients
  std::vector<float> square;  // (parameters) of their squares
  std::int64_t steps = 0;

  explicit AdamState(std::size_t parameters) : mean(parameters), square(parameters) {}
  friend bool operator==(const AdamState&, const AdamState&) = default;
};

void adam_ascend(const AdamConfig& config, AdamState& state, std::span<const float> gradient,
                 std::span<float> parameters);

}  // namespace aria
