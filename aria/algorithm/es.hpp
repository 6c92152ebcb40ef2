// A plain evolution strategy: one random genotype, improved on its mean fitness alone.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "aria/algorithm/evolution_search.hpp"
#include "aria/algorithm/status.hpp"
#include "aria/archive/archive_table.hpp"
#include "aria/core/settings.hpp"
#include "aria/task/task.hpp"

namespace aria {

struct EsConfig {
  SearchConfig search;
  std::size_t initial_steps = 100;  // steps of the search

  void validate() const;
};

void bind_settings(SettingTable& table, SearchConfig& config);
void bind_settings(SettingTable& table, EsConfig& config);

class Es {
 public:
  Es(EsConfig config, std::shared_ptr<const Task> task, Key key);

  const SampleRequest& ask() { return search_.ask(); }
  void tell(const Evaluations& evaluations) { search_.tell(evaluations); }
  bool done() const { return search_.done(); }

  const Search& best() const { return search_.searches().front(); }
  ArchiveTable archive() const;  // one row, or none before the last step
  std::optional<ArchiveTable> initial_archive() const { return std::nullopt; }
  AlgorithmStatus status() const;

  State save() const { return search_.save(); }
  void load(const State& state);

 private:
  EsConfig config_;
  std::shared_ptr<const Task> task_;
  Key key_;
  EvolutionSearch search_;
};

}  // namespace aria
