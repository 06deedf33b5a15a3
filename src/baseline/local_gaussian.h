#pragma once
// Gaussian variables at a handful of places: their covariance, and conditioning on some of them.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/matrix.h"
#include "baseline/covariance.h"
#include "baseline/places.h"
#include "geo/taper.h"

namespace pegnn {

// A stationary process with noise: Cov(y_i, y_j) = sill rho(d_ij / range) + nugget [i = j].
struct SpatialModel {
  Covariance kernel = Covariance::exponential;
  double range = 1;
  double sill = 0, nugget = 0;

  double variance() const { return sill + nugget; }
  // Of the noise in the variance; 0 where there is no variance at all.
  double share() const { return nugget > 0 ? nugget / variance() : 0.0; }
};

// Correlations where noise has the share `share` of the variance. Everything is in units of the
// variance sill + nugget, so that a field that does not vary needs no exception.
class Correlations {
 public:
  Correlations(Covariance kernel, double range, double share)
      : kernel_(kernel), range_(range), share_(share) {}

  // Between observations at two places.
  double operator()(const Place& a, const Place& b) const {
    return (1 - share_) * correlation(kernel_, std::sqrt(squared_distance(a, b)) / range_);
  }
  // Variance of the mean of `count` observations at one place.
  double own(double count) const { return (1 - share_) + share_ / count; }

 private:
  Covariance kernel_;
  double range_, share_;
};

// The further noise of a neighbour that counts t (geo/taper.h): none for t = 1, and without bound
// as t comes to 0. `correlation` is that of the query with the last neighbour that counts in full:
// in its units a smooth field, which hears its farthest neighbours, is not deafened. (With sill +
// nugget as the unit kriging errs by half more on glacier elevations, whose points stand on
// contours.)
inline double taper_noise(double t, double correlation) {
  return (1 - correlation) * (1 / std::max(t, kLeastTaper) - 1);
}

// Conditions on the first `given` of the variables of `a`: Gaussian elimination without square
// roots. a: v x (v + r); its leading v x v block is symmetric, of which only the upper triangle is
// read, and r further columns go along. Afterwards row i >= given holds what was there less what
// the first variables tell:
//   a_ij - a_ig (a_gg)^-1 a_gj.
// So a covariance becomes a conditional covariance, and a column of labels becomes the labels less
// their kriging prediction. A border of ones eliminated last with 0 on its diagonal is the unknown
// mean of ordinary kriging.
//
// A variable that those before it determine up to kRedundant is passed over: it has nothing to add,
// and dividing by what is left of it would only add rounding. Nearest first, therefore.
void condition(Mat<double> a, std::int64_t given);

// Relative to variances of about 1: far above rounding (1e-16 times a few dozen steps), far below
// what a covariance function leaves between separate places.
inline constexpr double kRedundant = 1e-10;

}  // namespace pegnn
