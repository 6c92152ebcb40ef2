// What every algorithm asks for, and gets: evaluations of samples around some centres.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "aria/core/key.hpp"
#include "aria/core/matrix.hpp"
#include "aria/task/episode_steps.hpp"

namespace aria {

// Around each centre, `samples` solutions at distance ~ sigma. Evaluation e is sample e % samples of centre
// e / samples. Every draw is named by (key, id of the centre, sample), so a centre gets the same samples whatever
// other centres share the request.
struct SampleRequest {
  Matrix centres;                   // (centres x parameters)
  std::vector<std::uint32_t> ids;   // (centres) names the draws around a centre: a cell, an offspring's number
  std::size_t samples = 1;          // evaluations per centre
  float sigma = 0;                  // 0: the centre itself, evaluated `samples` times
  bool mirrored = false;            // samples 2p and 2p + 1 are centre + sigma * noise_p and centre - sigma * noise_p
  Key key;                          // names every draw: perturbations and the task's own noise
  bool keep_perturbations = false;  // hand the noise back as well, where the task can: saves drawing it again
  bool transitions = false;         // hand back the steps of each rollout as well, where the task has policies

  float exploration = 0;  // with transitions: deviation of the noise on what a policy does, before its tanh, each step

  std::size_t evaluations() const { return centres.rows() * samples; }
};

// The answer, in the same order. A failed evaluation has a NaN fitness.
struct Evaluations {
  std::vector<float> fitness;  // (centres * samples)
  Matrix descriptors;          // (centres * samples x descriptor size)
  std::size_t failed = 0;      // evaluations whose fitness or descriptor is not finite
  // Noise of mirrored pairs, sixteen side by side: variate j of pair p is at [(p / 16 * parameters + j) * 16 + p % 16]
  // of its centre's part. Empty where it was not asked for or the task does not keep it.
  std::vector<float> perturbations;  // (centres x kept_perturbations)
  // Of every evaluation, none of those that failed. Empty where they were not asked for.
  std::vector<EpisodeSteps> episodes;  // (centres * samples)
};

// What the answer says of one centre.
struct CentreEvaluations {
  std::span<const float> fitness;        // (samples)
  MatrixView descriptors;                // (samples x descriptor size)
  std::span<const float> perturbations;  // (kept_perturbations) or empty
};

inline CentreEvaluations of_centre(const Evaluations& evaluations, const SampleRequest& request, std::size_t centre) {
  const std::size_t kept = evaluations.perturbations.size() / request.centres.rows();
  return {std::span(evaluations.fitness).subspan(centre * request.samples, request.samples),
          evaluations.descriptors.view().rows(centre * request.samples, request.samples),
          std::span(evaluations.perturbations).subspan(centre * kept, kept)};
}

inline constexpr std::size_t kPerturbationLanes = 16;

// Floats per centre of Evaluations::perturbations.
constexpr std::size_t kept_perturbations(std::size_t pairs, std::size_t parameters) {
  return (pairs + kPerturbationLanes - 1) / kPerturbationLanes * kPerturbationLanes * parameters;
}

}  // namespace aria
