// What a build with sanitizers, in which everything takes ten times as long, does less of.
#pragma once

namespace aria::testing {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitised = true;
#else
inline constexpr bool kSanitised = false;
#endif

// For work that has only to take a while: how much of it, and how much under sanitizers.
template <class T>
constexpr T by_build(T plain, T sanitised) {
  return kSanitised ? sanitised : plain;
}

}  // namespace aria::testing
