#include "aria/task/robot.hpp"

namespace aria {

void Episodes::start(std::size_t world) {
  steps[world] = 0;
  fitness[world] = 0;
  for (std::size_t i = world; i < noted.size(); i += stride) noted[i] = 0;
}

void Episodes::copy(std::size_t from, std::size_t to) {
  steps[to] = steps[from];
  fitness[to] = fitness[from];
  reward[to] = reward[from];
  fallen[to] = fallen[from];
  for (std::size_t row = 0; row < noted.size(); row += stride) noted[row + to] = noted[row + from];
}

}  // namespace aria
