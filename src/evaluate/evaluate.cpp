#include "pegnn/evaluate.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/core.h>

#include "base/text.h"
#include "geo/blocks.h"
#include "model/preset.h"
#include "pegnn/error.h"
#include "pegnn/log.h"
#include "pegnn/model.h"
#include "table/split.h"
#include "train/fit.h"
#include "train/resolve.h"

namespace pegnn {
namespace {

// The rows of `data` behind table rows; Error{data} when one was dropped for missing values.
std::vector<std::int64_t> data_rows(const Dataset& data, const std::vector<std::int64_t>& rows) {
  const std::vector<std::int64_t>& kept = data.table_rows;  // ascending
  std::vector<std::int64_t> found;
  for (const std::int64_t row : rows) {
    const auto at = std::lower_bound(kept.begin(), kept.end(), row);
    if (at == kept.end() || *at != row) {
      throw Error(ErrorKind::data,
                  fmt::format("test row {} was left out for a missing value; take it off the list "
                              "of --test-rows",
                              row));
    }
    found.push_back(at - kept.begin());
  }
  return found;
}

// Blocks are measured on the ground whatever the graph's metric is.
std::vector<std::int32_t> make_blocks(const Dataset& data, bool geographic, double size,
                                      Evaluation& evaluation, Log& log) {
  const Space space = geographic ? Space::sphere : Space::plane;
  evaluation.block_size = size > 0 ? size : default_block_size(data.points, space);
  std::vector<std::int32_t> blocks = spatial_blocks(data.points, space, evaluation.block_size);
  const std::int32_t count =
      blocks.empty() ? 0 : *std::max_element(blocks.begin(), blocks.end()) + 1;
  log.note(
      fmt::format("spatial blocks of {} {}: {} of them hold points",
                  format_short(geographic ? evaluation.block_size / 1000 : evaluation.block_size),
                  geographic ? "km" : "units", count));
  return blocks;
}

std::vector<Split> make_splits(const Dataset& data, bool geographic,
                               const EvaluateSettings& settings, std::uint64_t seed,
                               Evaluation& evaluation, Log& log) {
  evaluation.scheme = settings.scheme;
  if (!settings.test_rows.empty()) {
    evaluation.scheme = "test-rows";
    return {split_by_rows(data.rows(), data_rows(data, settings.test_rows))};
  }
  const std::int64_t folds = settings.folds;
  if (settings.scheme == "random") {
    if (folds == 1) return {random_split(data.rows(), settings.test_share, seed)};
    return random_folds(data.rows(), folds, seed);
  }
  if (settings.scheme != "block") {
    const std::vector<std::string> known{"block", "random"};
    throw Error(ErrorKind::usage, "--scheme: " + unknown_word("scheme", settings.scheme, known));
  }
  const std::vector<std::int32_t> blocks =
      make_blocks(data, geographic, settings.block_size, evaluation, log);
  if (folds == 1) return {group_split(blocks, settings.test_share, seed)};
  return group_folds(blocks, folds, seed);
}

// Mean and standard deviation of one figure over the folds.
void summarise(Evaluation& evaluation, double Metrics::*figure) {
  const auto n = static_cast<double>(evaluation.folds.size());
  double mean = 0, square = 0;
  for (const FoldScore& fold : evaluation.folds) mean += fold.metrics.*figure / n;
  for (const FoldScore& fold : evaluation.folds) {
    square += (fold.metrics.*figure - mean) * (fold.metrics.*figure - mean);
  }
  evaluation.mean.*figure = mean;
  evaluation.sd.*figure = n > 1 ? std::sqrt(square / (n - 1)) : 0.0;
}

FoldScore score_fold(const Dataset& data, const Roles& roles, const Options& options,
                     const Split& split, const Scaler* over_all, double lo, double hi,
                     const RunSettings& run, Evaluation& evaluation) {
  const auto start = std::chrono::steady_clock::now();
  Fit fit = fit_model(subset(data, split.train), roles, options, over_all, run);
  const Model model(std::move(fit.state));
  const Dataset test = subset(data, split.test);
  const std::vector<double> predicted = model.predict(test.points, test.x, run);
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    evaluation.predicted[static_cast<std::size_t>(test.table_rows[i])] = predicted[i];
  }
  return {
      .metrics = compute_metrics(test.y, predicted, lo, hi),
      .train_rows = static_cast<std::int64_t>(split.train.size()),
      .test_rows = test.rows(),
      .seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
}

}  // namespace

std::string model_name(const Options& options) {
  if (options.model != "network") return options.model;
  return (options.encoder == "none" ? "" : "pe-") + options.backbone;
}

Evaluation evaluate(const Table& table, const Roles& given, const Options& options,
                    const EvaluateSettings& settings, const RunSettings& run) {
  Log& log = run.log != nullptr ? *run.log : silent_log();
  check_options(options);
  if (given.target.empty()) throw Error(ErrorKind::usage, "no column is named as the target");
  const Roles roles = roles_for(options, given, log);
  const Dataset data =
      make_dataset(table, roles, space_for(options, roles),
                   settings.drop_missing ? MissingRows::drop : MissingRows::refuse, log);
  Evaluation evaluation;
  evaluation.model = model_name(options);
  evaluation.predicted.assign(static_cast<std::size_t>(table.rows()),
                              std::numeric_limits<double>::quiet_NaN());
  const auto [lo, hi] = std::minmax_element(data.y.begin(), data.y.end());

  Scaler over_all;
  const bool leak = options.scale_over == "all";
  if (leak) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(data.rows()));
    std::iota(all.begin(), all.end(), 0);
    over_all = fit_scaler(data, all, scaling_of(options));
  }
  const std::vector<Split> splits = make_splits(
      data, roles.geographic, settings, static_cast<std::uint64_t>(options.seed), evaluation, log);
  for (std::size_t f = 0; f < splits.size(); ++f) {
    if (splits.size() > 1) log.note(fmt::format("fold {} of {}", f + 1, splits.size()));
    evaluation.folds.push_back(score_fold(data, roles, options, splits[f],
                                          leak ? &over_all : nullptr, *lo, *hi, run, evaluation));
    evaluation.seconds += evaluation.folds.back().seconds;
  }
  for (const auto figure : {&Metrics::mse, &Metrics::mae, &Metrics::rmse, &Metrics::r2,
                            &Metrics::mse_minmax, &Metrics::mae_minmax}) {
    summarise(evaluation, figure);
  }
  for (const FoldScore& fold : evaluation.folds) evaluation.mean.rows += fold.test_rows;
  return evaluation;
}

}  // namespace pegnn
