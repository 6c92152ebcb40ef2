// What ARIA-GN must reach on the noisy arm: the published scores of ARIA-ME, with every one of ten seeds, for at most
// 3.5e6 evaluations instead of 4.2e8.
#include <cstdint>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "aria/evaluation/evaluator.hpp"
#include "aria/metrics/published.hpp"
#include "aria/run/configuration.hpp"
#include "aria/run/correction.hpp"
#include "aria/run/run_loop.hpp"

namespace aria {
namespace {

// The range over all archives of the published comparison: its worst cell is one of ARIA-ES.
constexpr double kWorstFitness = -0.263;

TEST(ArmWithFewEvaluations, AriaGnReachesThePublishedScoresWithEverySeed) {
  const PublishedScores published = published_scores("arm", "aria-me").value();
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    RunConfig config;
    config.task = "arm";
    config.algorithm = "aria-gn";
    config.seed = seed;
    ResolvedRun resolved = resolve(config, nullptr);
    LocalEvaluator evaluator(resolved.task);
    RunProgress progress;
    run_loop(resolved.algorithm, evaluator, progress, {});
    // re-evaluated with another seed than the run's
    const Correction correction = correct(resolved.algorithm.archive(), evaluator, {1024, 0}, seed + 1000);
    double qd_score = 0;
    for (const float fitness : correction.corrected.objective_mean) qd_score += 1 - double{fitness} / kWorstFitness;
    const double p_score = *correction.scores.corrected->p_score;
    fmt::print("aria-gn seed {}: {} evaluations, {} cells, QD {:.1f}, P {:.1f}, {:.2f} s\n", seed, progress.evaluations,
               correction.corrected.size(), qd_score, p_score, progress.seconds);
    EXPECT_LE(progress.evaluations, 3'500'000u);
    EXPECT_GE(qd_score, published.qd_score) << "seed " << seed;
    EXPECT_GE(p_score, published.p_score) << "seed " << seed;
  }
}

}  // namespace
}  // namespace aria
