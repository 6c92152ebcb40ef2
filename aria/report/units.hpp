// Numbers for people: counts, durations and rates with three or so digits and a unit.
#pragma once

#include <string>
#include <string_view>

namespace aria {

// 812, 1.54 k, 2.00 M, 423 M.
std::string human_count(double count);

// 850 ms, 4.2 s, 3 min 05 s, 2 h 10 min, 3 d 04 h.
std::string human_duration(double seconds);

// 423 k evaluations/s; what is slower than one a second is told per minute or hour.
std::string human_rate(double per_second, std::string_view unit);

}  // namespace aria
