// Predictor: a model is asked in chunks of bounded memory, each caller with work memory of its own.

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "base/array.h"
#include "base/text.h"
#include "compute/context.h"
#include "model/fitted.h"
#include "model/state.h"
#include "pegnn/error.h"
#include "pegnn/log.h"
#include "pegnn/model.h"
#include "predict/given_rows.h"
#include "predict/outside_count.h"
#include "table/dataset.h"
#include "table/given_points.h"
#include "table/roles.h"

namespace pegnn {
namespace {

// The columns of the new table that play the parts of the training table's. Its coordinates are
// those of its geometry, else of the columns named in training; where the model was trained on
// geometry and the table has none, of columns with usual names.
ColumnChoice choice_for(const ModelState& s, const Table& table, const ColumnChoice& given) {
  ColumnChoice choice = given;
  const bool coordinates_given =
      !given.lon.empty() || !given.lat.empty() || !given.x.empty() || !given.y.empty();
  if (!coordinates_given && !table.has_geometry() && s.roles.x != kGeometryX) {
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
  for (const Column& column : table.columns()) {
    if (!is_geometry(column.name)) present.push_back(column.name);
  }
  throw Error(ErrorKind::data, fmt::format("{}: the model needs the feature{} {}; the table has {}",
                                           table.source(), missing.size() == 1 ? "" : "s",
                                           join(missing, ", "), join(present, ", ")));
}

Roles roles_for(const ModelState& s, const Table& table, const ColumnChoice& given, Log& log) {
  check_features(s, table);
  const Roles roles = resolve_roles(table, choice_for(s, table, given), log);
  if (roles.crs.known() && s.roles.crs.known() && roles.crs.wkt != s.roles.crs.wkt) {
    throw Error(ErrorKind::usage,
                fmt::format("the model was trained in {}, {} is in {}: its coordinates must be "
                            "converted first",
                            s.roles.crs.name, table.source(), roles.crs.name));
  }
  if (roles.geographic != s.roles.geographic) {
    throw Error(ErrorKind::usage,
                fmt::format("the model was trained on {}, the table has {}",
                            s.roles.geographic ? "longitude and latitude" : "projected x and y",
                            roles.geographic ? "longitude and latitude" : "projected x and y"));
  }
  return roles;
}

}  // namespace

struct Predictor::State {
  State(const Model& of, const Question& asked, const RunSettings& settings)
      : model(of), s(of.state()), question(asked), columns(of.outputs()), context(settings) {
    if (question.mean_only) columns.resize(1);
    if (!question.applicability) return;
    model.area(context.pool);  // or an error, before a table is read
    columns.push_back({.kind = OutputKind::distance});
    columns.push_back({.kind = OutputKind::applicable});
  }

  // No NaN leaves without a word: of numbers far beyond those learned from, of a file made up.
  static void expect_finite(Span<const Point> points, Mat<const double> answers) {
    for (std::int64_t i = 0; i < std::ssize(points); ++i) {
      bool finite = true;
      for (std::int64_t c = 0; c < answers.rows; ++c) {
        finite = finite && std::isfinite(answers(c, i));
      }
      if (finite) continue;
      throw Error(ErrorKind::failure,
                  fmt::format("the prediction at {}, {} is not a finite number: the features there "
                              "or the numbers of the model are too large",
                              format_number(points[i].x), format_number(points[i].y)));
    }
  }

  // In chunks; asks in between whether to stop. The model is not made ready before there is
  // something to ask: it may take a while, and a table may be refused.   out: columns x rows
  void ask(const Queries& rows, Mat<double> out) {
    if (rows.rows() == 0) return;
    const FittedModel& fitted = model.fitted(context.pool);
    if (!scratch) scratch = fitted.scratch(context);
    const std::int64_t step = fitted.rows_at_a_time(rows.rows());
    for (std::int64_t first = 0; first < rows.rows(); first += step) {
      const std::int64_t count = std::min(step, rows.rows() - first);
      const Queries part = rows.part(first, count);
      const Mat<double> answers = out.columns(first, count);
      fitted.answer(part, *scratch, answers);
      expect_finite(part.points, answers);
      if (context.run.stopped()) {
        throw Error(ErrorKind::interrupted, "stopped before the last row");
      }
    }
    predicted += rows.rows();
  }

  // Points as a table's are: on the globe, longitudes up to 180.
  Answer answer(Span<const Point> points, Span<const double> features) {
    const Mat<const double> rows = feature_rows(s, features, points.size());
    Answer found(columns, points.size());
    const std::int64_t said = std::ssize(columns) - (question.applicability ? 2 : 0);
    ask({points, rows}, {found.values.data(), said, found.rows});
    judge({points, rows}, found);
    return found;
  }

  // As far as the question asks for it.
  void judge(const Queries& rows, Answer& answer) {
    if (rows.rows() == 0 || s.points.empty()) return;
    if (!question.applicability && !question.count_outside) return;
    const Applicability& area = model.area(context.pool);
    if (!outside) outside.emplace(area);
    if (!question.applicability) {
      outside->add(rows, context.pool);
      return;
    }
    Array<Judgement> found(rows.rows());
    area.judge(rows.points, rows.features, context.pool, found);
    const Span<double> distance(answer.column(columns.size() - 2));
    const Span<double> applicable(answer.column(columns.size() - 1));
    for (std::int64_t i = 0; i < rows.rows(); ++i) {
      distance[i] = found[i].distance;
      applicable[i] = found[i].inside() ? 1 : 0;
    }
    outside->add(found);
  }

  const Model& model;
  const ModelState& s;
  Question question;
  std::vector<OutputColumn> columns;  // of an answer
  Context context;
  std::unique_ptr<FittedModel::Scratch> scratch;

  std::optional<DatasetPieces> pieces;  // from the first piece of a table on
  std::string source;
  std::int64_t predicted = 0;
  std::optional<OutsideCount> outside;  // from the first rows on
};

Predictor::Predictor(const Model& model, const Question& question, const RunSettings& run)
    : state_(std::make_unique<State>(model, question, run)) {}
Predictor::~Predictor() = default;

bool Predictor::refused() const { return state_->pieces && state_->pieces->refused(); }

Answer Predictor::ask(std::span<const Point> points, std::span<const double> features) {
  check_finite(features, "feature value");
  return state_->answer(checked_points(points, state_->s.roles.geographic), features);
}

Answer Predictor::ask(const Table& piece) {
  // What is said of columns is said once; whether later pieces hold text is looked at each time.
  Log& log = state_->pieces ? silent_log() : state_->context.log;
  const Roles roles = roles_for(state_->s, piece, state_->question.choice, log);
  if (!state_->pieces) {
    state_->source = piece.source();
    state_->pieces.emplace(roles, state_->s.space,
                           state_->question.drop_missing ? MissingRows::drop : MissingRows::refuse,
                           state_->context.log);
  }
  const Dataset data = state_->pieces->take(piece);
  const Answer found = state_->answer(data.points, data.x);
  if (data.rows() == piece.rows()) return found;
  // Back to the rows of the table; those left out are NaN.
  Answer all(found.columns, piece.rows());
  std::ranges::fill(all.values, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t c = 0; c < all.columns.size(); ++c) {
    const Span<const double> from(found.column(c));
    const Span<double> to(all.column(c));
    for (std::int64_t i = 0; i < from.size(); ++i) to[data.table_rows[i]] = from[i];
  }
  return all;
}

Outside Predictor::outside() const {
  return state_->outside ? state_->outside->found() : Outside();
}

void Predictor::finish() {
  if (state_->pieces) state_->pieces->finish(state_->source);
  const std::int64_t out_of_reach = state_->scratch ? state_->scratch->out_of_reach : 0;
  if (out_of_reach == 0) return;
  state_->context.log.warn(fmt::format(
      "{} of {} rows lie farther from the training points than edges of the training graph reach; "
      "their neighbours have no weight",
      format_count(out_of_reach), format_count(state_->predicted)));
}

}  // namespace pegnn
