#include "cli/results.h"

#include <fmt/core.h>

#include "base/text.h"
#include "cli/json.h"

namespace pegnn {
namespace {

using nlohmann::ordered_json;

struct Figure {
  const char* name;
  double Metrics::*value;
};
constexpr Figure kFigures[] = {{"mse", &Metrics::mse},
                               {"mae", &Metrics::mae},
                               {"rmse", &Metrics::rmse},
                               {"r2", &Metrics::r2},
                               {"mse_minmax", &Metrics::mse_minmax},
                               {"mae_minmax", &Metrics::mae_minmax}};

}  // namespace

std::string evaluation_json(const std::vector<Evaluation>& rows) {
  ordered_json list = ordered_json::array();
  for (const Evaluation& e : rows) {
    ordered_json row{{"model", e.model}, {"scheme", e.scheme}, {"folds", e.folds.size()}};
    if (e.block_size > 0) row["block_size"] = e.block_size;
    row["train_rows"] = e.folds.front().train_rows;
    row["test_rows"] = e.mean.rows;
    for (const Figure& f : kFigures) {
      row[f.name] = number_or_null(e.mean.*f.value);
      if (e.folds.size() > 1) row[std::string(f.name) + "_sd"] = number_or_null(e.sd.*f.value);
    }
    row["seconds"] = e.seconds;
    if (e.folds.size() > 1) {
      row["per_fold"] = ordered_json::array();
      for (const FoldScore& fold : e.folds) {
        ordered_json one{{"train_rows", fold.train_rows}, {"test_rows", fold.test_rows}};
        for (const Figure& f : kFigures) one[f.name] = number_or_null(fold.metrics.*f.value);
        one["seconds"] = fold.seconds;
        row["per_fold"].push_back(one);
      }
    }
    list.push_back(row);
  }
  return ordered_json{{"rows", list}}.dump(2) + "\n";
}

std::string evaluation_table(const std::vector<Evaluation>& rows) {
  std::string text = fmt::format(
      "{:<16} {:<10} {:>5}  {:>10} {:>10} {:>10} {:>7}  {:>10} {:>10}  {:>8}\n", "model", "scheme",
      "folds", "mse", "mae", "rmse", "r2", "mse_minmax", "mae_minmax", "seconds");
  for (const Evaluation& e : rows) {
    const Metrics& m = e.mean;
    text += fmt::format(
        "{:<16} {:<10} {:>5}  {:>10} {:>10} {:>10} {:>7}  {:>10} {:>10}  {:>8.1f}\n", e.model,
        e.scheme, e.folds.size(), format_short(m.mse), format_short(m.mae), format_short(m.rmse),
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
