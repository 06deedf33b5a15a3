#include "pegnn/evaluate.h"

#include "evaluate/scorer.h"
#include "model/model_kind.h"
#include "model/preset.h"
#include "pegnn/log.h"

namespace pegnn {
namespace {

double mean_seconds(const std::vector<FoldScore>& folds, double FoldScore::*part) {
  double sum = 0, count = 0;
  for (const FoldScore& fold : folds) {
    if (fold.seconds() == 0) continue;
    sum += fold.*part;
    ++count;
  }
  return count > 0 ? sum / count : 0.0;
}

}  // namespace

double Evaluation::train_seconds() const { return mean_seconds(folds, &FoldScore::train_seconds); }
double Evaluation::predict_seconds() const {
  return mean_seconds(folds, &FoldScore::predict_seconds);
}

std::string model_name(const Options& options) {
  const ModelKind* const kind = find_kind(options.model);
  if (kind == nullptr || !kind->traits().of_parts) return options.model;
  const bool ours = options.backbone == preset("default").backbone;
  if (ours && options.choose != "none") return "default";
  return (options.encoder == "none" ? "" : "pe-") + options.backbone;
}

Evaluation evaluate(const Table& table, const Roles& roles, const Options& options,
                    const EvaluateSettings& settings, const RunSettings& run) {
  check_options(options);
  const CompareEntry model{model_name(options), options};
  Log& log = run.logger();
  return Scorer(table, roles, {&model, 1}, settings, run).score(model, {}, log, run).evaluation;
}

}  // namespace pegnn
