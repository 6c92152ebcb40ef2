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

using UseCentre = std::function<void(std::size_t centre, const CentreEvaluations& evaluations)>;

class Evaluator {
 public:
  Evaluator() = default;
  Evaluator(const Evaluator&) = default;
  Evaluator& operator=(const Evaluator&) = default;
  virtual ~Evaluator() = default;

  virtual const TaskInfo& info() const = 0;
  // Fills `out`, whose memory is used again from call to call.
  virtual void evaluate(const SampleRequest& request, Evaluations& out) = 0;
  // Hands over the same centre by centre, in any order and by several threads at once: use(i, evaluations of centre i).
  // So they can be used while they are in a core's cache. Gives the number of those that failed.
  virtual std::size_t evaluate_each(const SampleRequest& request, const UseCentre& use);
  // What the first exception of the task said, empty where none was thrown.
  virtual std::string first_error() const = 0;

 private:
  Evaluations whole_;
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
  std::size_t evaluate_each(const SampleRequest& request, const UseCentre& use) override;
  std::string first_error() const override { return first_error_; }

 private:
  bool keeps_perturbations(const SampleRequest& request) const;
  void make_room(const SampleRequest& request, Evaluations& out) const;
  // Calls part(b, error) for all parts of a request, unless told to stop; it gives how many evaluations failed, and
  // what the task threw. Gives the number of all that failed.
  using Part = std::function<std::size_t(std::size_t b, std::string& error)>;
  std::size_t evaluate_parts(std::size_t parts, const Part& part);
  std::size_t evaluate_block(const SampleRequest& request, std::size_t first, std::size_t count, Evaluations& out,
                             std::string& error) const;

  std::shared_ptr<const Task> task_;
  std::function<bool()> stop_;
  std::string first_error_;
};

}  // namespace aria
