// What the MAP-Elites family shares: a budget spent in generations of offspring, each evaluated once or several times,
// bred by iso+line variation (Vassiliades & Mouret 2018) from whatever archive the algorithm keeps.
#pragma once

#include <cassert>
#include <cstddef>
#include <memory>

#include "aria/algorithm/variation.hpp"
#include "aria/core/key.hpp"
#include "aria/core/settings.hpp"
#include "aria/core/state.hpp"
#include "aria/core/validated.hpp"
#include "aria/task/sample_request.hpp"
#include "aria/task/task.hpp"

namespace aria {

struct GenerationsConfig {
  std::size_t budget = 2'000'000;  // evaluations in all
  std::size_t batch = 4096;        // offspring per generation
  double iso_sigma = 0.01;         // standard deviation of the noise on every parameter
  double line_sigma = 0.1;         // the same along the line to the second parent
  std::size_t samples = 1;         // evaluations per offspring
  bool transitions = false;        // whether the steps of every rollout are wanted

  void validate() const;
};

// Every field that all algorithms let be chosen.
void bind_settings(SettingTable& table, GenerationsConfig& config);

class Generations {
 public:
  Generations(const GenerationsConfig& config, std::shared_ptr<const Task> task, Key key);

  // The next generation: offspring of the archive's solutions; random solutions as long as it has none.
  template <class SomeArchive>
  const SampleRequest& ask(const SomeArchive& archive) {
    return ask(archive, [&](Key key, MutableMatrixView offspring) {
      iso_line_variation(archive, config_.iso_sigma, config_.line_sigma, key, offspring);
    });
  }
  // The same with offspring that `breed` makes, from draws that the key names.
  template <class SomeArchive, class Breed>
  const SampleRequest& ask(const SomeArchive& archive, const Breed& breed) {
    assert(!done());
    begin();
    if (archive.size() == 0) {
      draw_random();
    } else {
      breed(request_.key, request_.centres.view());
    }
    return request_;
  }
  // To be called when its evaluations are there.
  void end();
  // The budget is never exceeded: what does not suffice for one more offspring is left.
  bool done() const { return config_.budget - evaluations_ < config_.samples; }

  Key key_of(std::size_t generation) const { return key_.child(generation); }
  const SampleRequest& request() const { return request_; }  // what `ask` gave last
  std::size_t planned_evaluations() const { return config_.budget / config_.samples * config_.samples; }

  State save() const;
  void load(const State& state);

 private:
  void begin();
  void draw_random();

  GenerationsConfig config_;
  std::shared_ptr<const Task> task_;
  Key key_;
  std::size_t generation_ = 0;
  std::size_t evaluations_ = 0;
  SampleRequest request_;
};

}  // namespace aria
