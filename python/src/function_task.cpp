#include "python/src/function_task.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <nanobind/ndarray.h>

#include "aria/core/draws.hpp"
#include "aria/core/parallel.hpp"
#include "aria/core/require.hpp"
#include "aria/task/samples.hpp"
#include "python/src/arrays.hpp"

namespace aria::python {

namespace {

constexpr std::size_t kFloatsAtOnce = 1 << 16;  // that a thread writes out at a time

// Of a traceback, what was raised.
std::string last_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

std::int64_t seed_of(const SampleRequest& request, std::size_t first) {
  const PhiloxCounter bits = request.key.bits(Purpose::kTaskNoise, request.ids[first / request.samples],
                                              static_cast<std::uint32_t>(first % request.samples), 0);
  // never negative: generators take seeds of 63 bits
  return static_cast<std::int64_t>((std::uint64_t{bits[1]} << 32 | bits[0]) >> 1);
}

void draw_in_parallel(const SampleRequest& request, std::size_t first, MutableMatrixView solutions) {
  // an even number, so that mirrored samples share their noise
  const std::size_t rows =
      std::max<std::size_t>(2, kFloatsAtOnce / std::max<std::size_t>(1, solutions.columns()) & ~1u);
  const std::size_t blocks = (solutions.rows() + rows - 1) / rows;
  parallel_for(blocks, 1, [&](std::size_t b) {
    const std::size_t begin = b * rows;
    draw_solutions(request, first + begin, solutions.rows(begin, std::min(rows, solutions.rows() - begin)));
  });
}

FunctionTask::FunctionTask(FunctionConfig config) : config_(std::move(config)) {
  require(config_.batch_size >= 1, "batch_size", ">= 1", config_.batch_size);
}

FunctionTask::~FunctionTask() {
  // the last owner may be a run, which does not hold the interpreter's lock
  const nb::gil_scoped_acquire with_lock;
  config_.function.reset();
  solutions_.reset();
}

nb::object FunctionTask::solutions_array(std::size_t count) const {
  const bool unused = solutions_.is_valid() && Py_REFCNT(solutions_.ptr()) == 1;
  if (!unused || rows_of(solutions_).rows() != count) solutions_ = empty_rows(count, info().parameters);
  return solutions_;
}

void FunctionTask::evaluate(const SampleRequest& request, std::size_t first, const EvaluationRows& out) const {
  const nb::gil_scoped_acquire with_lock;
  const std::size_t count = out.fitness.size();
  nb::object solutions = solutions_array(count);
  {
    const MutableMatrixView rows = rows_of(solutions);
    const nb::gil_scoped_release without_lock;
    draw_in_parallel(request, first, rows);
  }
  const nb::object answer = config_.function(std::move(solutions), seed_of(request, first));
  const auto objective = nb::cast<Vector<float>>(answer[0]);
  const auto measures = nb::cast<Rows>(answer[1]);
  require(objective.size() == count && measures.shape(0) == count && measures.shape(1) == info().descriptor_size(),
          "what evaluate gives", "of the shape asked for", fmt::format("{} rows", objective.size()));
  std::copy_n(objective.data(), count, out.fitness.begin());
  std::copy_n(measures.data(), measures.size(), out.descriptors.data());
}

void FunctionTask::initial_genotype(Key key, std::uint32_t id, std::span<float> genotype) const {
  for (std::size_t j = 0; j < genotype.size(); ++j) {
    const auto block = static_cast<std::uint32_t>(j / kDrawsPerBlock);
    const float share = uniform_from(key.bits(Purpose::kInitial, id, 0, block)[j % kDrawsPerBlock]);
    genotype[j] = config_.lower[j] + (config_.upper[j] - config_.lower[j]) * share;
  }
}

void FunctionEvaluator::evaluate(const SampleRequest& request, Evaluations& out) {
  check_request(request, info());
  const std::size_t total = request.evaluations();
  out.fitness.resize(total);
  out.descriptors.resize(total, info().descriptor_size());
  out.perturbations.clear();
  const std::size_t batch = task_->evaluations_at_once();
  for (std::size_t first = 0; first < total; first += batch) {
    evaluate_batch(request, first, std::min(batch, total - first), out);
  }
  out.failed = mark_failures(out.fitness, out.descriptors);
}

bool FunctionEvaluator::attempt(const SampleRequest& request, std::size_t first, std::size_t count, Evaluations& out) {
  const EvaluationRows rows{std::span(out.fitness).subspan(first, count), out.descriptors.view().rows(first, count)};
  if (!task_->skips_errors()) {
    task_->evaluate(request, first, rows);
    return true;
  }
  try {
    task_->evaluate(request, first, rows);
    return true;
  } catch (nb::python_error& error) {
    const nb::gil_scoped_acquire with_lock;
    // Ctrl-C and exit are no faults of the function
    if (!error.matches(PyExc_Exception)) throw;
    if (first_error_.empty()) first_error_ = last_line(error.what());
    return false;
  }
}

void FunctionEvaluator::evaluate_batch(const SampleRequest& request, std::size_t first, std::size_t count,
                                       Evaluations& out) {
  if (attempt(request, first, count, out)) return;
  for (std::size_t e = first; e < first + count; ++e) {
    if (count > 1 && attempt(request, e, 1, out)) continue;
    out.fitness[e] = std::numeric_limits<float>::quiet_NaN();
    std::ranges::fill(out.descriptors.row(e), 0.0f);
  }
}

}  // namespace aria::python
