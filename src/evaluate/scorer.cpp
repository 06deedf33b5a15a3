#include "evaluate/scorer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "base/array.h"
#include "base/text.h"
#include "evaluate/leaks.h"
#include "model/model_kind.h"
#include "model/preset.h"
#include "pegnn/error.h"
#include "pegnn/log.h"
#include "pegnn/model.h"
#include "train/fit.h"
#include "train/resolve.h"
#include "train/setting.h"

namespace pegnn {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool uses_features(const CompareEntry& model) {
  return kind_of(model.options).traits().uses_features;
}

// Features that no model looks at must not cost rows in which they are missing.
Roles needed_roles(Roles roles, Span<const CompareEntry> models) {
  if (roles.target.empty()) throw Error(ErrorKind::usage, "no column is named as the target");
  if (std::none_of(models.begin(), models.end(), uses_features)) roles.features.clear();
  return roles;
}

// The rows with the features that `roles` names, whether a model uses them or not; what is missing
// is the mean of the others.
Dataset with_all_features(Dataset data, const Table& table, const Roles& roles) {
  const std::int64_t width = std::ssize(roles.features);
  data.feature_names = roles.features;
  data.x.assign(data.points.size() * width, 0.0);
  for (std::int64_t f = 0; f < width; ++f) {
    const Span column(table.find(Span(roles.features)[f])->values);
    double mean = 0, count = 0;
    for (const std::int64_t row : data.table_rows) {
      const double value = column[row];
      if (std::isfinite(value)) mean += (value - mean) / ++count;
    }
    for (std::int64_t i = 0; i < std::ssize(data.points); ++i) {
      const double value = column[data.table_rows[i]];
      data.x[i * width + f] = std::isfinite(value) ? value : mean;
    }
  }
  return data;
}

SplitPlan plan_for(const Dataset& data, const Table& table, const Roles& roles,
                   Span<const CompareEntry> models, const EvaluateSettings& settings,
                   const RunSettings& run) {
  const std::int64_t seed =
      settings.split_seed >= 0 ? settings.split_seed : models.front().options.seed;
  const bool whole = data.features() == std::ssize(roles.features);
  if (settings.scheme != "block" || whole)
    return SplitPlan(table, data, roles, settings, seed, run);
  return SplitPlan(table, with_all_features(data, table, roles), roles, settings, seed, run);
}

// Mean and standard deviation of one figure over the folds.
void summarise(Evaluation& evaluation, std::size_t figure) {
  const auto n = static_cast<double>(evaluation.folds.size());
  const auto of = [&](const FoldScore& fold) { return fold.metrics.values[figure]; };
  double mean = 0, square = 0;
  for (const FoldScore& fold : evaluation.folds) mean += of(fold) / n;
  for (const FoldScore& fold : evaluation.folds) square += (of(fold) - mean) * (of(fold) - mean);
  evaluation.mean.values[figure] = mean;
  evaluation.sd.values[figure] = n > 1 ? std::sqrt(square / (n - 1)) : 0.0;
}

}  // namespace

struct Scorer::Trained {
  Answer answer;  // to the rows held out
  double train_seconds = 0, predict_seconds = 0;
  std::int64_t repeat = 0;
};

Scorer::Scorer(const Table& table, const Roles& roles, Span<const CompareEntry> models,
               const EvaluateSettings& settings, const RunSettings& run)
    : roles_(needed_roles(roles, models)),
      data_(rows_to_split(table, roles_, settings, run.logger())),
      table_rows_(table.rows()),
      plan_(plan_for(data_, table, roles, models, settings, run)),
      repeats_(plan_, data_.points, ground()),
      watch_(settings.watch),
      scores_(settings.scores) {
  const auto [lo, hi] = std::minmax_element(data_.y.begin(), data_.y.end());
  lo_ = *lo;
  hi_ = *hi;
  const std::string coincident = coincidence_warning(data_, roles_.geographic, plan_.splits(0));
  if (!coincident.empty()) warnings_.push_back(coincident);
  for (std::string& copy : copy_warnings(data_)) warnings_.push_back(std::move(copy));
  for (std::string& warning : warnings_) {
    warning = with_options(warning, run.logger().option_style());
    run.logger().warn(warning);
  }
}

Dataset Scorer::part(Span<const std::int64_t> rows, const Roles& roles,
                     const Options& options) const {
  Dataset some = subset(data_, rows);
  some.space = space_for(options, roles);
  if (roles.features.empty()) {
    some.x.clear();
    some.feature_names.clear();
  }
  return some;
}

Scorer::Trained Scorer::train_and_predict(const Split& split, const Roles& roles,
                                          const Options& options, const Scaler* over_all,
                                          const RunSettings& run) const {
  Trained trained;
  const Dataset test = part(split.test, roles, options);
  auto start = std::chrono::steady_clock::now();
  Fit fit = fit_model(part(split.train, roles, options), roles, options, over_all, run,
                      watch_ ? &test : nullptr);
  const Model model(std::move(fit.state));
  trained.train_seconds = seconds_since(start);
  start = std::chrono::steady_clock::now();
  Predictor predictor(model, {.mean_only = !scores_}, run);
  trained.answer = predictor.ask(test.points, test.x);
  predictor.finish();
  trained.predict_seconds = seconds_since(start);
  return trained;
}

void Scorer::tell(const std::string& place, std::int64_t repeat, std::int64_t fold,
                  Log& log) const {
  std::vector<std::string> where;
  if (!place.empty()) where.push_back(place);
  if (plan_.repeats() > 1) {
    where.push_back(fmt::format("repeat {} of {}", repeat + 1, plan_.repeats()));
  }
  if (plan_.folds() > 1) where.push_back(fmt::format("fold {} of {}", fold + 1, plan_.folds()));
  if (!where.empty()) log.note(join(where, ", "));
}

void Scorer::add(const Split& split, const Trained& trained, Score& score) const {
  Evaluation& evaluation = score.evaluation;
  const std::int64_t held = split.test.size();
  const double weight =
      1.0 / static_cast<double>(plan_.repeats() * plan_.folds()) / static_cast<double>(held);
  const Span<const double> mean(trained.answer.mean());
  Array<double> observed(held);
  for (std::int64_t i = 0; i < held; ++i) {
    const std::int64_t row = split.test[i];
    observed[i] = data_.y[row];
    const double off = observed[i] - mean[i];
    score.loss[row] += weight * off * off;
    score.blocks[trained.repeat * Repeats::kBlocks + repeats_.block_of()[row]] +=
        weight * static_cast<double>(plan_.repeats()) * off * off;
    if (trained.repeat > 0) continue;
    const std::int64_t table_row = data_.table_rows[row];
    Span(evaluation.predicted)[table_row] = mean[i];
    Span(evaluation.fold)[table_row] = std::ssize(evaluation.folds);
  }
  evaluation.folds.push_back({.metrics = compute_metrics(observed, trained.answer, lo_, hi_),
                              .train_rows = std::ssize(split.train),
                              .test_rows = held,
                              .repeat = trained.repeat,
                              .train_seconds = trained.train_seconds,
                              .predict_seconds = trained.predict_seconds});
}

void Scorer::finish(Score& score, int threads) const {
  constexpr std::int64_t kNeighbours = 5;
  Evaluation& evaluation = score.evaluation;
  for (std::size_t figure = 0; figure < metric_figures().size(); ++figure) {
    summarise(evaluation, figure);
  }
  for (const FoldScore& fold : evaluation.folds) {
    evaluation.seconds += fold.seconds();
    if (fold.repeat == 0) evaluation.mean.rows += fold.test_rows;
  }
  if (!std::isfinite(evaluation.mean["mse"])) {
    throw Error(ErrorKind::failure, fmt::format("{}: its predictions are no longer finite numbers; "
                                                "a smaller <option:learning-rate> may help",
                                                evaluation.model));
  }
  Array<Point> points;
  Array<double> residuals;
  for (std::int64_t i = 0; i < std::ssize(data_.points); ++i) {
    const double predicted = Span(evaluation.predicted)[data_.table_rows[i]];
    if (std::isnan(predicted)) continue;
    points.push_back(data_.points[i]);
    residuals.push_back(data_.y[i] - predicted);
  }
  evaluation.residual_moran =
      moran(points, ground(), residuals, kNeighbours, {.permutations = 0}, threads).I;
}

Score Scorer::score(const CompareEntry& model, const std::string& place, Log& log,
                    const RunSettings& run) const {
  check_options(model.options);
  if (!data_.weight.empty()) require_weighing(model.options);
  const Roles roles = roles_for(model.options, roles_, run.logger());
  Scaler over_all;
  const bool leak = model.options.scale_over == "all";
  if (leak) {
    const Array<std::int64_t> all = all_rows(data_.rows());
    over_all = fit_scaler(part(all, roles, model.options), all, scaling_of(model.options));
  }
  Score score;
  Evaluation& evaluation = score.evaluation;
  evaluation.model = model.name;
  evaluation.scheme = plan_.scheme();
  evaluation.repeats = plan_.repeats();
  evaluation.predicted.assign(as_size(table_rows_), std::numeric_limits<double>::quiet_NaN());
  evaluation.fold.assign(as_size(table_rows_), -1);
  score.loss.assign(data_.rows(), 0.0);
  score.blocks.assign(plan_.repeats() * Repeats::kBlocks, 0.0);
  Trained last;
  bool seedless = false;
  for (std::int64_t repeat = 0; repeat < plan_.repeats(); ++repeat) {
    Options options = model.options;
    options.seed += repeat;
    const Array<Split> splits = plan_.splits(repeat);
    for (std::int64_t f = 0; f < std::ssize(splits); ++f) {
      if (!seedless) {
        // Of a model among many, that is as quick as a glance, the beginning is enough.
        constexpr double kSlow = 2;
        const bool first = repeat == 0 && f == 0;
        if (place.empty() || first || last.train_seconds + last.predict_seconds > kSlow) {
          tell(place, repeat, f, log);
        }
        Trained trained =
            train_and_predict(splits[f], roles, options, leak ? &over_all : nullptr, run);
        // On one split, a model that two seeds train to the same bits does not depend on the seed.
        seedless = repeat > 0 && !plan_.redrawn() && trained.answer.values == last.answer.values;
        last = std::move(trained);
      } else {
        last.train_seconds = last.predict_seconds = 0;
      }
      last.repeat = repeat;
      add(splits[f], last, score);
    }
  }
  finish(score, run.threads);
  return score;
}

}  // namespace pegnn
