#pragma once
// The empirical variogram: how much two values differ, by the distance between them.
//
//   gamma(h) = 1 / (2 |N(h)|)  sum over pairs (i, j) in N(h) of (y_i - y_j)^2
//
// where N(h) are the pairs about h apart (Matheron, Economic Geology 58, 1963). The robust form of
// Cressie and Hawkins (Math. Geology 12, 1980; Cressie 1993, eq. 2.4.12) lets single far values
// weigh less:
//
//   gamma(h) = ( mean over N(h) of |y_i - y_j|^(1/2) )^4 / (2 (0.457 + 0.494 / |N(h)|))

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/array.h"
#include "base/thread_pool.h"
#include "pegnn/geo.h"

namespace pegnn {

struct VariogramBin {
  double distance = 0;      // mean of its pairs
  double semivariance = 0;  // half the mean squared difference of its pairs of rows
  double pairs = 0;
};

// Sums over pairs by distance. `edges` are the upper ends of the bins in ascending order, in any
// measure that grows with distance (squared distances, say); they outlive it.
class VariogramSums {
 public:
  explicit VariogramSums(Span<const double> edges) : edges_(edges), bins_(edges.size()) {}

  // The bin of a pair; size() when it lies beyond all.
  std::int64_t bin_of(double measure) const {
    return std::lower_bound(edges_.begin(), edges_.end(), measure) - edges_.begin();
  }
  std::int64_t size() const { return bins_.size(); }

  // `square` is the mean squared difference of `pairs` pairs.
  void add(std::int64_t bin, double distance, double square, double pairs = 1) {
    bins_[bin].distance += pairs * distance;
    bins_[bin].semivariance += 0.5 * pairs * square;
    bins_[bin].pairs += pairs;
  }
  void add(const VariogramSums& other) {
    for (std::int64_t b = 0; b < std::ssize(bins_); ++b) {
      bins_[b].distance += other.bins_[b].distance;
      bins_[b].semivariance += other.bins_[b].semivariance;
      bins_[b].pairs += other.bins_[b].pairs;
    }
  }

  // Means of the bins that hold pairs.
  Array<VariogramBin> means() const {
    Array<VariogramBin> kept;
    for (VariogramBin bin : bins_) {
      if (bin.pairs == 0) continue;
      bin.distance /= bin.pairs;
      bin.semivariance /= bin.pairs;
      kept.push_back(bin);
    }
    return kept;
  }

 private:
  Span<const double> edges_;
  Array<VariogramBin> bins_;
};

enum class VariogramForm { matheron, cressie_hawkins };

struct VariogramOptions {
  VariogramForm form = VariogramForm::matheron;
  int lags = 15;
  std::uint64_t seed = 0;
};

struct Variogram {
  Array<VariogramBin> lags;  // from near to far; those without pairs are left out
  double sill = 0;           // variance of the values (n - 1): where independent pairs stand
  double reach = 0;          // the last lag ends here
  bool sampled = false;      // pairs were drawn at random
};

// More pairs than this are not looked at, but as many drawn at random.
inline constexpr std::int64_t kMostVariogramPairs = 4'000'000;

// Lags of equal width up to a third of the extent (the diagonal of the box around the points; with
// fewer than 50 points, the whole of it). Distances are in the unit of the space: metres along the
// great circle, or that of the coordinates. As many values as points, all finite; no lags for fewer
// than two points, or for points all in one place. The same bits on any number of threads.
Variogram empirical_variogram(Span<const Point> points, Space space, Span<const double> values,
                              const VariogramOptions& options, const ThreadPool& pool);

}  // namespace pegnn
