// The noisy redundant arm: a chain of joints on the plane. The descriptor is where its end lies, the fitness asks for
// joint positions that are alike. Noise is added to both.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "aria/core/settings.hpp"
#include "aria/task/arm_kernel.hpp"
#include "aria/task/task.hpp"

namespace aria {

struct ArmConfig {
  std::size_t joints = 8;
  double fitness_noise = 0.01;               // standard deviation of the noise on the fitness
  double descriptor_noise = 0.01;            // the same on each coordinate of the descriptor
  std::string spread = "deviation";          // fitness: minus the standard deviation of the joints, or "variance"
  std::vector<std::size_t> grid = {32, 32};  // cells along x and y

  void validate() const;
};

void bind_settings(SettingTable& table, ArmConfig& config);

class Arm : public Task {
 public:
  explicit Arm(ArmConfig config = {});

  const TaskInfo& info() const override { return info_; }
  void evaluate(const SampleRequest& request, std::size_t first, const EvaluationRows& out) const override;
  bool keeps_perturbations() const override { return true; }
  std::vector<TaskSymmetry> symmetries() const override;
  void initial_genotype(Key key, std::uint32_t id, std::span<float> genotype) const override;

 private:
  void evaluate_single(const SampleRequest& request, std::size_t first, const EvaluationRows& out) const;
  void evaluate_repeated(const SampleRequest& request, std::size_t first, const EvaluationRows& out) const;
  void evaluate_pairs(const SampleRequest& request, std::size_t first, const EvaluationRows& out) const;
  void evaluate_perturbed(const SampleRequest& request, std::size_t first, const EvaluationRows& out) const;
  bool variance() const { return config_.spread == "variance"; }
  ArmNoise noise() const {
    return {static_cast<float>(config_.fitness_noise), static_cast<float>(config_.descriptor_noise)};
  }

  ArmConfig config_;
  TaskInfo info_;
};

}  // namespace aria
