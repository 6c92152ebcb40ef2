// Answers sample requests. This is the interface behind which threads, other machines or a user's function work.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "aria/task/sample_request.hpp"
#include "aria/task/task.hpp"

namespace aria {

class Evaluator {
 public:
  Evaluator() = default;
  Evaluator(const Evaluator&) = default;
  Evaluator& operator=(const Evaluator&) = default;
  virtual ~Evaluator() = default;

  virtual const TaskInfo& info() const = 0;
  // Fills `out`, whose memory is used again from call to call.
  virtual void evaluate(const SampleRequest& request, Evaluations& out) = 0;
  // What the first exception of the task said, empty where none was thrown.
  virtual std::string first_error() const = 0;
};

// Runs a task on this machine: threads over fixed blocks of samples. A failed evaluation never stops the others: a
// block that throws is tried again sample by sample, and a sample that throws counts as failed. Mirrored samples reach
// a task in pairs, so there it is pair by pair, and both of a pair are lost.
class LocalEvaluator : public Evaluator {
 public:
  explicit LocalEvaluator(std::shared_ptr<const Task> task);

  const TaskInfo& info() const override { return task_->info(); }
  void evaluate(const SampleRequest& request, Evaluations& out) override;
  std::string first_error() const override { return first_error_; }

 private:
  std::size_t evaluate_block(const SampleRequest& request, std::size_t first, std::size_t count, Evaluations& out,
                             std::string& error) const;

  std::shared_ptr<const Task> task_;
  std::string first_error_;
};

}  // namespace aria
