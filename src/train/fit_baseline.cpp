// Fitting a baseline: the same rows, scaler and errors as a network, another way to learn.

#include <fmt/core.h>

#include "base/array.h"
#include "model/baseline_model.h"
#include "pegnn/error.h"
#include "pegnn/log.h"
#include "train/fit.h"
#include "train/hold_out.h"
#include "train/scaled_rows.h"
#include "train/setting.h"

namespace pegnn {
namespace {

// Errors of left-out rows are shown on at most this many: enough for a per cent, and what a
// left-out row costs may grow with the square of the table.
constexpr std::int64_t kMostLeftOut = 2000;

}  // namespace

void fit_baseline(const Dataset& data, Split split, const Scaler* given, const Dataset*,
                  const Context& context, Fit& fit) {
  ModelState& state = fit.state;
  state.scaler =
      given != nullptr ? *given : fit_scaler(data, split.train, scaling_of(state.options));
  const BaselineEntry& entry = baseline_entry(state);
  FitProgress progress(context.run);
  const std::int64_t asked = state.options.k;
  entry.resolve(state.options, state.training_rows);
  if (asked > state.options.k) {
    progress.log().warn(fmt::format("{} {} needs more than {} points to train on; using {}",
                                    progress.log().option("k"), asked, state.training_rows,
                                    state.options.k));
  }
  const std::unique_ptr<Baseline> baseline = entry.make(baseline_spec(state));
  if (context.run.resume)
    progress.log().note("baselines keep no snapshots: fitting from the beginning");
  const ScaledRows train(data, split.train, state.scaler), held(data, split.test, state.scaler);
  baseline->fit(train.view(), held.view(), context.pool, progress);
  baseline->store(state.arrays);
  // What it learned from is kept as of a network: a map tells how far its cells are from it.
  state.points = train.points;
  state.features.assign(train.features.begin(), train.features.end());
  fit.curve = progress.curve();
  state.steps = progress.steps_taken();
  state.best_step = progress.best_step();
  state.best_validation = progress.best_validation();
  if (const std::string learned = baseline->summary(); !learned.empty()) {
    progress.log().note(fmt::format("{}: {}", entry.info.name, learned));
  }

  Array<double> scaled;
  if (!split.test.empty()) {
    fit.shown = ShownRows::validation;
    fit.shown_rows = split.test;
    scaled.resize(fit.shown_rows.size());
    baseline->predict(held.view(), context.pool, scaled, {});
  } else {
    // Nothing was held back, so the training rows are those of the table, in their order.
    fit.shown_rows = some_rows(split.train, kMostLeftOut, state.options.seed);
    scaled.resize(fit.shown_rows.size());
    if (entry.leaves_out) {
      fit.shown = ShownRows::left_out;
      baseline->predict_left_out(fit.shown_rows, context.pool, scaled);
    } else {
      const ScaledRows shown(data, fit.shown_rows, state.scaler);
      baseline->predict(shown.view(), context.pool, scaled, {});
    }
  }
  for (std::int64_t i = 0; i < std::ssize(scaled); ++i) {
    fit.predicted.push_back(target_of(state, scaled[i]));
    fit.observed.push_back(data.y[fit.shown_rows[i]]);
  }
}

}  // namespace pegnn
