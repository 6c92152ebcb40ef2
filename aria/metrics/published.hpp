// The results that the paper printed: what a study is held against.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace aria {

// Medians of 10 replications.
struct PublishedScores {
  double qd_score = 0;
  double v_score = 0;
  double p_score = 0;
};

// By the names that tasks and algorithms have here; nothing where the paper has no figure.
std::optional<PublishedScores> published_scores(std::string_view task, std::string_view algorithm);

// What one ARIA run took; the baselines had as many evaluations.
struct PublishedCost {
  double evaluations = 0;
  double seconds = 0;  // on one RTX A6000
};
std::optional<PublishedCost> published_cost(std::string_view task);

// The name of an algorithm as the paper writes it; one that it does not know keeps its own.
std::string published_name(std::string_view algorithm);

}  // namespace aria
