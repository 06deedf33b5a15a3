// The parts of the method on arrays.

#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "arrays.h"
#include "bind.h"
#include "call.h"
#include "pegnn/parts.h"
#include "spaces.h"

namespace pegnn::python {
namespace {

py::list parts_of(const std::string& kind) {
  py::list list;
  for (const Part& part : list_parts(kind)) {
    py::dict one;
    one["name"] = part.name;
    one["summary"] = part.summary;
    one["source"] = part.source;
    list.append(std::move(one));
  }
  return list;
}

py::array transform(const Array<double>& points, std::int64_t scales, double sigma_min,
                    double sigma_max, int threads) {
  LongCall call(threads, py::none(), py::none());
  const auto places = points_of(points);
  std::vector<double> found =
      call.run([&] { return sinusoidal_transform(places, scales, sigma_min, sigma_max, threads); });
  return array_of(std::move(found), {points.shape(0), static_cast<py::ssize_t>(4 * scales)});
}

// (offsets, columns, lengths, weights)
py::tuple graph_of(const Array<double>& points, const std::string& metric, std::int64_t k,
                   const std::string& edge_weight, int threads) {
  LongCall call(threads, py::none(), py::none());
  const auto places = points_of(points);
  const Space space = space_of(metric);
  NeighbourGraph graph =
      call.run([&] { return neighbour_graph(places, space, k, edge_weight, threads); });
  return py::make_tuple(array_of(std::move(graph.offsets)), array_of(std::move(graph.columns)),
                        array_of(std::move(graph.lengths)), array_of(std::move(graph.weights)));
}

NeighbourGraph graph_from(const Array<std::int64_t>& offsets, const Array<std::int32_t>& columns,
                          const Array<double>& weights) {
  NeighbourGraph graph;
  graph.offsets.assign(offsets.data(), offsets.data() + offsets.size());
  graph.columns.assign(columns.data(), columns.data() + columns.size());
  graph.weights.assign(weights.data(), weights.data() + weights.size());
  graph.lengths.resize(graph.columns.size());
  return graph;
}

py::array local_moran_of(const Array<double>& values, const Array<std::int64_t>& offsets,
                         const Array<std::int32_t>& columns, const Array<double>& weights,
                         int threads) {
  LongCall call(threads, py::none(), py::none());
  const NeighbourGraph graph = graph_from(offsets, columns, weights);
  const auto numbers = span_of(values);
  return array_of(call.run([&] { return local_moran(numbers, graph, threads); }));
}

py::dict as_dict(std::vector<NamedMatrix>&& matrices) {
  py::dict d;
  for (NamedMatrix& m : matrices) {
    d[py::str(m.name)] = array_of(std::move(m.values), {m.rows, m.cols});
  }
  return d;
}

std::vector<NamedMatrix> matrices_of(const py::dict& dict) {
  std::vector<NamedMatrix> matrices;
  for (const auto& [name, value] : dict) {
    const auto array = py::cast<Array<double>>(value);
    if (array.ndim() != 2) {
      throw Error(ErrorKind::usage,
                  "parameters: '" + py::cast<std::string>(name) + "' is not a matrix");
    }
    const auto numbers = span_of(array);
    matrices.push_back({.name = py::cast<std::string>(name),
                        .rows = array.shape(0),
                        .cols = array.shape(1),
                        .values = {numbers.begin(), numbers.end()}});
  }
  return matrices;
}

py::array backbone(const Options& options, const Array<std::int64_t>& offsets,
                   const Array<std::int32_t>& columns, const Array<double>& weights,
                   const Array<double>& x, const py::dict& parameters, int threads) {
  LongCall call(threads, py::none(), py::none());
  const NeighbourGraph graph = graph_from(offsets, columns, weights);
  const std::vector<NamedMatrix> matrices = matrices_of(parameters);
  const auto rows = static_cast<py::ssize_t>(graph.nodes());
  if (x.ndim() != 2 || x.shape(0) != rows) {
    throw Error(ErrorKind::usage, "x: expected an array with a row for each node of the graph");
  }
  const auto numbers = span_of(x);
  std::vector<double> h =
      call.run([&] { return run_backbone(options, graph, numbers, matrices, threads); });
  const py::ssize_t width = rows == 0 ? 0 : static_cast<py::ssize_t>(h.size()) / rows;
  return array_of(std::move(h), {rows, width});
}

py::array encoder(const Options& options, const Array<double>& points, const py::dict& parameters,
                  int threads) {
  LongCall call(threads, py::none(), py::none());
  const auto places = points_of(points);
  const std::vector<NamedMatrix> matrices = matrices_of(parameters);
  std::vector<double> h = call.run([&] { return run_encoder(options, places, matrices, threads); });
  const py::ssize_t rows = points.shape(0);
  const py::ssize_t width = rows == 0 ? 0 : static_cast<py::ssize_t>(h.size()) / rows;
  return array_of(std::move(h), {rows, width});
}

}  // namespace

void bind_parts(py::module_& module) {
  module.def("list_parts", &parts_of, py::arg("kind"));
  module.def("sinusoidal_transform", &transform, py::arg("points"), py::arg("scales"),
             py::arg("sigma_min"), py::arg("sigma_max"), py::arg("threads"));
  module.def("neighbour_graph", &graph_of, py::arg("points"), py::arg("metric"), py::arg("k"),
             py::arg("edge_weight"), py::arg("threads"));
  module.def("local_moran", &local_moran_of, py::arg("values"), py::arg("offsets"),
             py::arg("columns"), py::arg("weights"), py::arg("threads"));
  module.def(
      "backbone_parameters",
      [](const Options& options, std::int64_t in) {
        return as_dict(backbone_parameters(options, in));
      },
      py::arg("options"), py::arg("inputs"));
  module.def("run_backbone", &backbone, py::arg("options"), py::arg("offsets"), py::arg("columns"),
             py::arg("weights"), py::arg("x"), py::arg("parameters"), py::arg("threads"));
  module.def(
      "encoder_parameters",
      [](const Options& options) { return as_dict(encoder_parameters(options)); },
      py::arg("options"));
  module.def("run_encoder", &encoder, py::arg("options"), py::arg("points"), py::arg("parameters"),
             py::arg("threads"));
}

}  // namespace pegnn::python
