#pragma once
// Folds whose rows held out lie as far from the training rows as the places lie for which
// predictions will be asked: nearest-neighbour distance matching (Linnenbrink, Mila, Ludwig and
// Meyer, Geosci. Model Dev. 17, 2024).

#include <cstdint>
#include <functional>

#include "base/array.h"
#include "base/thread_pool.h"
#include "pegnn/geo.h"

namespace pegnn {

struct MatchedClusters {
  Array<std::int32_t> cluster;  // of each point, 0, 1, ...; rows of one are held out together
  std::int64_t clusters = 0;
  // The area between the two distributions of distances to the nearest training point (Wasserstein
  // 1): of the places to all points, and of held-out points to those of the other folds. In metres
  // on the sphere, else in coordinate units. And the same for random folds.
  double w = 0, w_random = 0;
  double places_median = 0, folds_median = 0;  // of these distances
};

// The points are parted in two, and the most spread part again, until each stands alone (bisecting
// k-means): the first parts are clusters of every number. For each of some 30 numbers, from `folds`
// to that of the places there are, the clusters are drawn into folds as `group_folds` does by
// `seed`, and the number with the least W is taken; a fold may hold half of the points at most,
// where there are more than two folds. Ties go to more clusters.
//
// The space is sphere or plane; points and places are finite, and there is a place. Error{usage}
// for fewer places of points than folds, Error{interrupted} where `stop` says so. The same on any
// number of threads.
MatchedClusters match_clusters(Span<const Point> points, Space space, Span<const Point> places,
                               std::int64_t folds, std::uint64_t seed, const ThreadPool& pool,
                               const std::function<bool()>& stop);

// Some 2,000 places in a regular grid over the rectangle around the points; on the sphere over the
// narrowest range of longitudes, with as many in a row as its length asks for. One where all points
// are in one place.
Array<Point> regular_places(Span<const Point> points, Space space);

// The area between the distribution functions of two samples, none empty.
double wasserstein(Array<double> a, Array<double> b);

}  // namespace pegnn
