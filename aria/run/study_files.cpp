#include "aria/run/study_files.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "aria/persistence/atomic_file.hpp"
#include "aria/run/folder_files.hpp"

namespace aria {

namespace {

// Keys stay in the order in which they are written.
using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;

Json to_array(const Range& range) { return Json::array({range.lower, range.upper}); }

Json to_object(const ScoreRanges& ranges) {
  return {{"fitness", to_array(ranges.fitness)}, {"negative_variance", to_array(ranges.negative_variance)}};
}

Json to_object(const Quartiles& figure) {
  return {{"median", figure.median}, {"lower", figure.lower}, {"upper", figure.upper}};
}

Json to_object(const StudyRun& run) {
  Json metrics = Json::object();
  for (std::size_t i = 0; i < run.metrics.size(); ++i) {
    metrics[study_metrics()[i].key] = run.metrics[i] ? Json(*run.metrics[i]) : Json(nullptr);
  }
  return {{"seed", run.seed},
          {"folder", run.folder},
          {"evaluations", run.evaluations},
          {"seconds", run.seconds},
          {"metrics", metrics}};
}

Json to_object(const StudyAlgorithm& algorithm) {
  Json object;
  object["name"] = algorithm.name;
  object["label"] = algorithm.label;
  object["runs"] = Json::array();
  for (const StudyRun& run : algorithm.runs) object["runs"].push_back(to_object(run));
  object["summary"] = Json::object();
  for (std::size_t i = 0; i < algorithm.summary.size(); ++i) {
    if (algorithm.summary[i]) object["summary"][study_metrics()[i].key] = to_object(*algorithm.summary[i]);
  }
  object["published"] = nullptr;
  if (algorithm.published) {
    object["published"] = {{"qd_score", algorithm.published->qd_score},
                           {"v_score", algorithm.published->v_score},
                           {"p_score", algorithm.published->p_score}};
  }
  object["profile"] = {
      {"median", algorithm.profile.median}, {"lower", algorithm.profile.lower}, {"upper", algorithm.profile.upper}};
  object["median_run"] = algorithm.median_run;
  return object;
}

Json to_object(const StudyTest& test) {
  return {{"metric", test.metric},
          {"a", test.a},
          {"b", test.b},
          {"statistic", test.result.statistic},
          {"p", test.result.p},
          {"p_holm", test.p_holm},
          {"method", test.result.method == RankSum::Method::kExact ? "exact" : "normal"}};
}

}  // namespace

std::string study_json(const StudyData& data) {
  Json object;
  object["format"] = kFormat;
  object["task"] = data.task;
  object["preset"] = data.preset;
  object["seed"] = data.seed;
  object["replications"] = data.replications;
  object["reevaluations"] = data.reevaluations;
  object["metrics"] = Json::array();
  for (const StudyMetric& metric : study_metrics()) {
    object["metrics"].push_back(
        {{"key", metric.key}, {"label", metric.label}, {"higher_is_better", metric.higher_is_better}});
  }
  object["algorithms"] = Json::array();
  for (const StudyAlgorithm& algorithm : data.algorithms) object["algorithms"].push_back(to_object(algorithm));
  object["ranges"] = to_object(data.ranges);
  object["fixed_ranges"] = to_object(data.fixed_ranges);
  object["thresholds"] = data.thresholds;
  object["tests"] = Json::array();
  for (const StudyTest& test : data.tests) object["tests"].push_back(to_object(test));
  return object.dump(1) + "\n";
}

std::string study_csv(const StudyData& data) {
  std::string text = "algorithm,metric,runs,median,lower_quartile,upper_quartile,published,difference\n";
  for (const StudyAlgorithm& algorithm : data.algorithms) {
    for (std::size_t i = 0; i < algorithm.summary.size(); ++i) {
      if (!algorithm.summary[i]) continue;
      const std::string& key = study_metrics()[i].key;
      const auto [median, lower, upper] = *algorithm.summary[i];
      const auto runs = std::ranges::count_if(algorithm.runs, [&](const StudyRun& run) { return !!run.metrics[i]; });
      const auto published = published_figure(algorithm, key);
      text += fmt::format("{},{},{},{},{},{},{},{}\n", algorithm.name, key, runs, median, lower, upper,
                          published ? fmt::format("{}", *published) : "",
                          published ? fmt::format("{}", median - *published) : "");
    }
  }
  return text;
}

std::string runs_csv(const StudyData& data) {
  std::string text = "algorithm,seed,metric,value\n";
  for (const StudyAlgorithm& algorithm : data.algorithms) {
    for (const StudyRun& run : algorithm.runs) {
      for (std::size_t i = 0; i < run.metrics.size(); ++i) {
        if (!run.metrics[i]) continue;
        text += fmt::format("{},{},{},{}\n", algorithm.name, run.seed, study_metrics()[i].key, *run.metrics[i]);
      }
    }
  }
  return text;
}

void write_if_changed(const std::filesystem::path& path, const std::string& text) {
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error) && read_file(path) == text) return;
  write_file_atomically(path, text);
}

void write_study_files(const std::filesystem::path& folder, const std::string& json, const StudyData& data) {
  write_if_changed(folder / "study.json", json);
  write_if_changed(folder / "study.csv", study_csv(data));
  write_if_changed(folder / "runs.csv", runs_csv(data));
}

}  // namespace aria
