#include "report/train_report.h"

#include <cmath>

#include <fmt/core.h>

#include "base/options.h"
#include "base/text.h"
#include "base/thread_pool.h"
#include "geo/length.h"
#include "pegnn/evaluate.h"
#include "pegnn/stats.h"
#include "pegnn/version.h"
#include "report/report.h"
#include "table/roles.h"

namespace pegnn {
namespace {

// Enough permutations for p-values to two digits; the whole test takes about a second for 20,000
// rows.
constexpr int kPermutations = 999;

// Neighbours of a residual, whatever the model's own number is.
constexpr std::int64_t kMoranNeighbours = 5;

// More rows than this are not tested for autocorrelation: the page should not take minutes.
constexpr std::size_t kMostMoranRows = 100'000;

// What the page says about space: how alike near residuals are, and near observations.
void add_structure(ReportData& data, int threads) {
  std::vector<double> residuals;
  for (std::size_t i = 0; i < data.observed.size(); ++i) {
    residuals.push_back(data.observed[i] - data.predicted[i]);
  }
  if (data.points.size() <= kMostMoranRows) {
    data.residual_moran = moran(data.points, data.space, residuals, kMoranNeighbours,
                                {.permutations = kPermutations}, threads);
  } else {
    data.remarks.push_back("Moran's I of the residuals is left out above 100,000 rows.");
  }
  const ThreadPool pool(threads);
  data.observed_variogram = empirical_variogram(data.points, data.space, data.observed, {}, pool);
  data.residual_variogram = empirical_variogram(data.points, data.space, residuals, {}, pool);
}

std::string remark_on(ShownRows shown) {
  switch (shown) {
    case ShownRows::validation:
      return "Validation rows were used to decide when to stop and lie between training rows; "
             "`pegnn evaluate --scheme block` tells how the model does further away.";
    case ShownRows::left_out:
      return "Each row shown was left out of what it is predicted from, but helped to find the "
             "parameters, and lies between training rows; `pegnn evaluate --scheme block` tells "
             "how "
             "the model does further away.";
    case ShownRows::training:
      return "No rows were held back, so errors are those of rows the model has seen and say "
             "little of new places; `pegnn evaluate` measures that.";
  }
  return {};
}

void add_figures(const TrainResult& result, const ModelInfo& info, ReportData& data) {
  const Metrics m =
      compute_metrics(result.observed, result.predicted, info.target_lo, info.target_hi);
  const std::string on = data.rows_shown;
  data.figures = {
      {"RMSE", format_short(m["rmse"]), "on " + on},
      {"MAE", format_short(m["mae"]), "on " + on},
      {"R²", std::isnan(m["r2"]) ? "undefined" : format_short(m["r2"], 3), "on " + on},
      {"MSE, min-max", std::isnan(m["mse_minmax"]) ? "undefined" : format_short(m["mse_minmax"], 3),
       "target scaled to [0, 1]"},
      {"rows", format_count(info.rows),
       fmt::format("{} train", format_count(info.training_points))},
      {"steps", format_count(info.steps),
       info.best_step == info.steps
           ? "last weights kept"
           : fmt::format("weights of step {} kept", format_count(info.best_step))},
      {"time", format_seconds(result.seconds),
       fmt::format("{} parameters", format_count(info.parameters))},
  };
}

}  // namespace

std::string train_report(const TrainResult& result, const Table& table, const std::string& command,
                         int threads) {
  const ModelInfo info = result.model.info();
  ReportData data;
  data.title = info.roles.target;
  data.subtitle = fmt::format("{} on {}", model_name(info.options), table.source());
  data.rows_shown =
      fmt::format("{} {} rows", format_count(static_cast<long long>(result.observed.size())),
                  name_of(result.shown));
  data.space = info.space;
  data.metres_per_unit = metres_per_unit(info.space, info.roles.crs);
  data.x_name = x_name(info.roles);
  data.y_name = y_name(info.roles);
  data.target_name = info.roles.target;
  data.points = result.points;
  data.observed = result.observed;
  data.predicted = result.predicted;
  for (const TrainProgress& p : result.curve) {
    data.curve.push_back({p.step, p.main, p.auxiliary, p.validation});
  }
  data.best_step = result.shown == ShownRows::validation ? info.best_step : -1;
  add_figures(result, info, data);
  for (const OptionText& text : option_texts(info.options)) {
    data.options.push_back({text.name, text.value, text.sentence});
  }
  data.provenance = {
      {"table", table.source(), fmt::format("{} rows used", format_count(info.rows))},
      {"data hash", info.table_hash,
       fmt::format("xxHash-64 of coordinates, features{} target{}",
                   info.roles.weight.empty() ? " and" : ",",
                   info.roles.weight.empty() ? "" : " and weights")},
      {"coordinates", describe_coordinates(info.roles),
       fmt::format("{} distances", name_of(info.space))},
      {"features", info.roles.features.empty() ? "none" : join(info.roles.features, ", "), ""},
      {"seed", std::to_string(info.options.seed),
       "same seed, same model, on any number of threads"},
      {"version", version(), ""}};
  if (!info.roles.weight.empty()) {
    data.provenance.push_back(
        {"weights", info.roles.weight, "of rows in training; errors shown count all rows alike"});
  }
  if (!command.empty()) data.provenance.push_back({"command", command, ""});
  add_structure(data, threads);
  data.remarks.push_back(remark_on(result.shown));
  return render_report(data);
}

}  // namespace pegnn
