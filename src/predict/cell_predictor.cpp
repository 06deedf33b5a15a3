// CellPredictor: the complete ones among cells are predicted and judged.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "base/array.h"
#include "base/thread_pool.h"
#include "model/state.h"
#include "pegnn/error.h"
#include "pegnn/map.h"
#include "predict/applicability.h"

namespace pegnn {
namespace {

// The cells that can be asked for: their number, place and features.
struct Complete {
  Array<std::int64_t> cells;
  Array<Point> points;
  Array<double> features;
};

Complete complete_cells(Span<const Point> points, Span<const double> features, std::int64_t width,
                        bool geographic) {
  Complete found;
  found.cells.reserve(points.size());
  found.points.reserve(points.size());
  found.features.reserve(features.size());
  for (std::int64_t i = 0; i < std::ssize(points); ++i) {
    const auto row = features.subspan(i * width, width);
    bool complete = std::isfinite(points[i].x) && std::isfinite(points[i].y);
    for (const double value : row) complete = complete && std::isfinite(value);
    if (!complete) continue;
    Point p = points[i];
    if (geographic) p.x = std::remainder(p.x, 360.0);  // as the training points' longitudes are
    found.cells.push_back(i);
    found.points.push_back(p);
    found.features.insert(found.features.end(), row.begin(), row.end());
  }
  return found;
}

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

void spread(Span<const double> values, const Array<std::int64_t>& cells, Span<double> out) {
  for (std::int64_t i = 0; i < std::ssize(cells); ++i) out[cells[i]] = values[i];
}

}  // namespace

struct CellPredictor::State {
  State(const Model& given, bool only_mean, bool with_applicability, const RunSettings& settings)
      : model(given),
        mean_only(only_mean),
        run(settings),
        columns(given.outputs()),
        pool(run.threads) {
    start();
    if (mean_only) columns.resize(1);
    if (with_applicability) applicability = &given.area(pool);
  }

  void start() { predictor.emplace(model, Question{.mean_only = mean_only}, run); }

  const Model& model;
  bool mean_only;
  RunSettings run;
  std::vector<OutputColumn> columns;
  ThreadPool pool;
  std::optional<Predictor> predictor;
  const Applicability* applicability = nullptr;
};

CellPredictor::CellPredictor(const Model& model, bool mean_only, bool applicability,
                             const RunSettings& run)
    : state_(std::make_unique<State>(model, mean_only, applicability, run)) {}

CellPredictor::~CellPredictor() = default;

CellValues CellPredictor::ask(std::span<const Point> points, std::span<const double> features) {
  State& s = *state_;
  const Roles& roles = s.model.state().roles;
  const std::int64_t width = std::ssize(roles.features), count = std::ssize(points);
  if (std::ssize(features) != count * width) {
    throw Error(ErrorKind::usage, fmt::format("{} feature values for {} cells: {} are needed for "
                                              "each",
                                              features.size(), count, width));
  }
  const Complete rows = complete_cells(points, features, width, roles.geographic);
  CellValues values{.answer = Answer(s.columns, count), .distance = {}, .applicable = {}};
  std::ranges::fill(values.answer.values, kNone);
  if (!rows.cells.empty()) {
    const Answer found = s.predictor->ask(rows.points, rows.features);
    for (std::size_t c = 0; c < s.columns.size(); ++c) {
      spread(found.column(c), rows.cells, values.answer.column(c));
    }
  }
  if (!s.applicability) return values;
  values.distance.assign(as_size(count), kNone);
  values.applicable.assign(as_size(count), kNone);
  if (rows.cells.empty()) return values;
  Array<Judgement> found(rows.cells.size());
  s.applicability->judge(rows.points, {rows.features.data(), std::ssize(rows.cells), width}, s.pool,
                         found);
  for (std::int64_t i = 0; i < std::ssize(found); ++i) {
    Span(values.distance)[rows.cells[i]] = found[i].distance;
    Span(values.applicable)[rows.cells[i]] = found[i].inside() ? 1 : 0;
  }
  return values;
}

void CellPredictor::finish() { state_->predictor->finish(); }

void CellPredictor::forget() { state_->start(); }

double CellPredictor::reach() const {
  return state_->applicability ? state_->applicability->reach() : 0;
}

}  // namespace pegnn
