// Scores as JSON, as summary.json and the report hold them. For .cpp files only: no header lets JSON out.
#pragma once

#include <optional>

#include <nlohmann/json.hpp>

#include "aria/metrics/scores.hpp"

namespace aria {

inline nlohmann::ordered_json scores_object(const std::optional<ArchiveScores>& scores) {
  if (!scores) return nullptr;
  nlohmann::ordered_json object;
  object["cells"] = scores->cells;
  object["coverage"] = scores->coverage;
  object["qd_score"] = scores->qd_score;
  object["max_fitness"] = nullptr;
  if (scores->max_fitness) object["max_fitness"] = *scores->max_fitness;
  if (scores->p_score) object["p_score"] = *scores->p_score;
  if (scores->p_margin) object["p_score_margin"] = *scores->p_margin;
  if (scores->v_score) object["v_score"] = *scores->v_score;
  return object;
}

}  // namespace aria
