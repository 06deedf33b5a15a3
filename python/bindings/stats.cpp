// Moran's I and metrics.

#include <string>
#include <utility>

#include "arrays.h"
#include "bind.h"
#include "call.h"
#include "pegnn/stats.h"
#include "spaces.h"

namespace pegnn::python {
namespace {

py::dict moran_of(const Array<double>& points, const std::string& metric,
                  const Array<double>& values, std::int64_t k, bool row_standardised,
                  int permutations, std::uint64_t seed, const LisaRule& rule, int threads) {
  LongCall call(threads, py::none(), py::none());
  const auto places = points_of(points);
  const auto numbers = span_of(values);
  const Space space = space_of(metric);
  Lisa lisa;
  Moran found = call.run([&] {
    const MoranOptions options{
        .weights = row_standardised ? MoranWeights::row_standardised : MoranWeights::binary,
        .permutations = permutations,
        .seed = seed,
        .stop = call.settings().stop};
    Moran result = moran(places, space, numbers, k, options, threads);
    lisa = classify(result, permutations, rule);
    return result;
  });
  py::dict d;
  d["I"] = found.I;
  d["EI"] = found.EI;
  d["p_sim"] = found.p_sim;
  d["z_sim"] = found.z_sim;
  d["Is"] = array_of(std::move(found.Is));
  d["lag"] = array_of(std::move(found.lag));
  d["z"] = array_of(std::move(found.z));
  d["p"] = array_of(std::move(found.p));
  d["q"] = array_of(std::move(found.q));
  d["p_fdr"] = array_of(std::move(lisa.p_fdr));
  d["cluster"] = array_of(std::move(lisa.cluster));
  d["permutations_needed"] = lisa.permutations_needed;
  return d;
}

}  // namespace

void bind_stats(py::module_& module) {
  py::class_<LisaRule>(module, "LisaRule")
      .def(py::init<double, bool>(), py::arg("alpha"), py::arg("control"));
  module.def("cluster_name", &cluster_name, py::arg("cluster"));
  module.def("moran", &moran_of, py::arg("points"), py::arg("metric"), py::arg("values"),
             py::arg("k"), py::arg("row_standardised"), py::arg("permutations"), py::arg("seed"),
             py::arg("rule"), py::arg("threads"));
}

}  // namespace pegnn::python
