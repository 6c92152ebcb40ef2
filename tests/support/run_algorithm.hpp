// Runs an algorithm the way the program does: ask, evaluate, tell.
#pragma once

#include <cstddef>

#include "aria/evaluation/evaluator.hpp"

namespace aria::testing {

// One round; gives the evaluations that it took.
template <class A>
std::size_t run_round(A& algorithm, Evaluator& evaluator) {
  Evaluations evaluations;
  const SampleRequest& request = algorithm.ask();
  evaluator.evaluate(request, evaluations);
  const std::size_t spent = request.evaluations();
  algorithm.tell(evaluations);
  return spent;
}

// Until it is done; gives the evaluations that it took.
template <class A>
std::size_t run_to_the_end(A& algorithm, Evaluator& evaluator) {
  std::size_t spent = 0;
  while (!algorithm.done()) spent += run_round(algorithm, evaluator);
  return spent;
}

}  // namespace aria::testing
