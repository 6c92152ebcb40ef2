// Iso+line variation: an offspring is its first parent plus noise on every parameter plus a random step along the line
// to its second parent.
#pragma once

#include "aria/archive/archive.hpp"
#include "aria/archive/pareto_archive.hpp"
#include "aria/core/key.hpp"
#include "aria/core/matrix.hpp"

namespace aria {

// Fills every row of `offspring`; parents are drawn uniformly from the elites of a non-empty archive.
void iso_line_variation(const Archive& archive, double iso_sigma, double line_sigma, Key key,
                        MutableMatrixView offspring);
// The same with parents from Pareto fronts: a cell drawn uniformly, then a member of its front.
void iso_line_variation(const ParetoArchive& archive, double iso_sigma, double line_sigma, Key key,
                        MutableMatrixView offspring);

}  // namespace aria
