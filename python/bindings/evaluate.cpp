// Evaluation, leagues and folds.

#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "arrays.h"
#include "bind.h"
#include "call.h"
#include "pegnn/evaluate.h"

namespace pegnn::python {
namespace {

py::dict metrics_dict(const Metrics& m) {
  py::dict d;
  d["rows"] = m.rows;
  const auto names = metric_figures();
  for (std::size_t i = 0; i < names.size(); ++i) d[py::str(names[i])] = m.values[i];
  return d;
}

void add_scheme(const SchemeInfo& scheme, py::dict& d) {
  d["scheme"] = scheme.scheme;
  d["block_size"] = scheme.block_size;
  d["buffer"] = scheme.buffer;
  d["fold_column"] = scheme.fold_column;
  d["fold_names"] = scheme.fold_names;
  d["knndm_w"] = scheme.knndm_w;
}

py::dict evaluation_dict(Evaluation&& e) {
  py::list folds;
  for (const FoldScore& fold : e.folds) {
    py::dict one = metrics_dict(fold.metrics);
    one["repeat"] = fold.repeat;
    one["train_rows"] = fold.train_rows;
    one["test_rows"] = fold.test_rows;
    one["train_seconds"] = fold.train_seconds;
    one["predict_seconds"] = fold.predict_seconds;
    folds.append(std::move(one));
  }
  py::dict d;
  d["model"] = e.model;
  add_scheme(e.scheme, d);
  d["repeats"] = e.repeats;
  d["folds"] = std::move(folds);
  d["mean"] = metrics_dict(e.mean);
  d["sd"] = metrics_dict(e.sd);
  d["seconds"] = e.seconds;
  d["residual_moran"] = e.residual_moran;
  d["predicted"] = array_of(std::move(e.predicted));
  d["fold"] = array_of(std::move(e.fold));
  return d;
}

py::dict row_dict(LeagueRow&& row) {
  py::dict d = evaluation_dict(std::move(row.evaluation));
  d["verdict"] = name_of(row.verdict);
  d["reason"] = row.reason;
  d["lead"] = row.lead;
  d["p"] = row.p;
  d["p_holm"] = row.p_holm;
  return d;
}

py::dict evaluate_table(const Table& table, const Roles& roles, const Options& options,
                        const EvaluateSettings& settings, int threads, py::object log,
                        py::object progress) {
  LongCall call(threads, std::move(log), std::move(progress));
  return evaluation_dict(
      call.run([&] { return evaluate(table, roles, options, settings, call.settings()); }));
}

py::dict compare_table(const Table& table, const Roles& roles,
                       const std::vector<std::string>& models, const OptionRequest& request,
                       const EvaluateSettings& settings, int threads, py::object log,
                       py::object progress) {
  LongCall call(threads, std::move(log), std::move(progress));
  LeagueEntries chosen;
  Comparison found = call.run([&] {
    chosen = league_entries(models, request, call.log());
    return compare(table, roles, chosen.entries, settings, call.settings());
  });
  if (found.interrupted) call.raise();
  py::list rows;
  for (LeagueRow& row : found.rows) rows.append(row_dict(std::move(row)));
  for (LeagueRow& row : chosen.refused) rows.append(row_dict(std::move(row)));
  py::dict d;
  d["rows"] = std::move(rows);
  add_scheme(found.scheme, d);
  d["folds"] = found.folds;
  d["repeats"] = found.repeats;
  d["split_seed"] = found.split_seed;
  d["warnings"] = found.warnings;
  d["interrupted"] = found.interrupted;
  return d;
}

py::dict folds_of(const Table& table, const Roles& roles, const EvaluateSettings& settings,
                  int threads, py::object log) {
  LongCall call(threads, std::move(log), py::none());
  Folds found = call.run([&] { return make_folds(table, roles, settings, call.settings()); });
  py::dict d;
  d["fold"] = array_of(std::move(found.fold));
  d["folds"] = found.folds;
  add_scheme(found.scheme, d);
  return d;
}

}  // namespace

void bind_evaluate(py::module_& module) {
  py::class_<EvaluateSettings>(module, "EvaluateSettings")
      .def(py::init<>())
      .def_readwrite("scheme", &EvaluateSettings::scheme)
      .def_readwrite("folds", &EvaluateSettings::folds)
      .def_readwrite("test_share", &EvaluateSettings::test_share)
      .def_readwrite("block_size", &EvaluateSettings::block_size)
      .def_readwrite("test_rows", &EvaluateSettings::test_rows)
      .def_readwrite("fold_column", &EvaluateSettings::fold_column)
      .def_readwrite("buffer", &EvaluateSettings::buffer)
      .def_property(
          "places", [](const EvaluateSettings& s) { return s.places.size(); },
          [](EvaluateSettings& s, const Array<double>& places) {
            const std::span<const Point> points = points_of(places);
            s.places.assign(points.begin(), points.end());
          })
      .def_readwrite("drop_missing", &EvaluateSettings::drop_missing)
      .def_readwrite("repeats", &EvaluateSettings::repeats)
      .def_readwrite("split_seed", &EvaluateSettings::split_seed);
  module.attr("FOLD_PER_VALUE") = kFoldPerValue;
  module.def(
      "length_of",
      [](double km, double size, const Roles& roles, const std::string& what) {
        return length_of({.km = km, .size = size}, roles, what);
      },
      py::arg("km"), py::arg("size"), py::arg("roles"), py::arg("what"));
  module.def("evaluate", &evaluate_table, py::arg("table"), py::arg("roles"), py::arg("options"),
             py::arg("settings"), py::arg("threads"), py::arg("log"), py::arg("progress"));
  module.def("compare", &compare_table, py::arg("table"), py::arg("roles"), py::arg("models"),
             py::arg("request"), py::arg("settings"), py::arg("threads"), py::arg("log"),
             py::arg("progress"));
  module.def("make_folds", &folds_of, py::arg("table"), py::arg("roles"), py::arg("settings"),
             py::arg("threads"), py::arg("log"));
}

}  // namespace pegnn::python
