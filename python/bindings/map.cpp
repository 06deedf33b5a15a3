// Grids of cells, and a model's answers in them.

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "arrays.h"
#include "bind.h"
#include "call.h"
#include "pegnn/map.h"

namespace pegnn::python {
namespace {

using Box = std::array<double, 4>;  // west, south, east, north
using Cell = std::array<double, 2>;
using Size = std::array<std::int64_t, 2>;  // columns, rows

GridRequest request_of(const std::optional<Box>& box, const std::optional<Cell>& cell,
                       const std::optional<Size>& size, const Crs& crs) {
  GridRequest request{.crs = crs};
  if (box) request.box = Extent{(*box)[0], (*box)[1], (*box)[2], (*box)[3]};
  if (cell) request.cell = CellSize{(*cell)[0], (*cell)[1]};
  if (size) request.size = GridSize{(*size)[0], (*size)[1]};
  return request;
}

RasterGrid chosen_grid(const Model& model, const std::optional<Box>& box,
                       const std::optional<Cell>& cell, const std::optional<Size>& size,
                       const Crs& crs, const Array<double>& points, bool extrapolate,
                       py::object log) {
  LongCall call(0, std::move(log), py::none());
  const auto places = points_of(points);
  const GridRequest request = request_of(box, cell, size, crs);
  return call.run([&] { return choose_map_grid(model, request, places, extrapolate, call.log()); });
}

void check_grid(const Model& model, const RasterGrid& grid, const Array<double>& points,
                bool extrapolate, py::object log) {
  LongCall call(0, std::move(log), py::none());
  const auto places = points_of(points);
  call.run([&] { check_map_place(model, grid, places, extrapolate, call.log()); });
}

py::array points_array(const Model& model) {
  const auto points = training_points(model);
  std::vector<double> numbers;
  numbers.reserve(2 * points.size());
  for (const Point& p : points) numbers.insert(numbers.end(), {p.x, p.y});
  return array_of(std::move(numbers), {static_cast<py::ssize_t>(points.size()), 2});
}

// A predictor with the call that it borrows its settings from.
class Cells {
 public:
  Cells(const Model& model, bool deviation, bool applicability, int threads, py::object log)
      : call_(threads, std::move(log), py::none()) {
    call_.run([&] { predictor_.emplace(model, !deviation, applicability, call_.settings()); });
  }

  // (mean, deviation, distance, applicable); None for what was not asked for
  py::tuple ask(const Array<double>& points, const Array<double>& features) {
    const auto places = points_of(points);
    const auto values = features_of(features, places.size());
    CellValues found = call_.run([&] { return predictor_->ask(places, values); });
    const std::span<const double> mean = found.answer.mean(), sd = found.answer.deviation();
    std::vector<double> means(mean.begin(), mean.end()), deviations(sd.begin(), sd.end());
    return py::make_tuple(given(means), given(deviations), given(found.distance),
                          given(found.applicable));
  }

  void finish() {
    call_.run([&] { predictor_->finish(); });
  }
  double reach() const { return predictor_->reach(); }

 private:
  static py::object given(std::vector<double>& values) {
    if (values.empty()) return py::none();
    return array_of(std::move(values));
  }

  LongCall call_;
  std::optional<CellPredictor> predictor_;
};

}  // namespace

void bind_map(py::module_& module) {
  py::class_<RasterGrid>(module, "RasterGrid")
      .def(py::init([](Size size, Cell corner, Cell cell, const Crs& crs) {
             return RasterGrid{size[0], size[1], corner[0], corner[1], cell[0], cell[1], crs};
           }),
           py::arg("size"), py::arg("corner"), py::arg("cell"), py::arg("crs"))
      .def_readonly("width", &RasterGrid::width)
      .def_readonly("height", &RasterGrid::height)
      .def_readonly("x", &RasterGrid::x)
      .def_readonly("y", &RasterGrid::y)
      .def_readonly("dx", &RasterGrid::dx)
      .def_readonly("dy", &RasterGrid::dy)
      .def_readonly("crs", &RasterGrid::crs);
  module.def("training_points", &points_array, py::arg("model"));
  module.def("choose_map_grid", &chosen_grid, py::arg("model"), py::arg("box"), py::arg("cell"),
             py::arg("size"), py::arg("crs"), py::arg("points"), py::arg("extrapolate"),
             py::arg("log"));
  module.def("check_map_place", &check_grid, py::arg("model"), py::arg("grid"), py::arg("points"),
             py::arg("extrapolate"), py::arg("log"));
  py::class_<Cells>(module, "CellPredictor")
      .def(py::init<const Model&, bool, bool, int, py::object>(), py::arg("model"),
           py::arg("deviation"), py::arg("applicability"), py::arg("threads"), py::arg("log"),
           py::keep_alive<1, 2>())
      .def("ask", &Cells::ask, py::arg("points"), py::arg("features"))
      .def("finish", &Cells::finish)
      .def_property_readonly("reach", &Cells::reach);
}

}  // namespace pegnn::python
