// Training, and what it tells on the way.

#include <filesystem>
#include <limits>
#include <utility>

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "arrays.h"
#include "bind.h"
#include "call.h"
#include "pegnn/train.h"

namespace pegnn::python {
namespace {

struct Snapshots {
  std::filesystem::path file = {};
  std::int64_t every = 500;
  bool resume = false;
};

// The table is emptied: its rows are let go while the model learns.
py::tuple train_table(Table& table, const Roles& roles, const Options& options, bool drop_missing,
                      const Snapshots& snapshots, int threads, py::object log,
                      py::object progress) {
  LongCall call(threads, std::move(log), std::move(progress));
  call.settings().snapshot = snapshots.file;
  call.settings().snapshot_every = snapshots.every;
  call.settings().resume = snapshots.resume;
  TrainResult result = call.run(
      [&] { return train(std::move(table), roles, options, drop_missing, call.settings()); });
  py::dict shown;
  shown["kind"] = name_of(result.shown);
  shown["rows"] = array_of(std::move(result.shown_rows));
  shown["observed"] = array_of(std::move(result.observed));
  shown["predicted"] = array_of(std::move(result.predicted));
  return py::make_tuple(py::cast(std::move(result.model)), py::cast(std::move(result.curve)),
                        std::move(shown), result.seconds);
}

}  // namespace

void bind_train(py::module_& module) {
  py::class_<TrainProgress>(module, "Progress", "Where a training run stands.")
      .def_readonly("step", &TrainProgress::step, "Steps taken.")
      .def_readonly("steps", &TrainProgress::steps, "Steps at most.")
      .def_readonly("loss", &TrainProgress::loss, "Mean since the last report; NaN: not measured.")
      .def_readonly("main", &TrainProgress::main, "Its part of the prediction.")
      .def_readonly("auxiliary", &TrainProgress::auxiliary, "Its part of Moran's I.")
      .def_readonly("validation", &TrainProgress::validation, "Error on the rows held back.")
      .def_readonly("seconds", &TrainProgress::seconds, "Of training so far.")
      .def_readonly("measured", &TrainProgress::measured,
                    "Whether figures are new, not the step alone.")
      .def_readonly("part", &TrainProgress::part,
                    "Which of several runs it is, such as 'member 2 of 8'.")
      .def("__repr__", [](const TrainProgress& p) {
        return "<pegnn.Progress " + (p.part.empty() ? "" : p.part + ": ") + "step " +
               std::to_string(p.step) + " of " + std::to_string(p.steps) + ">";
      });
  py::class_<Snapshots>(module, "Snapshots")
      .def(py::init<>())
      .def(py::init<std::filesystem::path, std::int64_t, bool>(), py::arg("file"), py::arg("every"),
           py::arg("resume"));
  module.def("train", &train_table, py::arg("table"), py::arg("roles"), py::arg("options"),
             py::arg("drop_missing"), py::arg("snapshots"), py::arg("threads"), py::arg("log"),
             py::arg("progress"));
}

}  // namespace pegnn::python
