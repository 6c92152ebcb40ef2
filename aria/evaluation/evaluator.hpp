// Answers sample requests. This is the interface behind which threads, other machines or a user's function work.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "aria/task/sample_request.hpp"
#include "aria/task/task.hpp"

namespace aria {

// Thrown by an evaluator that was told to stop: the request counts as never made, and can be made again.
struct EvaluationStopped {};

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

// That a request fits the task; throws an InputError where it does not.
void check_request(const SampleRequest& request, const TaskInfo& info);

// A half-failed evaluation is failed as a whole, and gets a NaN fitness. Gives the number of those that failed.
std::size_t mark_failures(std::span<float> fitness, MatrixView descriptors);

// Runs a task on this machine: threads over fixed blocks of samples. A failed evaluation never stops the others: a
// block that throws is tried again sample by sample, and a sample that throws counts as failed. Mirrored samples reach
// a task in pairs, so there it is pair by pair, and both of a pair are lost.
class LocalEvaluator : public Evaluator {
 public:
  // `stop` is asked before every block, by many threads at once; true ends `evaluate` by throwing EvaluationStopped.
  explicit LocalEvaluator(std::shared_ptr<const Task> task, std::function<bool()> stop = {});

  const TaskInfo& info() const override { return task_->info(); }
  void evaluate(const SampleRequest& request, Evaluations& out) override;
  std::string first_error() const override { return first_error_; }

 private:
  std::size_t evaluate_block(const SampleRequest& request, std::size_t first, std::size_t count, Evaluations& out,
                             std::string& error) const;

  std::shared_ptr<const Task> task_;
  std::function<bool()> stop_;
  std::string first_error_;
};

}  // namespace aria
