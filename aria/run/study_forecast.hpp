// How long a study will still take, from what its runs took so far.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace aria {

class StudyForecast {
 public:
  struct Running {
    std::string algorithm;
    double seconds = 0;     // since it began
    double share = 0;       // of its evaluations that is done
    double from = 0;        // that was done when it began to go at its own rate: it may be continued
    double stage_left = 0;  // seconds that its metrics, or a first phase with a rate of its own, will still take
    double before = 0;      // seconds of those above that went into such a phase
  };

  void finished(const std::string& algorithm, double seconds);

  // Nothing while there is too little to go by. `waiting` names the algorithm of every run that has not begun; `lanes`
  // runs are under way at a time.
  std::optional<double> seconds_left(const std::vector<Running>& running, const std::vector<std::string>& waiting,
                                     std::size_t lanes) const;

 private:
  struct Sum {
    double seconds = 0;
    std::size_t runs = 0;
    double mean() const { return seconds / static_cast<double>(runs); }
  };
  std::map<std::string, Sum> finished_;
};

}  // namespace aria
