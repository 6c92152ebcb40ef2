#include "aria/task/symmetry.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include "aria/core/finite.hpp"
#include "aria/core/require.hpp"

namespace aria {

namespace {

constexpr std::size_t kMostSymmetries = 1024;

// Whether both do the same; offsets that came about in different ways may differ in the last digits.
bool same_map(const SignedMap& a, const SignedMap& b) {
  if (a.from != b.from || a.sign != b.sign) return false;
  const auto offset = [](const SignedMap& map, std::size_t i) { return map.offset.empty() ? 0.0f : map.offset[i]; };
  for (std::size_t i = 0; i < a.size(); ++i) {
    const float difference = std::abs(offset(a, i) - offset(b, i));
    if (difference > 1e-5f * std::max(1.0f, std::abs(offset(a, i)))) return false;
  }
  return true;
}

bool same_symmetry(const TaskSymmetry& a, const TaskSymmetry& b) {
  return same_map(a.genotype, b.genotype) && same_map(a.descriptor, b.descriptor);
}

}  // namespace

void SignedMap::apply(std::span<const float> in, std::span<float> out) const {
  assert(in.size() == size() && out.size() == size() && in.data() != out.data());
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = sign[i] * in[from[i]] + (offset.empty() ? 0.0f : offset[i]);
  }
}

void SignedMap::check(std::size_t expected_size, const std::string& what) const {
  require(size() == expected_size, what, fmt::format("{} numbers long", expected_size), size());
  require(sign.size() == size(), what, "one sign for each number", sign.size());
  require(offset.empty() || offset.size() == size(), what, "without offsets, or with one for each number",
          offset.size());
  require(all_finite(offset), what, "one with finite offsets", "others");
  std::vector<std::uint8_t> taken(size());
  for (std::size_t i = 0; i < size(); ++i) {
    require(from[i] < size() && taken[from[i]] == 0, what, "a permutation: every number from another place", from[i]);
    taken[from[i]] = 1;
    require(sign[i] == 1 || sign[i] == -1, what, "one whose signs are 1 or -1", sign[i]);
  }
}

SignedMap unchanged(std::size_t size) {
  SignedMap map;
  map.from.resize(size);
  std::iota(map.from.begin(), map.from.end(), 0u);
  map.sign.assign(size, 1);
  return map;
}

SignedMap composed(const SignedMap& first, const SignedMap& second) {
  assert(first.size() == second.size());
  SignedMap both;
  for (std::size_t i = 0; i < second.size(); ++i) {
    const std::uint32_t middle = second.from[i];
    both.from.push_back(first.from[middle]);
    both.sign.push_back(second.sign[i] * first.sign[middle]);
    const float shift = first.offset.empty() ? 0.0f : second.sign[i] * first.offset[middle];
    both.offset.push_back(shift + (second.offset.empty() ? 0.0f : second.offset[i]));
  }
  return both;
}

std::vector<TaskSymmetry> generated_by(const std::vector<TaskSymmetry>& few) {
  std::vector<TaskSymmetry> all;
  if (few.empty()) return all;
  const TaskSymmetry nothing{"", unchanged(few[0].genotype.size()), unchanged(few[0].descriptor.size())};
  const auto add = [&](TaskSymmetry symmetry) {
    const auto is_it = [&](const TaskSymmetry& other) { return same_symmetry(symmetry, other); };
    if (!is_it(nothing) && std::ranges::none_of(all, is_it)) all.push_back(std::move(symmetry));
  };
  for (const TaskSymmetry& symmetry : few) add(symmetry);
  // each that is new, and then one of the few
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const TaskSymmetry& last : few) {
      add({fmt::format("{}, {}", all[i].name, last.name), composed(all[i].genotype, last.genotype),
           composed(all[i].descriptor, last.descriptor)});
      require(all.size() <= kMostSymmetries, "the symmetries of a task",
              fmt::format("{} at the most, with all that follow from them", kMostSymmetries), "more");
    }
  }
  return all;
}

SignedMap policy_map(const MlpShape& shape, const SignedMap& observations, const SignedMap& actions) {
  observations.check(shape.sizes.front(), "the map of the observations");
  actions.check(shape.sizes.back(), "the map of the actions");
  SignedMap map = unchanged(shape.parameters());

  // First layer: one row of weights per observation
  const std::size_t width = shape.sizes[1];
  for (std::size_t i = 0; i < observations.size(); ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      map.from[i * width + j] = static_cast<std::uint32_t>(observations.from[i] * width + j);
      map.sign[i * width + j] = observations.sign[i];
    }
  }

  // Last layer: one column of weights and one bias per action. With a single layer its weights are mapped already.
  const std::size_t outputs = actions.size();
  const std::size_t inputs = shape.sizes[shape.sizes.size() - 2];
  const std::size_t begin = shape.parameters() - (inputs + 1) * outputs;
  const SignedMap before = map;
  for (std::size_t row = 0; row <= inputs; ++row) {
    for (std::size_t j = 0; j < outputs; ++j) {
      const std::size_t to = begin + row * outputs + j;
      const std::size_t source = begin + row * outputs + actions.from[j];
      map.from[to] = before.from[source];
      map.sign[to] = actions.sign[j] * before.sign[source];
    }
  }
  return map;
}

}  // namespace aria
