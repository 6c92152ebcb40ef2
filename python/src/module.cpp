// aria_qd._core: the library as Python sees it. Arguments are plain (numbers, texts, arrays, dictionaries); what people
// use is the package around it.
#include <algorithm>
#include <exception>
#include <string>

#include <nanobind/nanobind.h>

#include "aria/core/parallel.hpp"
#include "aria/core/require.hpp"
#include "aria/core/settings.hpp"
#include "aria/core/simd_target.hpp"
#include "python/src/bindings.hpp"

namespace nb = nanobind;

namespace {

constexpr std::size_t kMaxThreads = 1024;

void set_threads(std::size_t count) {
  aria::require(count <= kMaxThreads, "threads", fmt::format("from 1 to {}, or None for one per core", kMaxThreads),
                count);
  aria::set_threads(count);
}

// An option of the command line is an argument here: '--out must be ...' becomes 'out must be ...'.
std::string as_argument(std::string message) {
  if (!message.starts_with("--")) return message;
  message.erase(0, 2);
  const std::size_t end = std::min(message.find(' '), message.size());
  std::replace(message.begin(), message.begin() + static_cast<std::ptrdiff_t>(end), '-', '_');
  return message;
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const aria::InputError& error) {
    PyErr_SetString(PyExc_ValueError, as_argument(error.what()).c_str());
  }
}

}  // namespace

// NOLINTNEXTLINE: the macro is nanobind's
NB_MODULE(_core, module) {
  module.doc() = "The C++ library behind aria_qd. Use the package: its functions check and convert.";
  module.attr("VERSION") = ARIA_VERSION;
  nb::register_exception_translator(translate);
  module.def("set_threads", &set_threads, nb::arg("count"), "Threads to use from now on; 0: one per core.");
  module.def("threads", &aria::threads, "Threads in use.");
  module.def(
      "fused_multiply_add", [] { return aria::simd_target().fused_multiply_add; },
      "Whether this CPU gives the bits that other machines give.");
  aria::python::bind_tasks(module);
  aria::python::bind_runs(module);
  aria::python::bind_ask_tell(module);
  aria::python::bind_metrics(module);
  aria::python::bind_studies(module);
}
