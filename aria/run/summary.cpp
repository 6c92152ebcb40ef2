#include "aria/run/summary.hpp"

#include <nlohmann/json.hpp>

#include "aria/core/require.hpp"
#include "aria/metrics/scores_json-inl.h"
#include "aria/persistence/checksum.hpp"
#include "aria/persistence/file_error.hpp"
#include "aria/persistence/json_text-inl.h"

namespace aria {

namespace {

// Keys stay in the order in which they are written.
using Json = nlohmann::ordered_json;

std::optional<double> optional_number(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return std::nullopt;
  return found->get<double>();
}

std::optional<ArchiveScores> parse_scores(const Json& object) {
  if (object.is_null()) return std::nullopt;
  ArchiveScores scores;
  scores.cells = object.at("cells").get<std::size_t>();
  scores.coverage = object.at("coverage").get<double>();
  scores.qd_score = object.at("qd_score").get<double>();
  scores.max_fitness = optional_number(object, "max_fitness");
  scores.p_score = optional_number(object, "p_score");
  scores.p_margin = optional_number(object, "p_score_margin");
  scores.v_score = optional_number(object, "v_score");
  return scores;
}

Json to_array(const Range& range) { return Json::array({range.lower, range.upper}); }

Range parse_range(const Json& array) { return {array.at(0).get<double>(), array.at(1).get<double>()}; }

// A task may say anything: what is not UTF-8 is replaced, not thrown over.
std::string text_of(const Json& object) { return object.dump(2, ' ', false, Json::error_handler_t::replace); }

std::string checksum_of(const Json& object) {
  Checksum sum;
  sum.add(text_of(object));
  return fmt::format("{:016x}", sum.value());
}

// Of everything before it; summaries of before there was one have none.
void check_checksum(Json object) {
  const auto found = object.find("checksum");
  if (found == object.end()) return;
  const auto expected = found->get<std::string>();
  object.erase("checksum");
  const std::string got = checksum_of(object);
  require(got == expected, "the checksum of the summary", fmt::format("{}, as it says", printable(expected)), got);
}

}  // namespace

std::string RunSummary::to_json() const {
  Json object;
  object["task"] = task;
  object["algorithm"] = algorithm.empty() ? Json(nullptr) : Json(algorithm);
  object["seed"] = seed;
  if (use_symmetry) object["use_symmetry"] = true;
  object["evaluations"] = evaluations;
  object["failed_evaluations"] = failed;
  object["seconds"] = seconds;
  object["evaluations_per_second"] = seconds > 0 ? static_cast<double>(evaluations) / seconds : 0.0;
  object["cells_in_all"] = cells_in_all;
  object["illusory"] = scores_object(result.illusory);
  object["corrected"] = scores_object(result.corrected);
  if (initial) {
    object["initial"] = {{"illusory", scores_object(initial->illusory)},
                         {"corrected", scores_object(initial->corrected)}};
  }
  object["ranges"] = {{"fitness", to_array(ranges.fitness)}, {"negative_variance", to_array(ranges.negative_variance)}};
  object["reevaluations"] = reevaluations;
  object["failed_reevaluations"] = failed_reevaluations;
  object["reevaluation_seconds"] = reevaluation_seconds;
  if (!first_error.empty()) object["first_error"] = first_error;
  if (!files.empty()) {
    object["files"] = files;
    object["checksum"] = checksum_of(object);
  }
  return text_of(object) + "\n";
}

RunSummary parse_summary(const std::string& json) {
  try {
    const Json object = parse_json(json);
    RunSummary summary;
    summary.task = object.at("task").get<std::string>();
    if (!object.at("algorithm").is_null()) summary.algorithm = object.at("algorithm").get<std::string>();
    summary.seed = object.at("seed").get<std::uint64_t>();
    summary.use_symmetry = object.value("use_symmetry", false);
    summary.evaluations = object.at("evaluations").get<std::size_t>();
    summary.failed = object.at("failed_evaluations").get<std::size_t>();
    summary.seconds = object.at("seconds").get<double>();
    summary.cells_in_all = object.at("cells_in_all").get<std::size_t>();
    summary.result = {parse_scores(object.at("illusory")), parse_scores(object.at("corrected"))};
    if (object.contains("initial")) {
      summary.initial = BeforeAndAfter{parse_scores(object["initial"].at("illusory")),
                                       parse_scores(object["initial"].at("corrected"))};
    }
    summary.ranges = {parse_range(object.at("ranges").at("fitness")),
                      parse_range(object.at("ranges").at("negative_variance"))};
    summary.reevaluations = object.at("reevaluations").get<std::size_t>();
    summary.failed_reevaluations = object.at("failed_reevaluations").get<std::size_t>();
    summary.reevaluation_seconds = object.at("reevaluation_seconds").get<double>();
    summary.first_error = object.value("first_error", "");
    if (object.contains("files")) summary.files = object["files"].get<std::map<std::string, std::string>>();
    check_checksum(object);
    return summary;
  } catch (const nlohmann::json::exception& error) {
    throw InputError(fmt::format("the summary must be what 'aria run' wrote: {}", error.what()));
  }
}

}  // namespace aria
