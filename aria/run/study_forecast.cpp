#include "aria/run/study_forecast.hpp"

#include <algorithm>

namespace aria {

namespace {

constexpr double kLeastShare = 0.02;  // of a run from which the rest of it can be guessed

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
    const double gained = run.share - run.from;
    if (finished_.contains(run.algorithm) || gained < kLeastShare) continue;
    known[run.algorithm].seconds += run.seconds / gained;
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
    const double gained = run.share - run.from;
    const double by_share = gained < kLeastShare ? 0 : run.seconds / gained * (1 - run.share);
    const bool others = gained < kLeastShare || finished_.contains(run.algorithm);
    work += std::max({by_share, run.metrics, others ? expected(run.algorithm) * (1 - run.from) - run.seconds : 0});
  }
  for (const std::string& algorithm : waiting) work += expected(algorithm);
  // runs that are the last ones share the threads that have nothing else to do
  return work / static_cast<double>(std::max<std::size_t>(1, std::min(lanes, running.size() + waiting.size())));
}

}  // namespace aria
