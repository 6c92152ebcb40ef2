// A CPU of before 2013, as kernels see it: SSE4, and no fused multiply-add. Loaded before Highway, which asks the CPU.
#include <hwy/detect_targets.h>

#include <cstdint>

namespace hwy {

std::int64_t SupportedTargets();
std::int64_t SupportedTargets() { return HWY_SSE4; }

}  // namespace hwy
