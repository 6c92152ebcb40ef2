#include "aria/core/settings.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "aria/core/nearest_name.hpp"
#include "aria/core/require.hpp"

namespace aria {

namespace {

std::string quoted(std::string_view text) { return fmt::format("'{}'", text); }

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// Lists are written 32,32 or 32x32, or in brackets as a configuration file has them: [32, 32]; [] has no elements.
// Spaces may stand around an element, not in it.
std::vector<std::size_t> parse_counts(std::string_view name, std::string_view text) {
  std::string_view list = trimmed(text);
  const bool brackets = list.starts_with('[') && list.ends_with(']');
  if (brackets) list = trimmed(list.substr(1, list.size() - 2));
  std::vector<std::size_t> result;
  if (brackets && list.empty()) return result;
  require(!list.empty(), name, "whole numbers with commas between them, or [] for none", "nothing");
  std::size_t begin = 0;
  while (begin <= list.size()) {
    const std::size_t end = std::min(list.find_first_of(",x", begin), list.size());
    result.push_back(parse_count(name, trimmed(list.substr(begin, end - begin))));
    begin = end + 1;
  }
  return result;
}

}  // namespace

double parse_number(std::string_view name, std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  require(error == std::errc() && end == text.data() + text.size() && std::isfinite(value), name, "a finite number",
          quoted(text));
  return value;
}

std::size_t parse_count(std::string_view name, std::string_view text) {
  constexpr std::string_view kRule = "a whole number from 0 to 2^53";
  std::string digits(text);
  std::erase(digits, '_');
  double value = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  require(error == std::errc() && end == digits.data() + digits.size() && value >= 0 && value <= 0x1p53 &&
              value == std::floor(value),
          name, kRule, quoted(text));
  return static_cast<std::size_t>(value);
}

void SettingTable::add(const std::string& name, std::size_t& field, std::string meaning) {
  entries_.push_back({name,
                      std::move(meaning),
                      Kind::kInteger,
                      {},
                      [&field] { return fmt::format("{}", field); },
                      [&field, name](std::string_view text) { field = parse_count(name, text); }});
}

void SettingTable::add(const std::string& name, double& field, std::string meaning) {
  entries_.push_back({name,
                      std::move(meaning),
                      Kind::kNumber,
                      {},
                      [&field] { return fmt::format("{}", field); },
                      [&field, name](std::string_view text) { field = parse_number(name, text); }});
}

void SettingTable::add(const std::string& name, std::vector<std::size_t>& field, std::string meaning) {
  entries_.push_back({name,
                      std::move(meaning),
                      Kind::kIntegers,
                      {},
                      [&field] { return fmt::format("[{}]", fmt::join(field, ", ")); },
                      [&field, name](std::string_view text) { field = parse_counts(name, text); }});
}

void SettingTable::add(const std::string& name, std::string& field, std::string meaning,
                       const std::vector<std::string>& choices) {
  entries_.push_back({name, std::move(meaning), Kind::kText, choices, [&field] { return field; },
                      [&field, name, choices](std::string_view text) {
                        require(std::ranges::find(choices, text) != choices.end(), name,
                                fmt::format("one of {}", fmt::join(choices, ", ")), quoted(text));
                        field = text;
                      }});
}

bool SettingTable::contains(std::string_view name) const {
  return std::ranges::any_of(entries_, [&](const Entry& entry) { return entry.name == name; });
}

void SettingTable::set(std::string_view name, std::string_view text) {
  const auto entry = std::ranges::find(entries_, name, &Entry::name);
  if (entry == entries_.end()) throw_unknown("setting", name, names());
  entry->set(text);
}

std::vector<std::string> SettingTable::names() const {
  std::vector<std::string> result;
  for (const Entry& entry : entries_) result.push_back(entry.name);
  return result;
}

}  // namespace aria
