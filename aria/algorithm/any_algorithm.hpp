// Any algorithm as a value: copyable, with `ask`, `tell`, `done` and a state that can be saved. The loop that runs
// algorithms knows only this.
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <utility>

#include "aria/algorithm/status.hpp"
#include "aria/archive/archive_table.hpp"
#include "aria/core/state.hpp"
#include "aria/task/sample_request.hpp"

namespace aria {

// What a type must offer to be an algorithm. The reference that `ask` gives is good until the next `tell`.
template <class A>
concept Algorithm = std::copyable<A> && requires(A a, const A& c, const Evaluations& evaluations, State state) {
  { a.ask() } -> std::same_as<const SampleRequest&>;
  a.tell(evaluations);
  { c.done() } -> std::same_as<bool>;
  { c.archive() } -> std::same_as<ArchiveTable>;
  { c.initial_archive() } -> std::same_as<std::optional<ArchiveTable>>;
  { c.status() } -> std::same_as<AlgorithmStatus>;
  { c.save() } -> std::same_as<State>;
  a.load(std::move(state));
};

// An algorithm may also be told of each centre's evaluations apart, while its `takes_centres` is true: `tell_centre`
// for each, in any order and by several threads at once, then `told_all`. Where that does not come, nothing was told.
template <class A>
concept TakesCentres = requires(A a, const A& c, std::size_t centre, const CentreEvaluations& evaluations) {
  { c.takes_centres() } -> std::same_as<bool>;
  a.tell_centre(centre, evaluations);
  a.told_all();
};

class AnyAlgorithm {
 public:
  template <class A>
  requires(!std::same_as<A, AnyAlgorithm> && Algorithm<A>) AnyAlgorithm(A algorithm)
      : self_(std::make_unique<Model<A>>(std::move(algorithm))) {}
  AnyAlgorithm(const AnyAlgorithm& other) : self_(other.self_->clone()) {}
  AnyAlgorithm(AnyAlgorithm&&) noexcept = default;
  AnyAlgorithm& operator=(const AnyAlgorithm& other) { return *this = AnyAlgorithm(other); }
  AnyAlgorithm& operator=(AnyAlgorithm&&) noexcept = default;
  ~AnyAlgorithm() = default;

  const SampleRequest& ask() { return self_->ask(); }
  void tell(const Evaluations& evaluations) { self_->tell(evaluations); }
  bool takes_centres() const { return self_->takes_centres(); }
  void tell_centre(std::size_t i, const CentreEvaluations& evaluations) { self_->tell_centre(i, evaluations); }
  void told_all() { self_->told_all(); }
  bool done() const { return self_->done(); }
  // What the algorithm believes it has found so far.
  ArchiveTable archive() const { return self_->archive(); }
  // What it started from, where it improves on something.
  std::optional<ArchiveTable> initial_archive() const { return self_->initial_archive(); }
  AlgorithmStatus status() const { return self_->status(); }
  State save() const { return self_->save(); }
  void load(State state) { self_->load(std::move(state)); }

 private:
  struct Interface {
    Interface() = default;
    Interface(const Interface&) = default;
    Interface& operator=(const Interface&) = default;
    virtual ~Interface() = default;
    virtual std::unique_ptr<Interface> clone() const = 0;
    virtual const SampleRequest& ask() = 0;
    virtual void tell(const Evaluations& evaluations) = 0;
    virtual bool takes_centres() const = 0;
    virtual void tell_centre(std::size_t centre, const CentreEvaluations& evaluations) = 0;
    virtual void told_all() = 0;
    virtual bool done() const = 0;
    virtual ArchiveTable archive() const = 0;
    virtual std::optional<ArchiveTable> initial_archive() const = 0;
    virtual AlgorithmStatus status() const = 0;
    virtual State save() const = 0;
    virtual void load(State state) = 0;
  };

  template <Algorithm A>
  struct Model final : Interface {
    explicit Model(A a) : algorithm(std::move(a)) {}
    std::unique_ptr<Interface> clone() const override { return std::make_unique<Model>(*this); }
    const SampleRequest& ask() override { return algorithm.ask(); }
    void tell(const Evaluations& evaluations) override { algorithm.tell(evaluations); }
    bool takes_centres() const override {
      if constexpr (TakesCentres<A>) return algorithm.takes_centres();
      return false;
    }
    void tell_centre([[maybe_unused]] std::size_t i, [[maybe_unused]] const CentreEvaluations& evaluations) override {
      if constexpr (TakesCentres<A>) algorithm.tell_centre(i, evaluations);
    }
    void told_all() override {
      if constexpr (TakesCentres<A>) algorithm.told_all();
    }
    bool done() const override { return algorithm.done(); }
    ArchiveTable archive() const override { return algorithm.archive(); }
    std::optional<ArchiveTable> initial_archive() const override { return algorithm.initial_archive(); }
    AlgorithmStatus status() const override { return algorithm.status(); }
    State save() const override { return algorithm.save(); }
    void load(State state) override { algorithm.load(std::move(state)); }
    A algorithm;
  };

  std::unique_ptr<Interface> self_;
};

}  // namespace aria
