#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "aria/core/finite.hpp"
#include "aria/core/parallel.hpp"
#include "aria/core/require.hpp"
#include "aria/evaluation/evaluator.hpp"

namespace aria {

void check_request(const SampleRequest& request, const TaskInfo& info) {
  require_genotype_length(info, request.centres.columns());
  require(request.ids.size() == request.centres.rows(), "the ids of a request", "one per centre", request.ids.size());
  require(request.samples >= 1, "samples", ">= 1", request.samples);
  require(request.sigma >= 0 && std::isfinite(request.sigma), "sigma", ">= 0 and finite", request.sigma);
  require(!request.mirrored || request.samples % 2 == 0, "mirrored samples", "even in number", request.samples);
  require(!request.transitions || info.policy.has_value(), "a task that hands back transitions",
          "one whose genotypes are policies", info.name);
}

// Few evaluations are cut finer, so that every thread gets some. No result depends on the cut.
std::size_t block_size(const Task& task, std::size_t evaluations) {
  constexpr std::size_t kBlocks = 8;
  constexpr std::size_t kLeast = 16;  // what the widest vectors hold, and even, so that mirrored pairs stay together
  const std::size_t share = (evaluations / kBlocks + kLeast - 1) / kLeast * kLeast;
  return std::min(task.evaluations_at_once(), std::max(kLeast, share));
}

std::size_t mark_failures(std::span<float> fitness, MatrixView descriptors) {
  if (all_finite(fitness) && all_finite(descriptors.values())) return 0;
  std::size_t failed = 0;
  for (std::size_t i = 0; i < fitness.size(); ++i) {
    if (is_finite(fitness[i]) && all_finite(descriptors.row(i))) continue;
    fitness[i] = std::numeric_limits<float>::quiet_NaN();
    ++failed;
  }
  return failed;
}

std::size_t Evaluator::evaluate_each(const SampleRequest& request, const UseCentre& use) {
  evaluate(request, whole_);
  parallel_for(request.centres.rows(), 1, [&](std::size_t i) { use(i, of_centre(whole_, request, i)); });
  return whole_.failed;
}

namespace {

// A request for mirrored samples, of one of its centres alone.
SampleRequest mirrored_around(const SampleRequest& request, std::size_t centre) {
  SampleRequest one;
  one.centres.append_row(request.centres.row(centre));
  one.ids = {request.ids[centre]};
  one.samples = request.samples;
  one.sigma = request.sigma;
  one.mirrored = request.mirrored;
  one.key = request.key;
  one.keep_perturbations = request.keep_perturbations;
  return one;
}

}  // namespace

LocalEvaluator::LocalEvaluator(std::shared_ptr<const Task> task, std::function<bool()> stop)
    : task_(std::move(task)), stop_(std::move(stop)) {}

bool LocalEvaluator::keeps_perturbations(const SampleRequest& request) const {
  return request.keep_perturbations && request.mirrored && request.sigma > 0 && task_->keeps_perturbations();
}

void LocalEvaluator::make_room(const SampleRequest& request, Evaluations& out) const {
  const std::size_t total = request.evaluations();
  out.fitness.resize(total);
  out.descriptors.resize(total, info().descriptor_size());
  const std::size_t kept = kept_perturbations(request.samples / 2, info().parameters);
  out.perturbations.resize(keeps_perturbations(request) ? request.centres.rows() * kept : 0);
  out.episodes.resize(request.transitions ? total : 0);
  for (EpisodeSteps& steps : out.episodes) steps.clear();
}

void LocalEvaluator::evaluate(const SampleRequest& request, Evaluations& out) {
  check_request(request, info());
  make_room(request, out);
  const std::size_t total = request.evaluations();
  const std::size_t block = block_size(*task_, total);
  out.failed = evaluate_parts((total + block - 1) / block, [&](std::size_t b, std::string& error) {
    return evaluate_block(request, b * block, std::min(block, total - b * block), out, error);
  });
}

// Centre by centre only where noise is kept, which is most of what there is to read again, and where no thread would
// wait long for another.
std::size_t LocalEvaluator::evaluate_each(const SampleRequest& request, const UseCentre& use) {
  const std::size_t centres = request.centres.rows();
  if (!keeps_perturbations(request) || request.transitions || centres < 2 * threads())
    return Evaluator::evaluate_each(request, use);
  check_request(request, info());
  return evaluate_parts(centres, [&](std::size_t i, std::string& error) {
    thread_local Evaluations out;  // the next centre finds it in the cache
    const SampleRequest alone = mirrored_around(request, i);
    make_room(alone, out);
    const std::size_t failed = evaluate_block(alone, 0, alone.samples, out, error);
    use(i, of_centre(out, alone, 0));
    return failed;
  });
}

std::size_t LocalEvaluator::evaluate_parts(std::size_t parts, const Part& part) {
  std::vector<std::size_t> failed(parts);
  std::vector<std::string> errors(parts);
  std::atomic<bool> stopped = false;
  parallel_for(parts, 1, [&](std::size_t p) {
    if (stop_ && (stopped || stop_())) {
      stopped = true;
      return;
    }
    failed[p] = part(p, errors[p]);
  });
  if (stopped) throw EvaluationStopped();
  for (const std::string& error : errors) {
    if (first_error_.empty()) first_error_ = error;
  }
  return std::accumulate(failed.begin(), failed.end(), std::size_t{0});
}

std::size_t LocalEvaluator::evaluate_block(const SampleRequest& request, std::size_t first, std::size_t count,
                                           Evaluations& out, std::string& error) const {
  const auto rows = [&](std::size_t from, std::size_t n) {
    return EvaluationRows{std::span(out.fitness).subspan(from, n), out.descriptors.view().rows(from, n),
                          out.perturbations.empty() ? nullptr : out.perturbations.data(),
                          std::span(out.episodes).subspan(request.transitions ? from : 0, request.transitions ? n : 0)};
  };
  // whatever a task throws, a user's task too, is told as text; nothing where it did not
  const auto attempt = [&](std::size_t from, std::size_t n) -> std::optional<std::string> {
    for (EpisodeSteps& steps : rows(from, n).episodes) steps.clear();
    try {
      task_->evaluate(request, from, rows(from, n));
      return std::nullopt;
    } catch (const std::exception& exception) {
      return exception.what();
    } catch (...) {
      return "unknown exception";
    }
  };
  if (const auto thrown = attempt(first, count)) {
    error = *thrown;
    // draws are named, so trying again gives the others what they would have had
    const std::size_t together = request.mirrored ? 2 : 1;
    for (std::size_t e = first; e < first + count; e += together) {
      if (!attempt(e, together)) continue;
      std::ranges::fill(rows(e, together).fitness, std::numeric_limits<float>::quiet_NaN());
      std::ranges::fill(rows(e, together).descriptors.values(), 0.0f);
    }
  }
  const EvaluationRows all = rows(first, count);
  const std::size_t failed = mark_failures(all.fitness, all.descriptors);
  for (std::size_t i = 0; failed > 0 && i < all.episodes.size(); ++i) {
    if (!is_finite(all.fitness[i])) all.episodes[i].clear();
  }
  return failed;
}

}  // namespace aria
