#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "aria/core/draws.hpp"
#include "aria/evaluation/evaluator.hpp"
#include "aria/task/arm.hpp"
#include "aria/task/walker.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/quadratic_task.hpp"
#include "tests/support/simd_targets.hpp"
#include "tests/support/threads.hpp"

namespace aria {
namespace {

using aria::testing::bits_of;
using aria::testing::for_each_simd_target;
using aria::testing::for_each_thread_count;
using aria::testing::message_of;
using aria::testing::QuadraticConfig;
using aria::testing::QuadraticTask;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

SampleRequest request_of(std::size_t centres, std::size_t parameters, std::size_t samples) {
  SampleRequest request;
  request.centres = Matrix(centres, parameters);
  for (std::size_t i = 0; i < centres; ++i) {
    for (std::size_t j = 0; j < parameters; ++j) {
      request.centres(i, j) = 0.01f * static_cast<float>(i) + 0.1f * static_cast<float>(j);
    }
    request.ids.push_back(static_cast<std::uint32_t>(i));
  }
  request.samples = samples;
  request.key = Key(3);
  return request;
}

Evaluations evaluate(LocalEvaluator& evaluator, const SampleRequest& request) {
  Evaluations out;
  evaluator.evaluate(request, out);
  return out;
}

void expect_same_bytes(const Evaluations& a, const Evaluations& b) {
  EXPECT_EQ(bits_of(a.fitness), bits_of(b.fitness));
  EXPECT_EQ(bits_of(a.descriptors.values()), bits_of(b.descriptors.values()));
  EXPECT_EQ(bits_of(a.perturbations), bits_of(b.perturbations));
  EXPECT_EQ(a.failed, b.failed);
}

// --- Requests ------------------------------------------------------------------------------------------------------

TEST(LocalEvaluator, AnswersInTheOrderOfTheRequest) {
  LocalEvaluator evaluator(std::make_shared<QuadraticTask>());
  EXPECT_EQ(evaluator.info().name, "quadratic");
  const SampleRequest request = request_of(7, 3, 2);
  const Evaluations out = evaluate(evaluator, request);
  ASSERT_EQ(out.fitness.size(), 14u);
  ASSERT_EQ(out.descriptors.rows(), 14u);
  EXPECT_EQ(out.descriptors.columns(), 2u);
  EXPECT_EQ(out.failed, 0u);
  EXPECT_THAT(out.perturbations, IsEmpty());
  for (std::size_t e = 0; e < 14; ++e) {
    EXPECT_EQ(out.descriptors(e, 0), request.centres(e / 2, 0));
    EXPECT_EQ(out.descriptors(e, 1), request.centres(e / 2, 1));
  }
  EXPECT_THAT(evaluator.first_error(), IsEmpty());
}

TEST(LocalEvaluator, AnswersARequestForNothing) {
  LocalEvaluator evaluator(std::make_shared<QuadraticTask>());
  Evaluations out = evaluate(evaluator, request_of(5, 3, 4));
  evaluator.evaluate(request_of(0, 3, 4), out);
  EXPECT_THAT(out.fitness, IsEmpty());
  EXPECT_EQ(out.descriptors.rows(), 0u);
}

TEST(LocalEvaluator, FitsItsAnswerToEachRequest) {
  LocalEvaluator evaluator(std::make_shared<QuadraticTask>());
  Evaluations out = evaluate(evaluator, request_of(100, 3, 40));
  evaluator.evaluate(request_of(2, 3, 3), out);
  expect_same_bytes(out, evaluate(evaluator, request_of(2, 3, 3)));
}

TEST(LocalEvaluator, RefusesARequestThatCannotBeMeant) {
  LocalEvaluator evaluator(std::make_shared<QuadraticTask>());
  const auto said = [&](const std::function<void(SampleRequest&)>& change) {
    SampleRequest request = request_of(2, 3, 4);
    change(request);
    return message_of([&] { evaluate(evaluator, request); });
  };
  EXPECT_THAT(said([](SampleRequest& r) { r.centres = Matrix(2, 5); }),
              AllOf(HasSubstr("genotype"), HasSubstr("3 parameters long for task 'quadratic'"), HasSubstr("got 5")));
  EXPECT_THAT(said([](SampleRequest& r) { r.ids = {1}; }),
              AllOf(HasSubstr("ids"), HasSubstr("one per centre"), HasSubstr("got 1")));
  EXPECT_THAT(said([](SampleRequest& r) { r.samples = 0; }),
              AllOf(HasSubstr("samples"), HasSubstr(">= 1"), HasSubstr("got 0")));
  for (const float odd : {-0.1f, kNaN, kInfinity}) {
    EXPECT_THAT(said([&](SampleRequest& r) { r.sigma = odd; }),
                AllOf(HasSubstr("sigma"), HasSubstr(">= 0 and finite")));
  }
  EXPECT_THAT(said([](SampleRequest& r) {
                r.mirrored = true;
                r.samples = 5;
              }),
              AllOf(HasSubstr("mirrored samples"), HasSubstr("even"), HasSubstr("got 5")));
}

// --- Failures ------------------------------------------------------------------------------------------------------

// Gives what it is told to, evaluation by evaluation.
class ScriptedTask : public QuadraticTask {
 public:
  ScriptedTask(std::vector<float> fitness, Matrix descriptors)
      : fitness_(std::move(fitness)), descriptors_(std::move(descriptors)) {}
  void evaluate(const SampleRequest&, std::size_t first, const EvaluationRows& out) const override {
    for (std::size_t i = 0; i < out.fitness.size(); ++i) {
      out.fitness[i] = fitness_[first + i];
      std::ranges::copy(descriptors_.row(first + i), out.descriptors.row(i).begin());
    }
  }

 private:
  std::vector<float> fitness_;
  Matrix descriptors_;
};

TEST(LocalEvaluator, MarksAndCountsEvaluationsThatAreNotFinite) {
  const std::vector<float> fitness = {1, kNaN, kInfinity, -kInfinity, 5, 6, 7, 8};
  const Matrix descriptors(8, 2, {0, 0, 0, 0, 0, 0, 0, 0, kNaN, 0, 0, kInfinity, -kInfinity, 0, 1, 2});
  LocalEvaluator evaluator(std::make_shared<ScriptedTask>(fitness, descriptors));
  const Evaluations out = evaluate(evaluator, request_of(8, 3, 1));
  EXPECT_EQ(out.failed, 6u);
  EXPECT_EQ(out.fitness[0], 1);
  EXPECT_EQ(out.fitness[7], 8);
  for (std::size_t e = 1; e < 7; ++e) EXPECT_TRUE(std::isnan(out.fitness[e])) << e;
  EXPECT_THAT(out.descriptors.row(7), ElementsAre(1, 2));
  EXPECT_THAT(evaluator.first_error(), IsEmpty());
}

TEST(LocalEvaluator, TakesTheLargestFloatsForFinite) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  LocalEvaluator evaluator(
      std::make_shared<ScriptedTask>(std::vector{kLargest, -kLargest}, Matrix(2, 2, {kLargest, -kLargest, 0, 1e-45f})));
  EXPECT_EQ(evaluate(evaluator, request_of(2, 3, 1)).failed, 0u);
}

TEST(LocalEvaluator, CountsFailuresAfreshForEachRequest) {
  QuadraticConfig config;
  config.failure_rate = 0.3;
  LocalEvaluator evaluator(std::make_shared<QuadraticTask>(config));
  SampleRequest request = request_of(50, 3, 40);
  for (int repetition = 0; repetition < 2; ++repetition) {
    const Evaluations out = evaluate(evaluator, request);
    std::size_t failed = 0;
    for (const float f : out.fitness) failed += std::isnan(f) ? 1 : 0;
    EXPECT_EQ(out.failed, failed);
    EXPECT_NEAR(static_cast<double>(failed) / 2000, 0.3, 0.05);
  }
}

TEST(LocalEvaluator, LosesOnlyTheSamplesThatThrow) {
  QuadraticConfig config;
  config.fitness_noise = 0.1f;
  const SampleRequest request = request_of(40, 3, 50);
  LocalEvaluator calm(std::make_shared<QuadraticTask>(config));
  const Evaluations expected = evaluate(calm, request);
  config.before = [](std::uint32_t id, std::size_t sample) {
    if ((id == 11 && sample == 3) || id == 30) throw std::runtime_error("no such id: " + std::to_string(id));
  };
  LocalEvaluator evaluator(std::make_shared<QuadraticTask>(config));
  const Evaluations out = evaluate(evaluator, request);
  EXPECT_EQ(out.failed, 51u);
  EXPECT_EQ(evaluator.first_error(), "no such id: 11");
  for (std::size_t e = 0; e < out.fitness.size(); ++e) {
    if (e == 11 * 50 + 3 || e / 50 == 30) {
      EXPECT_TRUE(std::isnan(out.fitness[e])) << e;
    } else {
      ASSERT_EQ(out.fitness[e], expected.fitness[e]) << e;
      ASSERT_EQ(out.descriptors(e, 1), expected.descriptors(e, 1)) << e;
    }
  }
}

TEST(LocalEvaluator, LosesOnlyTheMirroredPairsThatThrow) {
  QuadraticConfig config;
  SampleRequest request = request_of(30, 3, 50);
  request.mirrored = true;
  request.sigma = 0.1f;
  LocalEvaluator calm(std::make_shared<QuadraticTask>(config));
  const Evaluations expected = evaluate(calm, request);
  config.before = [](std::uint32_t id, std::size_t sample) {
    if (id == 20 && sample == 7) throw std::runtime_error("seven");
  };
  LocalEvaluator evaluator(std::make_shared<QuadraticTask>(config));
  const Evaluations out = evaluate(evaluator, request);
  for (std::size_t e = 0; e < out.fitness.size(); ++e) {
    if (e == 20 * 50 + 6 || e == 20 * 50 + 7) {
      EXPECT_TRUE(std::isnan(out.fitness[e])) << e;
    } else {
      ASSERT_EQ(out.fitness[e], expected.fitness[e]) << e;
    }
  }
  EXPECT_EQ(out.failed, 2u);
  EXPECT_EQ(evaluator.first_error(), "seven");
}

TEST(LocalEvaluator, KeepsTheFirstErrorOfItsLife) {
  QuadraticConfig config;
  config.before = [](std::uint32_t id, std::size_t) {
    if (id >= 100) throw std::runtime_error(std::to_string(id));
  };
  LocalEvaluator evaluator(std::make_shared<QuadraticTask>(config));
  SampleRequest request = request_of(2, 3, 1);
  evaluate(evaluator, request);
  EXPECT_THAT(evaluator.first_error(), IsEmpty());
  request.ids = {1, 300};
  evaluate(evaluator, request);
  request.ids = {200, 100};
  EXPECT_EQ(evaluate(evaluator, request).failed, 2u);
  EXPECT_EQ(evaluator.first_error(), "300");
}

TEST(LocalEvaluator, SurvivesATaskThatThrowsSomethingElseThanAnException) {
  QuadraticConfig config;
  config.before = [](std::uint32_t id, std::size_t sample) {
    if (id == 3 && sample == 1) throw 42;  // NOLINT(hicpp-exception-baseclass): that is the point
  };
  LocalEvaluator evaluator(std::make_shared<QuadraticTask>(config));
  const Evaluations out = evaluate(evaluator, request_of(6, 3, 2));
  EXPECT_EQ(out.failed, 1u);
  EXPECT_TRUE(std::isnan(out.fitness[3 * 2 + 1]));
  EXPECT_EQ(evaluator.first_error(), "unknown exception");
}

TEST(LocalEvaluator, SurvivesATaskThatAlwaysThrows) {
  QuadraticConfig config;
  config.before = [](std::uint32_t, std::size_t) { throw std::runtime_error("never"); };
  LocalEvaluator evaluator(std::make_shared<QuadraticTask>(config));
  const Evaluations out = evaluate(evaluator, request_of(600, 3, 2));
  EXPECT_EQ(out.failed, 1200u);
  for (const float f : out.fitness) ASSERT_TRUE(std::isnan(f));
  for (const float d : out.descriptors.values()) ASSERT_EQ(d, 0.0f);
}

// --- Threads -------------------------------------------------------------------------------------------------------

TEST(LocalEvaluator, GivesTheSameBytesForEveryNumberOfThreads) {
  QuadraticConfig config;
  config.fitness_noise = 0.1f;
  config.descriptor_noise = 0.1f;
  config.failure_rate = 0.05;
  config.before = [](std::uint32_t id, std::size_t sample) {
    if ((id + sample) % 97 == 0) throw std::runtime_error(std::to_string(id) + "/" + std::to_string(sample));
  };
  SampleRequest request = request_of(70, 3, 66);
  request.sigma = 0.2f;
  std::vector<Evaluations> first;
  std::string first_error;
  for_each_thread_count([&](std::size_t) {
    LocalEvaluator evaluator(std::make_shared<QuadraticTask>(config));
    const Evaluations out = evaluate(evaluator, request);
    if (first.empty()) {
      first.push_back(out);
      first_error = evaluator.first_error();
    }
    expect_same_bytes(out, first.front());
    EXPECT_EQ(evaluator.first_error(), first_error);
  });
  EXPECT_EQ(first_error, "0/0");
}

TEST(LocalEvaluator, RunsTheArmTheSameWithEveryNumberOfThreads) {
  for (const bool mirrored : {false, true}) {
    SampleRequest request = request_of(9, 8, 330);
    request.sigma = 0.01f;
    request.mirrored = mirrored;
    std::vector<Evaluations> first;
    for_each_thread_count([&](std::size_t) {
      LocalEvaluator evaluator(std::make_shared<Arm>());
      const Evaluations out = evaluate(evaluator, request);
      if (first.empty()) first.push_back(out);
      expect_same_bytes(out, first.front());
    });
    LocalEvaluator evaluator(std::make_shared<Arm>());
    request.key = Key(4);
    EXPECT_NE(evaluate(evaluator, request).fitness, first.front().fitness);
  }
}

TEST(LocalEvaluator, GivesACentreTheSameSamplesWhateverSharesTheRequest) {
  LocalEvaluator evaluator(std::make_shared<Arm>());
  SampleRequest request = request_of(9, 8, 330);
  request.sigma = 0.01f;
  request.mirrored = true;
  const Evaluations all = evaluate(evaluator, request);
  SampleRequest alone = request;
  alone.centres = Matrix(1, 8);
  std::ranges::copy(request.centres.row(5), alone.centres.row(0).begin());
  alone.ids = {5};
  EXPECT_EQ(bits_of(evaluate(evaluator, alone).fitness), bits_of(std::span(all.fitness).subspan(5 * 330, 330)));
}

// --- Centre by centre ----------------------------------------------------------------------------------------------

// What `evaluate_each` hands over, put together again.
Evaluations evaluate_each(Evaluator& evaluator, const SampleRequest& request) {
  Evaluations out;
  const std::size_t centres = request.centres.rows();
  std::vector<Evaluations> parts(centres);
  std::vector<std::atomic<int>> calls(centres);
  out.failed = evaluator.evaluate_each(request, [&](std::size_t i, const CentreEvaluations& of) {
    ++calls[i];
    parts[i].fitness.assign(of.fitness.begin(), of.fitness.end());
    parts[i].perturbations.assign(of.perturbations.begin(), of.perturbations.end());
    for (std::size_t row = 0; row < of.descriptors.rows(); ++row)
      parts[i].descriptors.append_row(of.descriptors.row(row));
  });
  for (std::size_t i = 0; i < centres; ++i) {
    EXPECT_EQ(calls[i], 1) << "centre " << i;
    out.fitness.insert(out.fitness.end(), parts[i].fitness.begin(), parts[i].fitness.end());
    out.perturbations.insert(out.perturbations.end(), parts[i].perturbations.begin(), parts[i].perturbations.end());
    for (std::size_t row = 0; row < request.samples; ++row) out.descriptors.append_row(parts[i].descriptors.row(row));
  }
  return out;
}

TEST(LocalEvaluator, HandsOverTheSameCentreByCentre) {
  QuadraticConfig config;
  config.failure_rate = 0.1;
  config.fails_in_many_ways = true;
  for (const bool keep : {false, true}) {
    SampleRequest arm_request = request_of(9, 8, 330);
    arm_request.sigma = 0.01f;
    arm_request.mirrored = true;
    arm_request.keep_perturbations = keep;
    SampleRequest quadratic_request = request_of(9, 3, 50);
    quadratic_request.keep_perturbations = keep;
    for_each_thread_count([&](std::size_t) {
      LocalEvaluator arm(std::make_shared<Arm>());
      expect_same_bytes(evaluate_each(arm, arm_request), evaluate(arm, arm_request));
      LocalEvaluator quadratic(std::make_shared<QuadraticTask>(config));
      const Evaluations whole = evaluate(quadratic, quadratic_request);
      EXPECT_GT(whole.failed, 0u);
      expect_same_bytes(evaluate_each(quadratic, quadratic_request), whole);
    });
  }
}

// An arm that fails and throws where it is told to.
class FragileArm : public Arm {
 public:
  void evaluate(const SampleRequest& request, std::size_t first, const EvaluationRows& out) const override {
    Arm::evaluate(request, first, out);
    for (std::size_t i = 0; i < out.fitness.size(); ++i) {
      const std::uint32_t id = request.ids[(first + i) / request.samples];
      const std::size_t sample = (first + i) % request.samples;
      if (id % 3 == 1 && sample == 8) throw std::runtime_error("arm " + std::to_string(id));
      if (id % 3 == 2 && sample == 5) out.fitness[i] = kNaN;
    }
  }
};

TEST(LocalEvaluator, LosesTheSameCentreByCentre) {
  SampleRequest request = request_of(20, 8, 32);
  request.sigma = 0.01f;
  request.mirrored = true;
  request.keep_perturbations = true;
  for_each_thread_count([&](std::size_t) {
    LocalEvaluator whole(std::make_shared<FragileArm>());
    LocalEvaluator parted(std::make_shared<FragileArm>());
    const Evaluations expected = evaluate(whole, request);
    EXPECT_EQ(expected.failed, 7u * 2 + 6u);
    expect_same_bytes(evaluate_each(parted, request), expected);
    EXPECT_EQ(parted.first_error(), "arm 1");
  });
}

TEST(LocalEvaluator, StopsBetweenCentres) {
  SampleRequest request = request_of(20, 8, 32);
  request.sigma = 0.01f;
  request.mirrored = true;
  request.keep_perturbations = true;
  std::atomic<int> used = 0;
  const auto use = [&](std::size_t, const CentreEvaluations&) { ++used; };
  LocalEvaluator evaluator(std::make_shared<Arm>(), [&] { return used >= 5; });
  EXPECT_THROW(evaluator.evaluate_each(request, use), EvaluationStopped);
  EXPECT_GE(used, 5);
  EXPECT_LT(used, 20);
}

// --- Kept noise ----------------------------------------------------------------------------------------------------

// Also where the work is cut in the middle of a centre whose pairs are no multiple of anything.
TEST(LocalEvaluator, HandsBackTheNoiseOfMirroredSamplesWhereItIsAskedFor) {
  constexpr std::size_t kJoints = 8;
  for_each_simd_target([](bool fused) {
    for (const std::size_t pairs : {1u, 16u, 33u, 100u, 256u, 300u}) {
      LocalEvaluator evaluator(std::make_shared<Arm>());
      SampleRequest request = request_of(7, kJoints, 2 * pairs);
      request.sigma = 0.01f;
      request.mirrored = true;
      request.keep_perturbations = true;
      const Evaluations out = evaluate(evaluator, request);
      const std::size_t per_centre = kept_perturbations(pairs, kJoints);
      ASSERT_EQ(out.perturbations.size(), 7 * per_centre);
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < 7; ++i) {
        for (std::size_t p = 0; p < pairs; ++p) {
          for (std::size_t j = 0; j < kJoints; ++j) {
            const float expected = normal(request.key, Purpose::kPerturbation, request.ids[i],
                                          static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(j));
            const float got = out.perturbations[i * per_centre + (p / 16 * kJoints + j) * 16 + p % 16];
            wrong += std::abs(got - expected) <= (fused ? 0 : 2e-6f) ? 0 : 1;
          }
        }
      }
      EXPECT_EQ(wrong, 0u) << pairs << " pairs";
    }
  });
}

TEST(LocalEvaluator, HandsBackNoNoiseThatWasNotAskedForOrDoesNotExist) {
  LocalEvaluator evaluator(std::make_shared<Arm>());
  SampleRequest request = request_of(2, 8, 32);
  request.sigma = 0.01f;
  request.mirrored = true;
  EXPECT_THAT(evaluate(evaluator, request).perturbations, IsEmpty());
  request.keep_perturbations = true;
  Evaluations out = evaluate(evaluator, request);
  EXPECT_EQ(out.perturbations.size(), 2 * kept_perturbations(16, 8));
  request.mirrored = false;
  evaluator.evaluate(request, out);
  EXPECT_THAT(out.perturbations, IsEmpty());
  // a task that does not keep it
  LocalEvaluator other(std::make_shared<QuadraticTask>());
  SampleRequest plain = request_of(2, 3, 32);
  plain.sigma = 0.01f;
  plain.mirrored = plain.keep_perturbations = true;
  EXPECT_THAT(evaluate(other, plain).perturbations, IsEmpty());
}

TEST(LocalEvaluator, HandsBackTransitionsInTheOrderOfTheEvaluations) {
  WalkerConfig config;
  config.episode_length = 20;
  config.hidden = {4};
  const auto walker = make_walker(config);
  SampleRequest request = request_of(0, walker->info().parameters, 1);
  request.centres.resize(70, walker->info().parameters);
  for (std::uint32_t i = 0; i < 70; ++i) {
    request.ids.push_back(i);
    walker->initial_genotype(Key(2), i, request.centres.row(i));
  }
  request.centres(33, 0) = kNaN;
  LocalEvaluator evaluator(walker);
  EXPECT_THAT(evaluate(evaluator, request).episodes, IsEmpty()) << "not asked for";
  request.transitions = true;
  const Evaluations expected = evaluate(evaluator, request);
  ASSERT_EQ(expected.episodes.size(), 70u);
  EXPECT_EQ(expected.failed, 1u);
  for (std::size_t e = 0; e < 70; ++e) {
    float sum = 0;
    for (const float reward : expected.episodes[e].rewards) sum += reward;
    if (e == 33) {
      EXPECT_EQ(expected.episodes[e].size(), 0u) << "nothing is learnt from a failure";
    } else {
      EXPECT_FLOAT_EQ(sum, expected.fitness[e]) << e;
    }
  }
  for_each_thread_count([&](std::size_t) { EXPECT_TRUE(evaluate(evaluator, request).episodes == expected.episodes); });
}

TEST(LocalEvaluator, RefusesTransitionsOfATaskWithoutPolicies) {
  LocalEvaluator evaluator(std::make_shared<Arm>());
  SampleRequest request = request_of(1, 8, 1);
  request.transitions = true;
  EXPECT_THAT(message_of([&] { evaluate(evaluator, request); }), AllOf(HasSubstr("policies"), HasSubstr("arm")));
}

TEST(LocalEvaluator, StopsBetweenBlocksWhenToldToAndAnswersTheSameAfterwards) {
  std::atomic<bool> stop = false;
  std::atomic<std::size_t> evaluated = 0;
  QuadraticConfig config;
  config.before = [&](std::uint32_t, std::size_t) {
    ++evaluated;
    if (evaluated == 3000) stop = true;
  };
  LocalEvaluator evaluator(std::make_shared<QuadraticTask>(config), [&] { return stop.load(); });
  const SampleRequest request = request_of(1000, 3, 100);
  Evaluations out;
  EXPECT_THROW(evaluator.evaluate(request, out), EvaluationStopped);
  EXPECT_LT(evaluated, 50'000u);
  stop = false;
  LocalEvaluator unbothered(std::make_shared<QuadraticTask>());
  expect_same_bytes(evaluate(evaluator, request), evaluate(unbothered, request));
}

}  // namespace
}  // namespace aria
