// Trained models: files and bytes, predictions, what happens inside.

#include <cstring>
#include <filesystem>
#include <string>
#include <utility>

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "arrays.h"
#include "bind.h"
#include "call.h"
#include "pegnn/model.h"

namespace pegnn::python {
namespace {

py::bytes bytes_of(const Model& model) {
  std::string bytes;
  {
    const py::gil_scoped_release unlocked;
    bytes = model.bytes();
  }
  return py::bytes(bytes);
}

Model from_bytes(const py::bytes& bytes) { return Model::from_bytes(std::string(bytes)); }

// A column by itself; None where there is none, which one of no rows is not.
py::object column_array(const Answer& answer, OutputKind kind) {
  if (!has_column(answer.columns, kind)) return py::none();
  const std::span<const double> column = answer.find(kind);
  return array_of(std::vector<double>(column.begin(), column.end()));
}

// (mean, deviation, what there is to warn of). A mean alone keeps its memory.
py::tuple as_tuple(Answer&& answer, const Outside& outside) {
  const std::string warning = outside.worth_warning ? outside.sentence : std::string();
  if (answer.columns.size() == 1) {
    return py::make_tuple(array_of(std::move(answer.values)), py::none(), warning);
  }
  return py::make_tuple(column_array(answer, OutputKind::mean),
                        column_array(answer, OutputKind::deviation), warning);
}

bool gives_deviation(const Model& model) {
  return has_column(model.outputs(), OutputKind::deviation);
}

std::vector<std::string> output_names(const Model& model) {
  std::vector<std::string> names;
  for (const OutputColumn& column : model.outputs()) names.push_back(column_name(column));
  return names;
}

// Places and features in hand, already checked.
py::tuple predict_arrays(const Model& model, const Array<double>& points,
                         const Array<double>& features, bool deviation, bool count_outside,
                         int threads, py::object log) {
  LongCall call(threads, std::move(log), py::none());
  const auto places = points_of(points);
  const auto values = features_of(features, places.size());
  Outside outside;
  Answer found = call.run([&] {
    Predictor predictor(model, {.mean_only = !deviation, .count_outside = count_outside},
                        call.settings());
    Answer answer = predictor.ask(places, values);
    predictor.finish();
    outside = predictor.outside();
    return answer;
  });
  return as_tuple(std::move(found), outside);
}

py::dict activations(const Model& model, const Array<double>& points, const Array<double>& features,
                     int threads, py::object log) {
  LongCall call(threads, std::move(log), py::none());
  const auto places = points_of(points);
  const auto values = features_of(features, places.size());
  Activations found = call.run([&] { return model.activations(places, values, call.settings()); });
  py::dict result;
  result["pred"] = array_of(std::move(found.mean), {found.members, found.rows});
  result["encoder"] =
      array_of(std::move(found.encoder), {found.members, found.rows, found.encoder_width});
  result["embedding"] =
      array_of(std::move(found.embedding), {found.members, found.rows, found.embedding_width});
  if (found.moran.empty()) {
    result["moran"] = py::none();
  } else {
    result["moran"] = array_of(std::move(found.moran), {found.members, found.rows});
  }
  return result;
}

py::tuple applicability(const Model& model, const Array<double>& points,
                        const Array<double>& features, int threads, py::object log) {
  LongCall call(threads, std::move(log), py::none());
  const auto places = points_of(points);
  const auto values = features_of(features, places.size());
  Applicable found = call.run([&] { return model.applicability(places, values, call.settings()); });
  const py::array_t<bool> inside(static_cast<py::ssize_t>(found.inside.size()));
  bool* const out = const_cast<bool*>(inside.data());
  for (std::size_t i = 0; i < found.inside.size(); ++i) out[i] = found.inside[i];
  return py::make_tuple(array_of(std::move(found.distance)), inside, found.reach);
}

}  // namespace

void bind_model(py::module_& module) {
  py::class_<ModelInfo>(module, "ModelInfo")
      .def_readonly("options", &ModelInfo::options)
      .def_readonly("roles", &ModelInfo::roles)
      .def_property_readonly("space",
                             [](const ModelInfo& info) { return std::string(name_of(info.space)); })
      .def_readonly("table", &ModelInfo::table)
      .def_readonly("table_hash", &ModelInfo::table_hash)
      .def_readonly("rows", &ModelInfo::rows)
      .def_readonly("training_points", &ModelInfo::training_points)
      .def_readonly("parameters", &ModelInfo::parameters)
      .def_readonly("steps", &ModelInfo::steps)
      .def_readonly("best_step", &ModelInfo::best_step)
      .def_readonly("best_validation", &ModelInfo::best_validation)
      .def_readonly("target_lo", &ModelInfo::target_lo)
      .def_readonly("target_hi", &ModelInfo::target_hi)
      .def_readonly("learned", &ModelInfo::learned)
      .def_readonly("parts", &ModelInfo::parts);
  py::class_<Model>(module, "Model")
      .def_static("load", &Model::load, py::arg("file"), py::call_guard<py::gil_scoped_release>())
      .def("save", &Model::save, py::arg("file"), py::call_guard<py::gil_scoped_release>())
      .def_static("from_bytes", &from_bytes, py::arg("bytes"))
      .def("bytes", &bytes_of)
      .def("info", &Model::info, py::call_guard<py::gil_scoped_release>())
      .def("with_graph", &Model::with_graph, py::arg("graph"))
      .def_property_readonly("gives_deviation", &gives_deviation)
      .def_property_readonly("outputs", &output_names)
      .def_property_readonly("needs_all_rows", &Model::needs_all_rows)
      .def("predict_arrays", &predict_arrays, py::arg("points"), py::arg("features"),
           py::arg("deviation"), py::arg("count_outside"), py::arg("threads"), py::arg("log"))
      .def("activations", &activations, py::arg("points"), py::arg("features"), py::arg("threads"),
           py::arg("log"))
      .def("applicability", &applicability, py::arg("points"), py::arg("features"),
           py::arg("threads"), py::arg("log"));
}

}  // namespace pegnn::python
