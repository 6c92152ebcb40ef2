// Holm's correction for making many tests at once (Bonferroni's, step by step).
#pragma once

#include <span>
#include <vector>

namespace aria {

// Corrected p-values, in the order given: comparing each with a level holds the chance of any false finding below it.
std::vector<double> holm_correction(std::span<const double> p);

}  // namespace aria
