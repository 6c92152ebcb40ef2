#include "aria/archive/reevaluation_table.hpp"

#include <numeric>

namespace aria {

std::size_t Reevaluation::failures() const {
  return static_cast<std::size_t>(std::accumulate(non_finite.begin(), non_finite.end(), std::int64_t{0}));
}

}  // namespace aria
