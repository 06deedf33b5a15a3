#pragma once
// Ordinary kriging of many queries at once, as weights of their neighbours.

#include <cstdint>

#include "base/array.h"
#include "base/thread_pool.h"
#include "baseline/local_gaussian.h"
#include "baseline/places.h"
#include "geo/nearest.h"
#include "pegnn/geo.h"

namespace pegnn {

// With correlations R among the k neighbours of a query and r between them and the query, in units
// of sill + nugget and with noise on R's diagonal:
//
//   w = R^-1 (r + m 1),   m = (1 - 1' R^-1 r) / (1' R^-1 1),   so that the weights sum to 1
//   variance = 1 - r' R^-1 r + m (1 - 1' R^-1 r)
//
// Matheron, Economic Geology 58, 1963; Cressie, Statistics for Spatial Data, 1993, section 3.2. The
// variance is that of a new observation, noise included.
class KrigingWeights {
 public:
  KrigingWeights(const SpatialModel& model, Space space) : model_(model), space_(space) {}

  // `found` names k rows of `training` for each query, k from 0 to a thousand or so (work memory
  // of 32 k^2 bytes per thread); each row counts by itself, so that rows at one place share
  // their weight. Distances in `found` are not looked at: covariances need chords (places.h).
  // `log_weights`, one for each neighbour or empty, say how much it counts (geo/taper.h): one that
  // counts t has more noise (taper_noise), so that nothing is left of its weight when t comes to 0.
  // A query's numbers depend on the query alone, not on the others or the number of threads. With
  // no neighbours the variance is 1, and so it is where all is noise, of which neighbours have
  // nothing to tell: they get weights of 0.   weights: queries x k, variance: queries, in units of
  // sill + nugget, at least kLeastVariance
  void solve(Span<const Point> queries, const Neighbours& found, Span<const Place> training,
             const ThreadPool& pool, Span<float> weights, Span<float> variance) const;
  // The same for queries whose places are known.
  void solve_at(Span<const Place> queries, const Neighbours& found, Span<const float> log_weights,
                Span<const Place> training, const ThreadPool& pool, Span<float> weights,
                Span<float> variance) const;

  // Added to the diagonal: rows that coincide, or that a smooth covariance makes nearly equal, stay
  // solvable with seven digits; as noise it would be a ten thousandth of the deviation.
  static constexpr double kJitter = 1e-8;
  static constexpr double kLeastVariance = kJitter;

 private:
  class Group;

  // Query q is at place(q).
  template <class At>
  void solve_each(std::int64_t count, At&& place, const Neighbours& found,
                  Span<const float> log_weights, Span<const Place> training, const ThreadPool& pool,
                  Span<float> weights, Span<float> variance) const;

  SpatialModel model_;
  Space space_;
};

}  // namespace pegnn
