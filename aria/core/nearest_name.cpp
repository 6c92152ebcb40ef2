#include "aria/core/nearest_name.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "aria/core/require.hpp"

namespace aria {

namespace {

// Levenshtein distance, one row of the table at a time.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_name(std::string_view wanted, std::span<const std::string> names) {
  std::string best;
  // more than a third of the letters wrong is another word
  std::size_t fewest = std::max<std::size_t>(2, wanted.size() / 3) + 1;
  for (const std::string& name : names) {
    const std::size_t count = edits(wanted, name);
    if (count < fewest) {
      fewest = count;
      best = name;
    }
  }
  return best;
}

void throw_unknown(std::string_view kind, std::string_view wanted, std::span<const std::string> names) {
  const std::string nearest = nearest_name(wanted, names);
  const std::string hint = nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest);
  throw InputError(fmt::format("unknown {} '{}'{}; there are: {}", kind, wanted, hint, fmt::join(names, ", ")));
}

}  // namespace aria
