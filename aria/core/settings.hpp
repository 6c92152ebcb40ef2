// Settings by name, bound to the fields of a config struct: one list serves the command line, configuration files,
// `aria tasks` and the record of a run.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace aria {

class SettingTable {
 public:
  enum class Kind { kInteger, kNumber, kText, kIntegers };

  struct Entry {
    std::string name;
    std::string meaning;
    Kind kind;
    std::vector<std::string> choices;  // of a text setting
    std::function<std::string()> get;
    std::function<void(std::string_view)> set;
  };

  // The fields must outlive the table. Their present values are the defaults that a listing shows.
  void add(const std::string& name, std::size_t& field, std::string meaning);
  void add(const std::string& name, double& field, std::string meaning);
  void add(const std::string& name, std::vector<std::size_t>& field, std::string meaning);
  void add(const std::string& name, std::string& field, std::string meaning, const std::vector<std::string>& choices);

  bool contains(std::string_view name) const;
  // Parses and stores a value; an InputError names the setting and the rule that the text breaks.
  void set(std::string_view name, std::string_view text);

  const std::vector<Entry>& entries() const { return entries_; }
  std::vector<std::string> names() const;

 private:
  std::vector<Entry> entries_;
};

// A whole number, also in forms such as 2e6 or 1_000_000.
std::size_t parse_count(std::string_view name, std::string_view text);
double parse_number(std::string_view name, std::string_view text);

}  // namespace aria
