// An algorithm whose evaluations are made by whoever owns the loop, a batch at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "aria/run/configuration.hpp"
#include "aria/task/sample_request.hpp"

namespace aria::python {

class AskTell {
 public:
  AskTell(ResolvedRun run, std::size_t batch_size);

  // How many solutions the next `tell` is for: those of the present batch; 0 where the algorithm is done.
  std::size_t batch();
  std::size_t parameters() const { return run_.task->info().parameters; }
  std::size_t measures() const { return run_.task->info().descriptor_size(); }
  // Writes the batch out: (batch x parameters). The same until it is told.
  void ask(MutableMatrixView solutions);
  std::int64_t seed();  // names the batch's draws
  // (batch) and (batch x measures); what is not finite counts as failed.
  void tell(std::span<const float> fitness, MatrixView measures);

  bool done() const { return run_.algorithm.done(); }
  const AnyAlgorithm& algorithm() const { return run_.algorithm; }
  const ResolvedConfig& config() const { return run_.config; }
  std::size_t evaluations() const { return evaluations_; }
  std::size_t failed() const { return failed_; }

  // Everything, also the part of a request that has been told so far.
  State save() const;
  void load(const State& state);

 private:
  const SampleRequest& request();

  ResolvedRun run_;
  std::size_t batch_size_;
  const SampleRequest* request_ = nullptr;  // the present one; null: to be asked for
  Evaluations told_;                        // of the present request
  std::size_t told_count_ = 0;
  std::size_t evaluations_ = 0;
  std::size_t failed_ = 0;
};

}  // namespace aria::python
