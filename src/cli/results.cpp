#include "cli/results.h"

#include <fmt/core.h>

#include "base/json.h"
#include "base/text.h"
#include "cli/figures.h"

namespace pegnn {

using nlohmann::ordered_json;

ordered_json evaluation_row(const Evaluation& e) {
  ordered_json row{{"model", e.model}, {"scheme", e.scheme}, {"folds", e.folds_per_repeat()}};
  if (e.repeats > 1) row["repeats"] = e.repeats;
  if (e.block_size > 0) row["block_size"] = e.block_size;
  row["train_rows"] = e.folds.front().train_rows;
  row["test_rows"] = e.mean.rows;
  for (const Figure& f : kFigures) {
    row[f.name] = number_or_null(e.mean.*f.value);
    if (e.folds.size() > 1) row[std::string(f.name) + "_sd"] = number_or_null(e.sd.*f.value);
  }
  row["residual_moran"] = number_or_null(e.residual_moran);
  row["seconds"] = e.seconds;
  if (e.folds.size() > 1) {
    row["per_fold"] = ordered_json::array();
    for (const FoldScore& fold : e.folds) {
      ordered_json one{{"train_rows", fold.train_rows}, {"test_rows", fold.test_rows}};
      if (e.repeats > 1) one["repeat"] = fold.repeat;
      for (const Figure& f : kFigures) one[f.name] = number_or_null(fold.metrics.*f.value);
      one["seconds"] = fold.seconds();
      row["per_fold"].push_back(one);
    }
  }
  return row;
}

std::string evaluation_json(const std::vector<Evaluation>& rows) {
  ordered_json list = ordered_json::array();
  for (const Evaluation& e : rows) list.push_back(evaluation_row(e));
  return ordered_json{{"rows", list}}.dump(2) + "\n";
}

std::string evaluation_table(const std::vector<Evaluation>& rows) {
  std::string text = fmt::format(
      "{:<16} {:<10} {:>5}  {:>10} {:>10} {:>10} {:>7}  {:>10} {:>10}  {:>8}\n", "model", "scheme",
      "folds", "mse", "mae", "rmse", "r2", "mse_minmax", "mae_minmax", "seconds");
  for (const Evaluation& e : rows) {
    const Metrics& m = e.mean;
    // "5x3": five folds, three times.
    const std::string folds = e.repeats > 1 ? fmt::format("{}x{}", e.folds_per_repeat(), e.repeats)
                                            : fmt::format("{}", e.folds_per_repeat());
    text += fmt::format(
        "{:<16} {:<10} {:>5}  {:>10} {:>10} {:>10} {:>7}  {:>10} {:>10}  {:>8.1f}\n", e.model,
        e.scheme, folds, format_short(m.mse), format_short(m.mae), format_short(m.rmse),
        format_short(m.r2, 3), format_short(m.mse_minmax), format_short(m.mae_minmax), e.seconds);
    if (e.folds.size() > 1) {
      text += fmt::format("{:<16} {:<10} {:>5}  {:>10} {:>10} {:>10} {:>7}  {:>10} {:>10}\n", "",
                          "  +- sd", "", format_short(e.sd.mse, 2), format_short(e.sd.mae, 2),
                          format_short(e.sd.rmse, 2), format_short(e.sd.r2, 2),
                          format_short(e.sd.mse_minmax, 2), format_short(e.sd.mae_minmax, 2));
    }
  }
  return text;
}

}  // namespace pegnn
