#include "aria/task/task.hpp"

#include "aria/core/require.hpp"
#include "aria/task/symmetry.hpp"

namespace aria {

std::vector<TaskSymmetry> Task::symmetries() const { return {}; }

void require_genotype_length(const TaskInfo& info, std::size_t length, std::string_view what) {
  const std::string made_of = info.genotype.empty() ? "" : fmt::format(" ({})", info.genotype);
  require(length == info.parameters, what,
          fmt::format("{} parameters long for task '{}'{}", info.parameters, info.name, made_of), length);
}

}  // namespace aria
