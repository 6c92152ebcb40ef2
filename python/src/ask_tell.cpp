#include "python/src/ask_tell.hpp"

#include <algorithm>
#include <utility>

#include "aria/core/require.hpp"
#include "aria/evaluation/evaluator.hpp"
#include "python/src/function_task.hpp"

namespace aria::python {

AskTell::AskTell(ResolvedRun run, std::size_t batch_size) : run_(std::move(run)), batch_size_(batch_size) {
  require(batch_size_ >= 1, "batch_size", ">= 1", batch_size_);
}

const SampleRequest& AskTell::request() {
  if (request_ == nullptr) {
    request_ = &run_.algorithm.ask();
    told_.fitness.resize(request_->evaluations());
    told_.descriptors.resize(request_->evaluations(), measures());
  }
  return *request_;
}

std::size_t AskTell::batch() { return done() ? 0 : std::min(batch_size_, request().evaluations() - told_count_); }

void AskTell::ask(MutableMatrixView solutions) {
  require(!done(), "ask()", "for an algorithm that is not done", "one that is");
  draw_in_parallel(request(), told_count_, solutions);
}

std::int64_t AskTell::seed() { return seed_of(request(), told_count_); }

void AskTell::tell(std::span<const float> fitness, MatrixView measures) {
  require(!done(), "tell()", "for an algorithm that is not done", "one that is");
  const std::size_t count = batch();
  require(fitness.size() == count && measures.rows() == count && measures.columns() == this->measures(),
          "what tell() is given", fmt::format("of shapes ({}) and ({}, {})", count, count, this->measures()),
          fmt::format("({}) and ({}, {})", fitness.size(), measures.rows(), measures.columns()));
  std::ranges::copy(fitness, told_.fitness.begin() + static_cast<std::ptrdiff_t>(told_count_));
  std::ranges::copy(measures.values(), told_.descriptors.row(told_count_).begin());
  told_count_ += count;
  if (told_count_ < request_->evaluations()) return;

  told_.failed = mark_failures(told_.fitness, told_.descriptors);
  evaluations_ += told_count_;
  failed_ += told_.failed;
  told_count_ = 0;
  request_ = nullptr;
  run_.algorithm.tell(told_);
}

State AskTell::save() const {
  State state;
  state.put_part("algorithm/", run_.algorithm.save());
  state.put("evaluations", static_cast<std::int64_t>(evaluations_));
  state.put("failed", static_cast<std::int64_t>(failed_));
  const auto part = static_cast<std::ptrdiff_t>(told_count_);
  state.put("told/fitness", std::vector<float>(told_.fitness.begin(), told_.fitness.begin() + part));
  const auto& values = told_.descriptors.values();
  state.put("told/measures",
            std::vector<float>(values.begin(), values.begin() + part * static_cast<std::ptrdiff_t>(measures())));
  return state;
}

void AskTell::load(const State& state) {
  run_.algorithm.load(state.part("algorithm/"));
  const std::int64_t evaluations = state.get_integer("evaluations");
  const std::int64_t failed = state.get_integer("failed");
  require(failed >= 0 && evaluations >= failed, "the counters of the saved state", "0 <= failed <= evaluations",
          fmt::format("{} and {}", failed, evaluations));
  evaluations_ = static_cast<std::size_t>(evaluations);
  failed_ = static_cast<std::size_t>(failed);
  request_ = nullptr;
  told_count_ = 0;
  const auto& fitness = state.get<float>("told/fitness");
  const auto& measures = state.get<float>("told/measures", fitness.size() * this->measures());
  if (fitness.empty()) return;
  require(!done() && fitness.size() < request().evaluations(), "what the saved state was told", "less than the request",
          fitness.size());
  std::ranges::copy(fitness, told_.fitness.begin());
  std::ranges::copy(measures, told_.descriptors.data());
  told_count_ = fitness.size();
}

}  // namespace aria::python
