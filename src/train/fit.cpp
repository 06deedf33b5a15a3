#include "train/fit.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include <fmt/core.h>
#include <xxhash.h>

#include "base/options.h"
#include "base/text.h"
#include "model/preset.h"
#include "pegnn/error.h"
#include "pegnn/log.h"
#include "pegnn/version.h"
#include "table/split.h"
#include "train/resolve.h"
#include "train/trainer.h"

namespace pegnn {
namespace {

template <class T>
std::uint64_t hash_of(const std::vector<T>& values, std::uint64_t seed) {
  return XXH64(values.data(), values.size() * sizeof(T), seed);
}

std::string data_hash(const Dataset& data) {
  return fmt::format("{:016x}", hash_of(data.y, hash_of(data.x, hash_of(data.points, 0))));
}

// What a snapshot must agree with: the data, every option but the number of steps (a longer run may
// continue a shorter one), and the version.
std::string fingerprint_of(const Dataset& data, Options options) {
  options.steps = 1;
  std::string text = data_hash(data);
  for (const OptionText& option : option_texts(options)) text += "|" + option.value;
  return fmt::format("{}-{:016x}", version(), XXH64(text.data(), text.size(), 0));
}

Split hold_back(std::int64_t rows, const Options& options) {
  if (options.validation == 0 || rows < 2 * kFewestRows) {
    Split all;
    all.train.resize(static_cast<std::size_t>(rows));
    std::iota(all.train.begin(), all.train.end(), 0);
    return all;
  }
  const std::int64_t most = std::min(kMostValidationRows, rows - kFewestRows);
  const double share =
      std::min(options.validation, static_cast<double>(most) / static_cast<double>(rows));
  return random_split(rows, share, static_cast<std::uint64_t>(options.seed), SplitUse::validation);
}

// What the kept weights predict on the rows shown in the report: the validation rows, attached as
// new points are; without any, the training rows, each with its neighbours among the others.
void predict_shown(const Dataset& data, const ModelState& state, const ThreadPool& pool, Fit& fit) {
  Options options = state.options;
  if (!fit.shown_are_validation) options.graph = "test-only";
  const auto width = static_cast<std::int64_t>(state.roles.features.size());
  const auto train_rows = static_cast<std::int64_t>(state.points.size());
  Inference inference(options, state.space, state.points,
                      {state.features.data(), train_rows, width}, pool);
  const TrainingSet shown = make_training_set(data, fit.shown_rows, state.scaler);
  Prepared prepared;
  inference.prepare(shown.points, shown.feature_matrix(), prepared);
  std::vector<float> scaled(fit.shown_rows.size());
  inference.run(prepared, state.parameters, scaled);
  for (std::size_t i = 0; i < scaled.size(); ++i) {
    fit.predicted.push_back(target_of(state, scaled[i]));
    fit.observed.push_back(data.y[static_cast<std::size_t>(fit.shown_rows[i])]);
  }
}

}  // namespace

Scaling scaling_of(const Options& options) {
  if (options.scaling == "minmax") return Scaling::minmax;
  return options.scaling == "standard" ? Scaling::standard : Scaling::none;
}

Fit fit_model(const Dataset& data, const Roles& roles, const Options& asked, const Scaler* given,
              const RunSettings& run) {
  const auto start = std::chrono::steady_clock::now();
  Log& log = run.log != nullptr ? *run.log : silent_log();
  check_options(asked);
  if (data.rows() < kFewestRows) {
    throw Error(
        ErrorKind::data,
        fmt::format("{} row{} to train on, at least {} are needed; give a longer table or hold "
                    "out fewer rows",
                    data.rows(), data.rows() == 1 ? "" : "s", kFewestRows));
  }
  const ThreadPool pool(run.threads);
  const Split split = hold_back(data.rows(), asked);
  if (asked.validation > 0 && split.test.empty()) {
    log.note(fmt::format("{} rows are too few to hold any back for early stopping", data.rows()));
  }
  const Scaler scaler =
      given != nullptr ? *given : fit_scaler(data, split.train, scaling_of(asked));
  const Dataset train_data = subset(data, split.train);
  const Options options =
      resolve_options(asked, train_data.points, train_data.y, data.space, pool, log);

  Trainer trainer(data, scaler, options, split.train, split.test, pool);
  trainer.run(run, fingerprint_of(data, options));
  log.detail(fmt::format("work memory of the network: {} MB",
                         format_short(static_cast<double>(trainer.work_bytes()) / 1e6, 3)));

  Fit fit;
  fit.curve = trainer.progress().curve;
  fit.shown_are_validation = !split.test.empty();
  fit.shown_rows = fit.shown_are_validation ? split.test : split.train;
  if (static_cast<std::int64_t>(fit.shown_rows.size()) > kMostValidationRows) {
    const double share =
        static_cast<double>(kMostValidationRows) / static_cast<double>(data.rows());
    fit.shown_rows =
        random_split(data.rows(), share, static_cast<std::uint64_t>(options.seed)).test;
  }
  const auto [lo, hi] = std::minmax_element(data.y.begin(), data.y.end());
  fit.state = {.options = options,
               .roles = roles,
               .space = data.space,
               .scaler = scaler,
               .points = trainer.set().points,
               .features = trainer.set().features,
               .parameters = {trainer.parameters().begin(), trainer.parameters().end()},
               .provenance = {.table = {},
                              .table_hash = data_hash(data),
                              .rows = data.rows(),
                              .target_lo = *lo,
                              .target_hi = *hi},
               .steps = trainer.progress().step,
               .best_step = trainer.progress().best_step,
               .best_validation = trainer.progress().best_validation};
  predict_shown(data, fit.state, pool, fit);
  fit.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return fit;
}

}  // namespace pegnn
