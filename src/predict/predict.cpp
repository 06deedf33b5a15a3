// Model::predict: all rows at once, by a Predictor.

#include "pegnn/model.h"

namespace pegnn {
namespace {

Answer ask_points(const Model& model, const std::vector<Point>& points,
                  const std::vector<double>& features, bool mean_only, const RunSettings& run) {
  Predictor predictor(model, {.mean_only = mean_only}, run);
  Answer found = predictor.ask(points, features);
  predictor.finish();
  return found;
}

}  // namespace

// The mean is the only column then.
std::vector<double> Model::predict(const std::vector<Point>& points,
                                   const std::vector<double>& features,
                                   const RunSettings& run) const {
  return ask_points(*this, points, features, true, run).values;
}

std::vector<double> Model::predict(const Table& table, const ColumnChoice& choice,
                                   bool drop_missing, const RunSettings& run) const {
  return ask(table, {choice, drop_missing, true}, run).values;
}

Answer Model::ask(const std::vector<Point>& points, const std::vector<double>& features,
                  const RunSettings& run) const {
  return ask_points(*this, points, features, false, run);
}

Answer Model::ask(const Table& table, const Question& question, const RunSettings& run) const {
  Predictor predictor(*this, question, run);
  Answer found = predictor.ask(table);
  predictor.finish();
  return found;
}

}  // namespace pegnn
