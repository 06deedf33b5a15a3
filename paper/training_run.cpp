#include "paper/training_run.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/core.h>
#include <xxhash.h>

#include "base/options.h"
#include "paper/split.h"
#include "pegnn/error.h"
#include "pegnn/evaluate.h"
#include "pegnn/train.h"
#include "pegnn/version.h"

namespace pegnn {
namespace {

// Of the likelihood of a Gaussian process.
constexpr std::int64_t kTimedEvaluations = 5;

Roles roles_of(const RunSpec& spec, const PaperRows& rows) {
  Roles roles = rows.data.roles;
  if (spec.task == Task::interpolation) roles.features.clear();
  return roles;
}

bool in_steps(const RunSpec& spec) { return keeps_snapshots(spec.options); }

// Networks of which several are trained, or settings tried, have no one curve.
bool trained_once(const Options& o) {
  return o.members == 1 && o.part.whole("far-members") == 0 && o.choose == "none";
}

// What kcn predicts takes as long as what it learns from, and no figure shows its curve.
bool watched(const RunSpec& spec) {
  return in_steps(spec) && spec.timed_threads == 0 && spec.options.backbone != "kcn" &&
         trained_once(spec.options);
}

// Training is broken off when its steps are done: what comes after them is not timed.
RunResult time_steps(const RunSpec& spec, const PaperRows& rows, const RunSettings& given) {
  const std::int64_t steps = in_steps(spec) ? spec.options.steps : kTimedEvaluations;
  RunResult result;
  EvaluateSettings settings;
  settings.scores = false;
  settings.test_rows = rows.test_rows;
  const auto done = [&] { return !result.curve.empty() && result.curve.back().step >= steps; };
  RunSettings run = given;
  run.progress = [&](const TrainProgress& p) {
    if (p.measured) result.curve.push_back(p);
  };
  run.stop = [&] { return done() || given.stopped(); };
  try {
    (void)evaluate(rows.data.table, roles_of(spec, rows), spec.options, settings, run);
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::interrupted || !done()) throw;
  }
  if (!result.curve.empty()) result.seconds = result.curve.back().seconds;
  return result;
}

}  // namespace

PaperRows with_paper_split(PaperData data) {
  PaperRows rows{std::move(data), {}, {}};
  rows.test_rows = paper_test_rows(rows.data.table.rows());
  std::uint64_t hash =
      XXH64(rows.test_rows.data(), rows.test_rows.size() * sizeof(std::int64_t), 0);
  for (const Column& column : rows.data.table.columns()) {
    hash = XXH64(column.name.data(), column.name.size(), hash);
    hash = XXH64(column.values.data(), column.values.size() * sizeof(double), hash);
  }
  rows.hash = fmt::format("{:016x}", hash);
  return rows;
}

std::string key_of(const RunSpec& spec, const PaperRows& rows) {
  std::string text = fmt::format("{}|{}|{}|{}|{}", version(), rows.hash, name_of(spec.task),
                                 spec.keeps_predictions, spec.timed_threads);
  for (const OptionText& option : option_texts(spec.options)) {
    text += fmt::format("|{}={}", option.name, option.value);
  }
  return fmt::format("{}-{}-{:016x}", spec.dataset, name_of(spec.task),
                     XXH64(text.data(), text.size(), 0));
}

double RunResult::step_seconds() const {
  if (curve.size() < 2) return kNotThere;
  const TrainProgress &first = curve.front(), &last = curve.back();
  return (last.seconds - first.seconds) / static_cast<double>(last.step - first.step);
}

RunResult train_and_score(const RunSpec& spec, const PaperRows& rows, const RunSettings& given) {
  if (spec.timed_threads > 0) return time_steps(spec, rows, given);
  RunResult result;
  EvaluateSettings settings;
  settings.scores = false;
  settings.test_rows = rows.test_rows;
  settings.watch = watched(spec);
  RunSettings run = given;
  run.progress = [&](const TrainProgress& p) {
    if (p.measured && in_steps(spec) && trained_once(spec.options)) result.curve.push_back(p);
  };
  const Evaluation evaluation =
      evaluate(rows.data.table, roles_of(spec, rows), spec.options, settings, run);
  result.errors = {evaluation.mean["mse_minmax"], evaluation.mean["mae_minmax"]};
  result.seconds = evaluation.seconds;
  if (spec.keeps_predictions) {
    for (const std::int64_t row : rows.test_rows) {
      result.predicted.push_back(evaluation.predicted[static_cast<std::size_t>(row)]);
    }
  }
  return result;
}

// Measured on one core of an AMD EPYC with another run beside it.
double expected_seconds(const RunSpec& spec, const PaperRows& rows) {
  const Options& o = spec.options;
  const auto n = static_cast<double>(rows.training_rows());
  if (!in_steps(spec)) {
    const double share = n / 16512;
    if (spec.timed_threads > 0) return 20;
    if (o.model == "gp") return 20 + 70 * share * share * share;
    if (o.model == "svgp") return 55 * share;
    if (o.model == "boosting" || o.model == "boosting_labels") return 4 + 10 * share;
    return o.model == "nngp" ? 10 * share : 1;
  }
  const double batch = o.batch <= 0 ? n : std::min(static_cast<double>(o.batch), n);
  const double wider = 1 + 0.02 * static_cast<double>(o.k);
  const double per_row = o.backbone == "label_attention" ? 11e-6
                         : o.backbone == "kcn"           ? 12e-6
                         : o.encoder == "none"           ? 0.8e-6
                                                         : 2.1e-6 * wider;
  const double trainings = static_cast<double>(o.members + o.part.whole("far-members")) +
                           (o.choose == "none" ? 0.0 : 3.0);
  return trainings * static_cast<double>(o.steps) * batch * per_row;
}

}  // namespace pegnn
