// For use among initialisers: what comes after can rely on it.
#pragma once

namespace aria {

// A config that has passed its own test.
template <class Config>
const Config& validated(const Config& config) {
  config.validate();
  return config;
}

}  // namespace aria
