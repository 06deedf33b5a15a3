#pragma once
// How far new places are from what a model has learned from: on the ground and, where it has
// features, among their values. After Meyer and Pebesma, "Predicting into unknown space? Estimating
// the area of applicability of spatial prediction models", Methods in Ecology and Evolution 12
// (2021), with two liberties: every feature counts alike, since not every model can tell how much
// it leans on each, and the ground has a threshold of its own, since these models lean on
// neighbours.

#include <memory>
#include <string>

#include "base/array.h"
#include "base/matrix.h"
#include "base/thread_pool.h"
#include "pegnn/geo.h"

namespace pegnn {

struct ModelState;

// What is found of a place.
struct Judgement {
  double distance = 0;   // to the nearest training point: metres on the sphere, else units
  bool distant = false;  // that is beyond the reach
  bool unlike = false;   // it is not, but its features are beyond theirs
  bool far = false;      // whichever it is, by ten times as much as any training row is
  bool inside() const { return !distant && !unlike; }
};

// Const methods may run at the same time.
class Applicability {
 public:
  // `state`, which has training points, is borrowed.
  Applicability(const ModelState& state, const ThreadPool& pool);
  ~Applicability();

  // Each place by itself. `features` are unscaled, rows x features, and finite.
  void judge(Span<const Point> points, Mat<const double> features, const ThreadPool& pool,
             Span<Judgement> found) const;

  // The largest distance that still counts: the upper whisker (third quartile and 1.5 times the
  // range between quartiles) of the distances from places of training points to the nearest other.
  double reach() const;
  // The same among features, in units of the mean distance between training rows; NaN without
  // features.
  double feature_reach() const;

  // More than a tree finds neighbours in quickly: 8.
  bool many_features() const;
  const ModelState& model() const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

// A distance as the model measures it: "1.2 km", "227 m", without a known unit "227 units".
std::string length_text(double length, const ModelState& state);

}  // namespace pegnn
