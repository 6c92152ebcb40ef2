// Algorithms as ask and tell.
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "aria/core/require.hpp"
#include "aria/persistence/state_file.hpp"
#include "python/src/arrays.hpp"
#include "python/src/ask_tell.hpp"
#include "python/src/bindings.hpp"
#include "python/src/tables.hpp"
#include "python/src/task_handle.hpp"

namespace aria::python {

namespace {

namespace fs = std::filesystem;

std::shared_ptr<AskTell> make(const TaskHandle& task, const std::string& algorithm, std::uint64_t seed,
                              const std::string& preset, const NamedValues& settings,
                              const std::optional<nb::dict>& archive, std::size_t batch_size) {
  RunConfig config;
  config.task = task.name;
  config.algorithm = algorithm;
  config.seed = seed;
  config.preset = preset;
  config.reevaluations = 0;
  config.settings = settings;
  std::optional<ArchiveTable> table;
  if (archive) table = to_table(*archive);
  return std::make_shared<AskTell>(resolve(config, task.with_settings(settings), table ? &*table : nullptr),
                                   batch_size);
}

nb::object ask(AskTell& self) {
  nb::object solutions = empty_rows(self.batch(), self.parameters());
  const MutableMatrixView rows = rows_of(solutions);
  {
    const nb::gil_scoped_release without_lock;
    self.ask(rows);
  }
  return solutions;
}

void tell(AskTell& self, const Vector<float>& objective, const Rows& measures) {
  const std::span<const float> fitness(objective.data(), objective.size());
  const MatrixView rows(measures.data(), measures.shape(0), measures.shape(1));
  const nb::gil_scoped_release without_lock;
  self.tell(fitness, rows);
}

nb::dict status(const AskTell& self) {
  const AlgorithmStatus status = self.algorithm().status();
  nb::dict dict;
  dict["phase"] = status.phase;
  dict["planned_evaluations"] = status.planned_evaluations;
  dict["cells"] = status.cells;
  dict["best_fitness"] = status.best_fitness;
  return dict;
}

// The configuration goes along, so that a checkpoint of another one is refused.
void write_checkpoint(const AskTell& self, const fs::path& path) {
  write_state(path, self.save(), {{"config", self.config().to_toml()}});
}

void read_checkpoint(AskTell& self, const fs::path& path) {
  std::map<std::string, std::string> notes;
  const State state = read_state(path, &notes);
  require(notes["config"] == self.config().to_toml(), fmt::format("the checkpoint {}", path.string()),
          "of an algorithm with the same settings, seed and archive", "one of another");
  self.load(state);
}

}  // namespace

void bind_ask_tell(nb::module_& module) {
  nb::class_<AskTell>(module, "AskTell", "An algorithm whose evaluations are made elsewhere.")
      .def_prop_ro("done", &AskTell::done)
      .def_prop_ro("evaluations", &AskTell::evaluations)
      .def_prop_ro("failed", &AskTell::failed)
      .def_prop_ro("batch", &AskTell::batch)
      .def_prop_ro("seed", &AskTell::seed)
      .def_prop_ro("status", &status)
      .def_prop_ro("archive", [](const AskTell& self) { return to_dict(self.algorithm().archive()); })
      .def("ask", &ask)
      .def("tell", &tell, nb::arg("objective"), nb::arg("measures"))
      .def("save", [](const AskTell& self) { return to_dict(self.save()); })
      .def(
          "load", [](AskTell& self, const nb::dict& state) { self.load(to_state(state)); }, nb::arg("state"))
      .def("write_checkpoint", &write_checkpoint, nb::arg("path"))
      .def("read_checkpoint", &read_checkpoint, nb::arg("path"));
  module.def("ask_tell", &make, nb::arg("task"), nb::arg("algorithm"), nb::arg("seed"), nb::arg("preset"),
             nb::arg("settings"), nb::arg("archive").none(), nb::arg("batch_size"));
}

}  // namespace aria::python
