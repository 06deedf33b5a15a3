// Model::predict: new points join the training points, in chunks of bounded memory.

#include <algorithm>
#include <cmath>
#include <limits>

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

// New points per pass. Larger chunks share more of the training points' work, smaller ones take
// less memory. 16 K points scattered over half a million training points, where neighbourhoods
// hardly overlap, take 0.67 GB in all; points close together far less.
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

}  // namespace

std::vector<double> Model::predict(const std::vector<Point>& points,
                                   const std::vector<double>& features,
                                   const RunSettings& run) const {
  const ModelState& s = *state_;
  const auto width = s.roles.features.size();
  if (features.size() != points.size() * width) {
    throw Error(ErrorKind::usage, fmt::format("{} feature values for {} points of a model with {}",
                                              features.size(), points.size(), width));
  }
  const ThreadPool pool(run.threads);
  Inference inference(s.options, s.space, s.points,
                      {s.features.data(), static_cast<std::int64_t>(s.points.size()),
                       static_cast<std::int64_t>(width)},
                      pool);
  std::vector<double> predicted(points.size());
  std::vector<float> scaled, out;
  Prepared prepared;
  std::int64_t out_of_reach = 0;
  const std::size_t chunk =
      inference.test_only() ? std::max<std::size_t>(1, points.size()) : kChunk;
  for (std::size_t first = 0; first < points.size(); first += chunk) {
    const std::size_t count = std::min(chunk, points.size() - first);
    scaled.resize(count * width);
    for (std::size_t i = 0; i < scaled.size(); ++i) {
      const double value = features[first * width + i];
      scaled[i] = static_cast<float>(s.scaler.features[i % width].apply(value));
    }
    inference.prepare(
        std::span(points).subspan(first, count),
        {scaled.data(), static_cast<std::int64_t>(count), static_cast<std::int64_t>(width)},
        prepared);
    out_of_reach += prepared.attached.out_of_reach;
    out.resize(count);
    inference.run(prepared, s.parameters, out);
    for (std::size_t i = 0; i < count; ++i) {
      predicted[first + i] = target_of(s, out[i]);
    }
    if (run.stop && run.stop()) throw Error(ErrorKind::interrupted, "stopped before the last row");
  }
  if (out_of_reach > 0 && run.log != nullptr) {
    run.log->warn(fmt::format(
        "{} of {} rows lie farther from the training points than those lie from each other; their "
        "neighbours have no weight",
        format_count(out_of_reach), format_count(static_cast<long long>(points.size()))));
  }
  return predicted;
}

std::vector<double> Model::predict(const Table& table, const ColumnChoice& choice,
                                   bool drop_missing, const RunSettings& run) const {
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
  const std::vector<double> values = predict(data.points, data.x, run);
  std::vector<double> all(static_cast<std::size_t>(table.rows()),
                          std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < values.size(); ++i) {
    all[static_cast<std::size_t>(data.table_rows[i])] = values[i];
  }
  return all;
}

}  // namespace pegnn
