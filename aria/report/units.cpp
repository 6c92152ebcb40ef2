#include "aria/report/units.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <iterator>

namespace aria {

namespace {

constexpr std::string_view kUnknown = "?";
constexpr double kMinute = 60;       // s
constexpr double kHour = 3600;       // s
constexpr double kDay = 24 * kHour;  // s

// Rounds to three digits before anything is decided by the size: 999.9 k is written as 1.00 M.
double rounded_to_three_digits(double value) {
  if (value == 0) return 0;
  const double step = std::pow(10, std::floor(std::log10(std::abs(value))) - 2);
  return step >= 1 ? std::round(value / step) * step : std::round(value * std::round(1 / step)) / std::round(1 / step);
}

// Two units, the smaller with two digits; the smaller is counted in whole.
std::string two_units(double seconds, double large, std::string_view large_name, double small,
                      std::string_view small_name) {
  const auto total = std::llround(seconds / small);
  const auto per_large = std::llround(large / small);
  return fmt::format("{} {} {:02} {}", total / per_large, large_name, total % per_large, small_name);
}

}  // namespace

std::string human_count(double count) {
  if (!std::isfinite(count)) return std::string(kUnknown);
  constexpr std::string_view kPrefixes[] = {"", " k", " M", " G", " T", " P", " E"};
  double value = rounded_to_three_digits(count);
  if (std::abs(value) < 1000 && value == std::round(value)) return fmt::format("{:.0f}", value == 0 ? 0 : value);
  std::size_t prefix = 0;
  while (std::abs(value) >= 1000 && prefix + 1 < std::size(kPrefixes)) {
    value /= 1000;
    ++prefix;
  }
  const double size = std::abs(value);
  const int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f}{}", value, decimals, kPrefixes[prefix]);
}

std::string human_duration(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return std::string(kUnknown);
  // each limit is where the number would round up to the next unit
  if (seconds == 0) return "0 s";
  if (seconds < 0.0005) return "< 1 ms";
  if (seconds < 0.9995) return fmt::format("{:.0f} ms", seconds * 1000);
  if (seconds < kMinute - 0.05) return fmt::format("{:.1f} s", seconds);
  if (seconds < kHour - 0.5) return two_units(seconds, kMinute, "min", 1, "s");
  if (seconds < kDay - kMinute / 2) return two_units(seconds, kHour, "h", kMinute, "min");
  return two_units(seconds, kDay, "d", kHour, "h");
}

std::string human_rate(double per_second, std::string_view unit) {
  const bool slow = per_second > 0 && per_second < 1;
  const bool very_slow = slow && per_second * kMinute < 1;
  const double rate = very_slow ? per_second * kHour : slow ? per_second * kMinute : per_second;
  const std::string_view time = very_slow ? "h" : slow ? "min" : "s";
  return fmt::format("{}{}{}/{}", human_count(rate), unit.empty() ? "" : " ", unit, time);
}

}  // namespace aria
