#include "flow/results.h"

#include <limits>

#include <cmath>

#include <fmt/core.h>

#include "base/text.h"
#include "flow/figures.h"

namespace pegnn {

namespace {

// Scores of a distribution that the model does not give are left out; an error of the mean that is
// not defined is null.
bool applies(const Evaluation& e, std::size_t figure) {
  return !std::isnan(e.mean.values[figure]) || !scores_distribution(metric_figures()[figure]);
}

// What a model with a distribution has beside its errors.
std::string scores_line(const Metrics& m) {
  return fmt::format(
      "{:<16} {:<11} {:>5}  crps {}, log score {}; 90 % intervals cover {} %, width {}\n", "",
      "  scores", "", format_short(m["crps"]), format_short(m["log_score"], 4),
      format_short(100 * m["coverage_90"], 3), format_short(m["width_90"]));
}

}  // namespace

void write_evaluation(const Evaluation& e, JsonWriter& json) {
  const auto names = metric_figures();
  json.field("model", e.model);
  const SchemeInfo& scheme = e.scheme;
  json.field("scheme", scheme.scheme);
  json.field("folds", e.folds_per_repeat());
  if (e.repeats > 1) json.field("repeats", e.repeats);
  if (scheme.block_size > 0) json.field("block_size", scheme.block_size);
  if (scheme.buffer > 0) json.field("buffer", scheme.buffer);
  if (!scheme.fold_column.empty()) json.field("fold_column", scheme.fold_column);
  if (scheme.scheme == "knndm") json.field("knndm_w", scheme.knndm_w);
  json.field("train_rows", e.folds.front().train_rows);
  json.field("test_rows", e.mean.rows);
  for (std::size_t f = 0; f < names.size(); ++f) {
    if (!applies(e, f)) continue;
    json.field(names[f], e.mean.values[f]);
    if (e.folds.size() > 1) json.field(std::string(names[f]) + "_sd", e.sd.values[f]);
  }
  json.field("residual_moran", e.residual_moran);
  json.field("seconds", e.seconds);
  if (e.folds.size() == 1) return;
  json.list("per_fold", [&] {
    for (std::size_t f = 0; f < e.folds.size(); ++f) {
      const FoldScore& fold = e.folds[f];
      json.object([&] {
        if (!scheme.fold_names.empty()) {
          json.field("held_out", scheme.fold_names[f % scheme.fold_names.size()]);
        }
        json.field("train_rows", fold.train_rows);
        json.field("test_rows", fold.test_rows);
        if (e.repeats > 1) json.field("repeat", fold.repeat);
        for (std::size_t n = 0; n < names.size(); ++n) {
          if (applies(e, n)) json.field(names[n], fold.metrics.values[n]);
        }
        json.field("seconds", fold.seconds());
      });
    }
  });
}

std::string evaluation_json(const std::vector<Evaluation>& rows) {
  JsonWriter json(2);
  json.object([&] {
    json.list("rows", [&] {
      for (const Evaluation& e : rows) json.object([&] { write_evaluation(e, json); });
    });
  });
  return json.text() + "\n";
}

std::vector<AddedColumn> held_out_columns() {
  return {
      {.name = "fold", .kind = AddedColumn::Kind::integer}, {.name = "pred"}, {.name = "residual"}};
}

std::vector<AddedColumn> held_out_columns(const Evaluation& evaluation, const Table& table,
                                          const std::string& target) {
  std::vector<AddedColumn> columns = held_out_columns();
  const std::vector<double>& observed = table.find(target)->values;
  for (std::size_t row = 0; row < observed.size(); ++row) {
    const double predicted = evaluation.predicted[row];
    const auto fold = static_cast<double>(evaluation.fold[row] + 1);
    columns[0].values.push_back(fold > 0 ? fold : std::numeric_limits<double>::quiet_NaN());
    columns[1].values.push_back(predicted);
    columns[2].values.push_back(observed[row] - predicted);
  }
  return columns;
}

std::string evaluation_table(const std::vector<Evaluation>& rows) {
  std::string text = fmt::format(
      "{:<16} {:<11} {:>5}  {:>10} {:>10} {:>10} {:>7}  {:>10} {:>10}  {:>8}\n", "model", "scheme",
      "folds", "mse", "mae", "rmse", "r2", "mse_minmax", "mae_minmax", "seconds");
  for (const Evaluation& e : rows) {
    const Metrics& m = e.mean;
    // "5x3": five folds, three times.
    const std::string folds = e.repeats > 1 ? fmt::format("{}x{}", e.folds_per_repeat(), e.repeats)
                                            : fmt::format("{}", e.folds_per_repeat());
    text +=
        fmt::format("{:<16} {:<11} {:>5}  {:>10} {:>10} {:>10} {:>7}  {:>10} {:>10}  {:>8.1f}\n",
                    e.model, e.scheme.scheme, folds, format_short(m["mse"]), format_short(m["mae"]),
                    format_short(m["rmse"]), format_short(m["r2"], 3),
                    format_short(m["mse_minmax"]), format_short(m["mae_minmax"]), e.seconds);
    if (e.folds.size() > 1) {
      text += fmt::format("{:<16} {:<11} {:>5}  {:>10} {:>10} {:>10} {:>7}  {:>10} {:>10}\n", "",
                          "  +- sd", "", format_short(e.sd["mse"], 2), format_short(e.sd["mae"], 2),
                          format_short(e.sd["rmse"], 2), format_short(e.sd["r2"], 2),
                          format_short(e.sd["mse_minmax"], 2), format_short(e.sd["mae_minmax"], 2));
    }
    if (!std::isnan(m["crps"])) text += scores_line(m);
  }
  return text;
}

}  // namespace pegnn
