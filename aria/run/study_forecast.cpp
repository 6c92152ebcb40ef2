#include "aria/run/study_forecast.hpp"

#include <algorithm>

namespace aria {

namespace {

constexpr double kLeastShare = 0.02;  // of a run from which the rest of it can be guessed

// Nothing while too little of it was seen.
std::optional<double> seconds_of_all(const StudyForecast::Running& run) {
  const double gained = run.share - run.from;
  if (gained < kLeastShare) return std::nullopt;
  return (run.seconds - run.before) / gained;
}

}  // namespace

void StudyForecast::finished(const std::string& algorithm, double seconds) {
  finished_[algorithm].seconds += seconds;
  ++finished_[algorithm].runs;
}

std::optional<double> StudyForecast::seconds_left(const std::vector<Running>& running,
                                                  const std::vector<std::string>& waiting, std::size_t lanes) const {
  // What a run of each algorithm takes: as its finished ones did, else as one that is under way suggests
  std::map<std::string, Sum> known = finished_;
  for (const Running& run : running) {
    const std::optional<double> all = seconds_of_all(run);
    if (finished_.contains(run.algorithm) || !all) continue;
    known[run.algorithm].seconds += run.before + *all;
    ++known[run.algorithm].runs;
  }
  if (known.empty()) return std::nullopt;
  // an algorithm of which nothing is known is taken for an average one
  double average = 0;
  for (const auto& [algorithm, sum] : known) average += sum.mean() / static_cast<double>(known.size());
  const auto expected = [&](const std::string& algorithm) {
    const auto found = known.find(algorithm);
    return found == known.end() ? average : found->second.mean();
  };

  double work = 0;
  for (const Running& run : running) {
    // the share does not count the metrics, which come last; what others took does, and so does what they look like
    const std::optional<double> all = seconds_of_all(run);
    const double by_share = all.value_or(0) * (1 - run.share);
    const bool others = !all || finished_.contains(run.algorithm);
    work += std::max({by_share, run.stage_left, others ? expected(run.algorithm) * (1 - run.from) - run.seconds : 0});
  }
  for (const std::string& algorithm : waiting) work += expected(algorithm);
  // runs that are the last ones share the threads that have nothing else to do
  return work / static_cast<double>(std::max<std::size_t>(1, std::min(lanes, running.size() + waiting.size())));
}

}  // namespace aria
