// A task's defaults at another budget.
#pragma once

#include "aria/task/task.hpp"

namespace aria {

// What costs evaluations, multiplied by `share`: samples per step and per mean, budgets of baselines and of the
// initialisation. What a task leaves at 0 stays so, and is refused as at the full budget.
TaskDefaults scaled_defaults(TaskDefaults defaults, double share);

}  // namespace aria
