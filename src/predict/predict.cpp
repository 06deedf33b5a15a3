// Model::predict: a network or a baseline is asked in chunks of bounded memory.

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <fmt/core.h>

#include "base/text.h"
#include "model/inference.h"
#include "model/state.h"
#include "pegnn/error.h"
#include "pegnn/log.h"
#include "pegnn/model.h"
#include "table/dataset.h"

namespace pegnn {
namespace {

// Rows that a baseline is asked for at a time: between two such chunks it can be stopped.
constexpr std::size_t kChunk = 16384;

// The columns of the new table that play the parts of the training table's.
ColumnChoice choice_for(const ModelState& s, const ColumnChoice& given) {
  ColumnChoice choice = given;
  const bool coordinates_given =
      !given.lon.empty() || !given.lat.empty() || !given.x.empty() || !given.y.empty();
  if (!coordinates_given) {
    (s.roles.geographic ? choice.lon : choice.x) = s.roles.x;
    (s.roles.geographic ? choice.lat : choice.y) = s.roles.y;
  }
  choice.target.clear();
  choice.features = s.roles.features;
  choice.no_features = s.roles.features.empty();
  return choice;
}

void check_features(const ModelState& s, const Table& table) {
  std::vector<std::string> missing;
  for (const std::string& name : s.roles.features) {
    if (table.find(name) == nullptr) missing.push_back(name);
  }
  if (missing.empty()) return;
  std::vector<std::string> present;
  for (const Column& column : table.columns()) present.push_back(column.name);
  throw Error(ErrorKind::data, fmt::format("{}: the model needs the feature{} {}; the table has {}",
                                           table.source(), missing.size() == 1 ? "" : "s",
                                           join(missing, ", "), join(present, ", ")));
}

// What is asked, and where the answers go.
struct Job {
  const std::vector<Point>& points;
  const std::vector<double>& features;
  Prediction& out;

  // Features of rows [first, first + count), scaled.
  template <class T>
  void scale(const Scaler& scaler, std::size_t first, std::size_t count,
             std::vector<T>& scaled) const {
    const std::size_t width = scaler.features.size();
    scaled.resize(count * width);
    for (std::size_t i = 0; i < scaled.size(); ++i) {
      scaled[i] = static_cast<T>(scaler.features[i % width].apply(features[first * width + i]));
    }
  }
};

// Calls f(first, count) for chunks of the rows; asks in between whether to stop.
template <class F>
void for_chunks(std::size_t rows, std::size_t chunk, const RunSettings& run, F&& f) {
  for (std::size_t first = 0; first < rows; first += chunk) {
    f(first, std::min(chunk, rows - first));
    if (run.stop && run.stop()) throw Error(ErrorKind::interrupted, "stopped before the last row");
  }
}

void ask_network(const ModelState& s, const Job& job, const RunSettings& run) {
  const ThreadPool pool(run.threads);
  const auto width = static_cast<std::int64_t>(s.roles.features.size());
  const auto train_rows = static_cast<std::int64_t>(s.points.size());
  Inference inference(s.options, s.space,
                      {s.points, {s.features.data(), train_rows, width}, s.labels}, pool);
  std::vector<float> scaled, out;
  Prepared prepared;
  std::int64_t out_of_reach = 0;
  const std::size_t rows = job.points.size();
  for_chunks(rows, inference.chunk(rows), run, [&](std::size_t first, std::size_t count) {
    job.scale(s.scaler, first, count, scaled);
    inference.prepare(std::span(job.points).subspan(first, count),
                      {scaled.data(), static_cast<std::int64_t>(count), width}, prepared);
    out_of_reach += prepared.attached.out_of_reach;
    out.resize(count);
    inference.run(prepared, s.parameters, out);
    for (std::size_t i = 0; i < count; ++i) {
      job.out.mean[first + i] = target_of(s, static_cast<double>(out[i]));
    }
  });
  if (out_of_reach > 0 && run.log != nullptr) {
    run.log->warn(fmt::format(
        "{} of {} rows lie farther from the training points than those lie from each other; their "
        "neighbours have no weight",
        format_count(out_of_reach), format_count(static_cast<long long>(rows))));
  }
}

void ask_baseline(const ModelState& s, const Job& job, const RunSettings& run) {
  const ThreadPool pool(run.threads);
  const std::unique_ptr<Baseline> baseline = restore_baseline(s, pool);
  const auto width = static_cast<std::int64_t>(s.roles.features.size());
  std::vector<double> scaled;
  for_chunks(job.points.size(), kChunk, run, [&](std::size_t first, std::size_t count) {
    job.scale(s.scaler, first, count, scaled);
    const std::span<double> mean = std::span(job.out.mean).subspan(first, count);
    std::span<double> deviation;
    if (!job.out.deviation.empty()) deviation = std::span(job.out.deviation).subspan(first, count);
    baseline->predict({std::span(job.points).subspan(first, count),
                       {scaled.data(), static_cast<std::int64_t>(count), width}},
                      pool, mean, deviation);
    for (double& value : mean) value = target_of(s, value);
    for (double& value : deviation) value *= s.scaler.target.scale;
  });
}

}  // namespace

Prediction Model::predict_points(const std::vector<Point>& points,
                                 const std::vector<double>& features, bool deviation,
                                 const RunSettings& run) const {
  const ModelState& s = *state_;
  const std::size_t width = s.roles.features.size();
  if (features.size() != points.size() * width) {
    throw Error(ErrorKind::usage, fmt::format("{} feature values for {} points of a model with {}",
                                              features.size(), points.size(), width));
  }
  Prediction out;
  out.mean.resize(points.size());
  if (deviation && gives_deviation()) out.deviation.resize(points.size());
  if (find_baseline(s.options.model) != nullptr) {
    ask_baseline(s, {points, features, out}, run);
  } else {
    ask_network(s, {points, features, out}, run);
  }
  return out;
}

Prediction Model::predict_table(const Table& table, const ColumnChoice& choice, bool drop_missing,
                                bool deviation, const RunSettings& run) const {
  const ModelState& s = *state_;
  Log& log = run.log != nullptr ? *run.log : silent_log();
  check_features(s, table);
  const Roles roles = resolve_roles(table, choice_for(s, choice), log);
  if (roles.geographic != s.roles.geographic) {
    throw Error(ErrorKind::usage,
                fmt::format("the model was trained on {}, the table has {}",
                            s.roles.geographic ? "longitude and latitude" : "projected x and y",
                            roles.geographic ? "longitude and latitude" : "projected x and y"));
  }
  const Dataset data = make_dataset(table, roles, s.space,
                                    drop_missing ? MissingRows::drop : MissingRows::refuse, log);
  const Prediction found = predict_points(data.points, data.x, deviation, run);
  // Back to the rows of the table; those left out stay NaN.
  const auto spread = [&](const std::vector<double>& values) {
    if (values.empty()) return std::vector<double>();
    std::vector<double> all(static_cast<std::size_t>(table.rows()),
                            std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < values.size(); ++i) {
      all[static_cast<std::size_t>(data.table_rows[i])] = values[i];
    }
    return all;
  };
  return {spread(found.mean), spread(found.deviation)};
}

std::vector<double> Model::predict(const std::vector<Point>& points,
                                   const std::vector<double>& features,
                                   const RunSettings& run) const {
  return predict_points(points, features, false, run).mean;
}

std::vector<double> Model::predict(const Table& table, const ColumnChoice& choice,
                                   bool drop_missing, const RunSettings& run) const {
  return predict_table(table, choice, drop_missing, false, run).mean;
}

Prediction Model::predict_with_deviation(const std::vector<Point>& points,
                                         const std::vector<double>& features,
                                         const RunSettings& run) const {
  return predict_points(points, features, true, run);
}

Prediction Model::predict_with_deviation(const Table& table, const ColumnChoice& choice,
                                         bool drop_missing, const RunSettings& run) const {
  return predict_table(table, choice, drop_missing, true, run);
}

}  // namespace pegnn
