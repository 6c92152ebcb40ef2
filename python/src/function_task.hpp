// A task that is a function of the user's, in Python.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "aria/evaluation/evaluator.hpp"
#include "aria/task/symmetry.hpp"
#include "aria/task/task.hpp"

namespace aria::python {

namespace nb = nanobind;

// Names the draws of the evaluations from `first` on: what a function gets as its seed.
std::int64_t seed_of(const SampleRequest& request, std::size_t first);

// Writes out the solutions of a part of a request, by all threads. `solutions` is (count x parameters).
void draw_in_parallel(const SampleRequest& request, std::size_t first, MutableMatrixView solutions);

struct FunctionConfig {
  TaskInfo info;
  std::vector<float> lower;  // (parameters) of an initial solution
  std::vector<float> upper;  // (parameters)
  nb::object function;       // (solutions, seed) -> objective (n), measures (n, m), both float32; None: ask and tell
  std::size_t batch_size = 4096;  // evaluations per call at the most
  bool skip_errors = false;
  std::vector<TaskSymmetry> symmetries;  // a group, without doing nothing
};

// Solutions reach the function block by block: no more than a batch of them is in memory at a time.
class FunctionTask : public Task {
 public:
  explicit FunctionTask(FunctionConfig config);
  FunctionTask(const FunctionTask&) = delete;
  FunctionTask& operator=(const FunctionTask&) = delete;
  ~FunctionTask() override;

  const TaskInfo& info() const override { return config_.info; }
  // On the thread of the interpreter. What the function throws is thrown.
  void evaluate(const SampleRequest& request, std::size_t first, const EvaluationRows& out) const override;
  std::size_t evaluations_at_once() const override { return config_.batch_size; }
  std::vector<TaskSymmetry> symmetries() const override { return config_.symmetries; }
  void initial_genotype(Key key, std::uint32_t id, std::span<float> genotype) const override;

  bool skips_errors() const { return config_.skip_errors; }
  const FunctionConfig& config() const { return config_; }

 private:
  // An array for so many solutions: the one of the last call, where nobody has kept it.
  nb::object solutions_array(std::size_t count) const;

  FunctionConfig config_;
  mutable nb::object solutions_;
};

// Calls the function batch by batch, on the thread that calls it. An exception of the function ends `evaluate`, or
// where errors are skipped, the batch is tried again one by one, and what throws then counts as failed.
class FunctionEvaluator : public Evaluator {
 public:
  explicit FunctionEvaluator(std::shared_ptr<const FunctionTask> task) : task_(std::move(task)) {}

  const TaskInfo& info() const override { return task_->info(); }
  void evaluate(const SampleRequest& request, Evaluations& out) override;
  std::string first_error() const override { return first_error_; }

 private:
  void evaluate_batch(const SampleRequest& request, std::size_t first, std::size_t count, Evaluations& out);
  bool attempt(const SampleRequest& request, std::size_t first, std::size_t count, Evaluations& out);

  std::shared_ptr<const FunctionTask> task_;
  std::string first_error_;
};

}  // namespace aria::python
