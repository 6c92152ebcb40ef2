// What the kernels are measured against: the noisy arm written plainly, one sample at a time, with the standard
// library.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <span>
#include <vector>

#include "aria/core/draws.hpp"
#include "aria/task/arm.hpp"

namespace aria::benchmarks {

// Box-Muller with the standard library's functions, from the same bits as the project's normal variates.
inline void plain_normals(Key key, Purpose purpose, std::uint32_t id, std::uint32_t sample, std::span<float> out) {
  for (std::size_t j = 0; j < out.size(); j += 2) {
    const PhiloxCounter bits = key.bits(purpose, id, sample, static_cast<std::uint32_t>(j / kNormalsPerBlock));
    const std::uint32_t word = bits[j % kNormalsPerBlock / 2];
    const float radius = std::sqrt(-2 * std::log((static_cast<float>(word) + 0.5f) * 0x1p-32f));
    const float angle = 2 * std::numbers::pi_v<float> * (static_cast<float>(word * kLatticeMultiplier) * 0x1p-32f);
    out[j] = radius * std::cos(angle);
    if (j + 1 < out.size()) out[j + 1] = radius * std::sin(angle);
  }
}

// The arm as a task of its own; everything that is the same as in Arm is asked of an Arm.
class PlainArm : public Task {
 public:
  const TaskInfo& info() const override { return arm_.info(); }
  void initial_genotype(Key key, std::uint32_t id, std::span<float> genotype) const override {
    arm_.initial_genotype(key, id, genotype);
  }
  void evaluate(const SampleRequest& request, std::size_t first, const EvaluationRows& out) const override {
    std::vector<float> noise(info().parameters);
    std::vector<float> joints(info().parameters);
    for (std::size_t i = 0; i < out.fitness.size(); ++i) {
      const std::size_t centre = (first + i) / request.samples;
      const std::size_t sample = (first + i) % request.samples;
      const auto stream = static_cast<std::uint32_t>(request.mirrored ? sample / 2 : sample);
      if (request.sigma > 0) plain_normals(request.key, Purpose::kPerturbation, request.ids[centre], stream, noise);
      const float scale = request.mirrored && sample % 2 == 1 ? -request.sigma : request.sigma;
      const auto row = request.centres.row(centre);
      for (std::size_t j = 0; j < joints.size(); ++j) joints[j] = row[j] + scale * noise[j];
      float task_noise[3];
      plain_normals(request.key, Purpose::kTaskNoise, request.ids[centre], static_cast<std::uint32_t>(sample),
                    task_noise);
      evaluate_one(joints, task_noise, out.fitness[i], out.descriptors.row(i));
    }
  }

 private:
  static void evaluate_one(std::vector<float>& joints, const float* noise, float& fitness,
                           std::span<float> descriptor) {
    const auto n = static_cast<float>(joints.size());
    for (float& joint : joints) joint -= std::floor(joint);
    const float mean = std::accumulate(joints.begin(), joints.end(), 0.0f) / n;
    float spread = 0;
    float angle = 0;
    float x = 0;
    float y = 0;
    for (const float joint : joints) {
      spread += (joint - mean) * (joint - mean) / n;
      angle += 2 * std::numbers::pi_v<float> * joint - std::numbers::pi_v<float>;
      x += std::cos(angle);
      y += std::sin(angle);
    }
    fitness = -std::sqrt(spread) + 0.01f * noise[0];
    descriptor[0] = x / (2 * n) + 0.5f + 0.01f * noise[1];
    descriptor[1] = y / (2 * n) + 0.5f + 0.01f * noise[2];
  }

  Arm arm_;
};

// Centered ranks by a comparison sort.
inline std::vector<float> plain_ranks(const std::vector<float>& scores) {
  std::vector<std::uint32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return scores[a] < scores[b]; });
  std::vector<float> utility(scores.size());
  for (std::size_t r = 0; r < order.size(); ++r) {
    utility[order[r]] = static_cast<float>(r) / static_cast<float>(order.size() - 1) - 0.5f;
  }
  return utility;
}

}  // namespace aria::benchmarks
