// MAP-Elites (Mouret & Clune 2015) with iso+line variation (Vassiliades & Mouret 2018): one evaluation per solution, so
// under noise it keeps the lucky ones.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "aria/algorithm/status.hpp"
#include "aria/archive/archive.hpp"
#include "aria/core/key.hpp"
#include "aria/core/settings.hpp"
#include "aria/core/state.hpp"
#include "aria/task/sample_request.hpp"
#include "aria/task/task.hpp"

namespace aria {

struct MapElitesConfig {
  std::size_t budget = 2'000'000;  // evaluations in all
  std::size_t batch = 4096;        // offspring per generation
  double iso_sigma = 0.01;         // standard deviation of the noise on every parameter
  double line_sigma = 0.1;         // the same along the line to the second parent

  void validate() const;
};

void bind_settings(SettingTable& table, MapElitesConfig& config);

class MapElites {
 public:
  MapElites(MapElitesConfig config, std::shared_ptr<const Task> task, Key key);

  const SampleRequest& ask();
  void tell(const Evaluations& evaluations);
  bool done() const { return evaluations_ >= config_.budget; }

  const Archive& elites() const { return archive_; }
  ArchiveTable archive() const { return archive_.table(); }
  std::optional<ArchiveTable> initial_archive() const { return std::nullopt; }
  AlgorithmStatus status() const;

  State save() const;
  void load(const State& state);

 private:
  MapElitesConfig config_;
  std::shared_ptr<const Task> task_;
  Key key_;
  Archive archive_;
  std::size_t generation_ = 0;
  std::size_t evaluations_ = 0;
  SampleRequest request_;
};

}  // namespace aria
