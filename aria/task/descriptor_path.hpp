// How a descriptor comes about during an episode, for those who learn to bring one about.
#pragma once

#include <cstddef>

namespace aria {

struct DescriptorPath {
  enum class Kind {
    kPlace,  // where something is in the end; so far: where it is
    kShare,  // the share of the steps at which something held; so far: how many steps those were
  };
  Kind kind = Kind::kPlace;
  std::size_t episode_length = 1;  // steps, at most

  // What there should be after so many steps on the way to a target: as much of it as of the episode is over.
  float reference(float target, std::size_t steps) const {
    const auto done = static_cast<float>(steps);
    return kind == Kind::kShare ? target * done : target * done / static_cast<float>(episode_length);
  }
};

}  // namespace aria
