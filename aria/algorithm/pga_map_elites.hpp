// PGA-MAP-Elites (Nilsson & Cully 2021): MAP-Elites on policies, half of whose offspring are bred by the gradient of a
// critic that learns from every rollout.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "aria/algorithm/generations.hpp"
#include "aria/algorithm/pga_learner.hpp"
#include "aria/algorithm/status.hpp"
#include "aria/archive/archive.hpp"

namespace aria {

struct PgaConfig : GenerationsConfig {
  PgaLearnerConfig learner;

  PgaConfig() { batch = 128; }
  void validate() const;
};

void bind_settings(SettingTable& table, PgaConfig& config);

class PgaMapElites {
 public:
  // The task's genotypes must be policies.
  PgaMapElites(const PgaConfig& config, const std::shared_ptr<const Task>& task, Key key);
  PgaMapElites(const PgaMapElites& other);
  PgaMapElites(PgaMapElites&&) noexcept = default;
  PgaMapElites& operator=(const PgaMapElites& other) { return *this = PgaMapElites(other); }
  PgaMapElites& operator=(PgaMapElites&&) noexcept = default;
  ~PgaMapElites() = default;

  const SampleRequest& ask();
  void tell(const Evaluations& evaluations);
  bool done() const { return generations_.done(); }

  ArchiveTable archive() const { return archive_.table(); }
  std::optional<ArchiveTable> initial_archive() const { return std::nullopt; }
  AlgorithmStatus status() const;

  // With all that the learner knows, as long as there is something left to breed.
  State save() const;
  void load(State state);

 private:
  // Where offspring come from.
  enum Variation : std::size_t { kIsoLine, kGradient, kGreedy, kVariations };

  std::unique_ptr<PgaLearner> new_learner() const;
  void count_kept(const std::vector<std::size_t>& kept);

  PgaConfig config_;
  std::shared_ptr<const Task> task_;
  Key key_;
  Generations generations_;
  Archive archive_;
  std::unique_ptr<PgaLearner> learner_;           // none once the budget is spent
  std::size_t bred_by_gradient_ = 0;              // offspring at the end of the present request
  std::array<std::int64_t, kVariations> made_{};  // offspring of each variation, those of the first generation left out
  std::array<std::int64_t, kVariations> kept_{};  // how many of them entered the archive
  std::optional<double> greedy_return_;           // fitness of the greedy policy in its last evaluation
};

}  // namespace aria
