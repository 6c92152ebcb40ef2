// The parts of the module: each adds what its room offers.
#pragma once

#include <nanobind/nanobind.h>

namespace aria::python {

void bind_tasks(nanobind::module_& module);
void bind_runs(nanobind::module_& module);
void bind_ask_tell(nanobind::module_& module);
void bind_metrics(nanobind::module_& module);
void bind_studies(nanobind::module_& module);

}  // namespace aria::python
