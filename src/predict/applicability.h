#pragma once
// How far new places are from what a model has learned from: on the ground and, where it has
// features, among their values. After Meyer and Pebesma, "Predicting into unknown space? Estimating
// the area of applicability of spatial prediction models", Methods in Ecology and Evolution 12
// (2021), with two liberties: every feature counts alike, since not every model can tell how much
// it leans on each, and the ground has a threshold of its own, since these models lean on
// neighbours.

#include <memory>

#include "base/array.h"
#include "base/matrix.h"
#include "base/thread_pool.h"
#include "pegnn/geo.h"

namespace pegnn {

struct ModelState;

class Applicability {
 public:
  // `state`, which has training points, is borrowed.
  Applicability(const ModelState& state, const ThreadPool& pool);
  ~Applicability();

  // Of each place: the distance to the nearest training point, in metres on the sphere, else in
  // units of the coordinates; and whether the model is applicable there: 1, else 0. `features` are
  // unscaled, rows x features, and finite.
  void judge(Span<const Point> points, Mat<const double> features, const ThreadPool& pool,
             Span<double> distance, Span<double> applicable);

  // The largest distance that still counts: the upper whisker (third quartile and 1.5 times the
  // range between quartiles) of the distances from places of training points to the nearest other.
  double reach() const;
  // The same among features, in units of the mean distance between training rows; NaN without
  // features.
  double feature_reach() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pegnn
