#include "aria/core/state.hpp"

#include <utility>

#include "aria/core/require.hpp"

namespace aria {

void State::put(const std::string& name, std::int64_t value) {
  arrays_[name] = StateArray{{1}, std::vector<std::int64_t>{value}};
}

std::int64_t State::get_integer(const std::string& name) const { return get<std::int64_t>(name, 1).front(); }

template <class T>
const std::vector<T>& State::get(const std::string& name) const {
  const auto found = arrays_.find(name);
  if (found == arrays_.end()) throw InputError(fmt::format("the saved state must hold '{}', which is missing", name));
  const auto* values = std::get_if<std::vector<T>>(&found->second.values);
  if (values == nullptr) throw InputError(fmt::format("'{}' of the saved state has the wrong type", name));
  return *values;
}

template <class T>
const std::vector<T>& State::get(const std::string& name, std::size_t size) const {
  const std::vector<T>& values = get<T>(name);
  require(values.size() == size, fmt::format("'{}' of the saved state", name), fmt::format("{} values long", size),
          values.size());
  return values;
}

template const std::vector<float>& State::get(const std::string&) const;
template const std::vector<double>& State::get(const std::string&) const;
template const std::vector<std::int64_t>& State::get(const std::string&) const;
template const std::vector<std::uint32_t>& State::get(const std::string&) const;
template const std::vector<float>& State::get(const std::string&, std::size_t) const;
template const std::vector<double>& State::get(const std::string&, std::size_t) const;
template const std::vector<std::int64_t>& State::get(const std::string&, std::size_t) const;
template const std::vector<std::uint32_t>& State::get(const std::string&, std::size_t) const;

void State::put_part(const std::string& prefix, State&& part) {
  for (auto& [name, array] : part.arrays_) arrays_[prefix + name] = std::move(array);
}

State State::part(const std::string& prefix) const {
  State result;
  for (auto it = arrays_.lower_bound(prefix); it != arrays_.end() && it->first.starts_with(prefix); ++it) {
    result.arrays_[it->first.substr(prefix.size())] = it->second;
  }
  return result;
}

State State::take_part(const std::string& prefix) {
  State result;
  for (auto it = arrays_.lower_bound(prefix); it != arrays_.end() && it->first.starts_with(prefix);) {
    result.arrays_[it->first.substr(prefix.size())] = std::move(it->second);
    it = arrays_.erase(it);
  }
  return result;
}

}  // namespace aria
