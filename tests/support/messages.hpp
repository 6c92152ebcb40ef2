// The message of an error, to be matched.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "aria/core/require.hpp"

namespace aria::testing {

// What the InputError that `work` throws says; fails the test where it throws none.
template <class F>
std::string message_of(const F& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no InputError was thrown";
  return {};
}

}  // namespace aria::testing
