// Model::predict: all rows at once, by a Predictor.

#include "pegnn/model.h"

namespace pegnn {
namespace {

Prediction ask_points(const Model& model, const std::vector<Point>& points,
                      const std::vector<double>& features, bool deviation, const RunSettings& run) {
  Predictor predictor(model, {.deviation = deviation}, run);
  Prediction found = predictor.ask(points, features);
  predictor.finish();
  return found;
}

Prediction ask_table(const Model& model, const Table& table, const Question& question,
                     const RunSettings& run) {
  Predictor predictor(model, question, run);
  Prediction found = predictor.ask(table);
  predictor.finish();
  return found;
}

}  // namespace

std::vector<double> Model::predict(const std::vector<Point>& points,
                                   const std::vector<double>& features,
                                   const RunSettings& run) const {
  return ask_points(*this, points, features, false, run).mean;
}

std::vector<double> Model::predict(const Table& table, const ColumnChoice& choice,
                                   bool drop_missing, const RunSettings& run) const {
  return ask_table(*this, table, {choice, drop_missing, false}, run).mean;
}

Prediction Model::predict_with_deviation(const std::vector<Point>& points,
                                         const std::vector<double>& features,
                                         const RunSettings& run) const {
  return ask_points(*this, points, features, true, run);
}

Prediction Model::predict_with_deviation(const Table& table, const ColumnChoice& choice,
                                         bool drop_missing, const RunSettings& run) const {
  return ask_table(*this, table, {choice, drop_missing, true}, run);
}

}  // namespace pegnn
