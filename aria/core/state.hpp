// What an algorithm hands over to be continued later: named arrays, nothing else. Files are made of it elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace aria {

struct StateArray {
  std::vector<std::size_t> shape;  // row-major; the product is the number of values
  std::variant<std::vector<float>, std::vector<double>, std::vector<std::int64_t>, std::vector<std::uint32_t>> values;

  friend bool operator==(const StateArray&, const StateArray&) = default;
};

// Every `get` checks that the array is there with the right type and size: a state comes from a file.
class State {
 public:
  void put(const std::string& name, std::int64_t value);
  template <class T>
  void put(const std::string& name, const std::vector<T>& values) {
    arrays_[name] = StateArray{{values.size()}, values};
  }

  std::int64_t get_integer(const std::string& name) const;
  template <class T>
  const std::vector<T>& get(const std::string& name, std::size_t size) const;
  template <class T>
  const std::vector<T>& get(const std::string& name) const;

  // Puts every array of `part` under `prefix` + its name. `part(prefix)` gives them back, `take_part(prefix)` without
  // a copy: what a learner remembers may fill much of the memory.
  void put_part(const std::string& prefix, State&& part);
  State part(const std::string& prefix) const;
  State take_part(const std::string& prefix);

  bool contains(const std::string& name) const { return arrays_.contains(name); }
  const std::map<std::string, StateArray>& arrays() const { return arrays_; }
  std::map<std::string, StateArray>& arrays() { return arrays_; }

  friend bool operator==(const State&, const State&) = default;

 private:
  std::map<std::string, StateArray> arrays_;
};

}  // namespace aria
