// A network, weighed by place against models of other kinds.

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "base/array.h"
#include "base/text.h"
#include "model/combination.h"
#include "pegnn/log.h"
#include "train/companions.h"
#include "train/fit.h"
#include "train/weigh_models.h"

namespace pegnn {
namespace {

std::string name_of_part(const Options& options) {
  return options.model == "network" ? options.backbone : options.model;
}

// "label_attention 0.84, svgp 0.16": models without a weight are left out.
std::string told(const std::vector<std::string>& names, Span<const double> weights) {
  std::vector<std::string> words;
  for (std::size_t m = 0; m < names.size(); ++m) {
    if (weights[m] > 0) words.push_back(names[m] + " " + format_short(weights[m], 2));
  }
  return join(words, ", ");
}

// Of the rows held out near or far; NaN where there are none.
double root_mean_square(const OutOfFold& held, const Array<double>& answers, bool far) {
  double square = 0, count = 0;
  for (std::int64_t i = 0; i < held.size(); ++i) {
    if (held.is_far(i) != far) continue;
    square += (held.observed[i] - answers[i]) * (held.observed[i] - answers[i]);
    ++count;
  }
  return std::sqrt(square / count);
}

// Rows held out one by one, each once, with what the combination says of them.
void show(const OutOfFold& held, const Array<double>& answers, std::int64_t rows, Fit& fit) {
  std::vector<bool> shown(static_cast<std::size_t>(rows));
  fit.shown = ShownRows::validation;
  fit.shown_rows.clear();
  fit.observed.clear();
  fit.predicted.clear();
  for (std::int64_t i = 0; i < held.size(); ++i) {
    if (held.is_far(i) || shown[as_size(held.rows[i])]) continue;
    shown[as_size(held.rows[i])] = true;
    fit.shown_rows.push_back(held.rows[i]);
    fit.observed.push_back(held.observed[i]);
    fit.predicted.push_back(answers[i]);
  }
}

void tell(const OutOfFold& held, const Array<double>& answers, Log& log) {
  const auto count = [&](bool far) {
    std::int64_t rows = 0;
    for (std::int64_t i = 0; i < held.size(); ++i) rows += held.is_far(i) == far ? 1 : 0;
    return format_count(rows);
  };
  log.note(
      fmt::format("out of fold: RMSE {} on {} rows held out one by one, {} on {} held out in "
                  "blocks, far from the others",
                  format_short(root_mean_square(held, answers, false), 4), count(false),
                  format_short(root_mean_square(held, answers, true), 4), count(true)));
}

}  // namespace

void fit_combined(const Dataset& data, Split split, const Scaler* given, const Dataset* watched,
                  const Context& context, Fit& fit) {
  fit_network(data, std::move(split), given, watched, context, fit);
  Companions companions = fit_companions(data, fit, context);
  fit.folds.clear();
  if (companions.states.empty()) return;
  const OutOfFold& held = companions.held;
  Combination found = weigh_models(data, held, context.pool);
  std::vector<ModelState> parts;
  std::vector<std::string> names{name_of_part(fit.state.options)};
  for (const ModelState& state : companions.states) names.push_back(name_of_part(state.options));
  const bool alone = found.near[0] == 1 && found.far[0] == 1;
  context.log.note(alone ? fmt::format("{} answers alone: no other model gains beside it", names[0])
                         : fmt::format("weights near the training points: {}; far from them: {}",
                                       told(names, found.near), told(names, found.far)));
  const Array<double> answers = weighed_answers(held, found);
  tell(held, answers, context.log);
  show(held, answers, data.rows(), fit);
  if (alone) return;
  // Models without a weight are not kept.
  Combination kept{.near = {}, .far = {}, .remoteness = found.remoteness};
  companions.states.insert(companions.states.begin(), std::move(fit.state));
  for (std::size_t m = 0; m < names.size(); ++m) {
    if (m > 0 && found.near[m] == 0 && found.far[m] == 0) continue;
    kept.near.push_back(found.near[m]);
    kept.far.push_back(found.far[m]);
    parts.push_back(std::move(companions.states[m]));
  }
  fit.state = combine(std::move(parts), std::move(kept));
}

}  // namespace pegnn
