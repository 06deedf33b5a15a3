#pragma once
// Neighbourhoods of labelled training points, for points that attend to them: who is near, how they
// lie, what kriging makes of them.

#include <cstdint>

#include "base/array.h"
#include "baseline/places.h"
#include "compute/backend.h"
#include "geo/nearest.h"
#include "graph/input_columns.h"
#include "neighbourhood/gaps.h"
#include "neighbourhood/training_points.h"
#include "neighbourhood/view.h"

namespace pegnn {

// The neighbours of a set of points and, with a smoother, its weights and answers.
struct LabelNeighbourhoods {
  Neighbours found;
  Array<float> weights;  // one per neighbour; 0 without a smoother
  // How much each counts, as a logarithm; empty: in full, where there is no other point either.
  Array<float> log_weights;
  Array<float> smooth;  // kLabelInputs per point: mean, log of the variance
  Array<float> gaps;    // gap_share of each point
  Array<float> edges;   // kEdgeInputs per neighbour: how it lies; empty: found when it is asked for
  Array<Place> places;  // of the points; empty: found when they are asked for

  std::int64_t points() const { return std::ssize(smooth) / kLabelInputs; }
};

// Beyond so many units distances count by their logarithm: nothing was learned of what lies there,
// and a network must not run away with it.
inline constexpr double kFarUnits = 32;

// Some of the training points, to be searched.
struct LabelIndex {
  NearestIndex index;
  Array<std::int32_t> rows;  // training point behind each; empty: they have its numbers
};

class LabelField {
 public:
  // `training` is borrowed for the life of this object; it has labels. `smooth`: the model's
  // kriging is asked. `taper`: neighbours count less towards the next point (geo/taper.h).
  LabelField(const TrainingPoints& training, Space space, std::int64_t k, bool smooth, bool taper,
             const Backend<float>& backend);

  // Features and label of every training point.
  Mat<const float> sources() const {
    return {sources_.data(), training_.features.rows, training_.features.cols + 1};
  }
  std::int64_t k() const { return k_; }

  // An index over some of the training points, given in ascending order.
  void build(Span<const std::int32_t> rows, const ThreadPool& pool, LabelIndex& out) const;
  const LabelIndex& all() const { return all_; }
  const TrainingPoints& training() const { return training_; }
  Space space() const { return space_; }
  bool smooths() const { return smooth_; }

  // The neighbourhoods of points. Training points have their numbers in `own`, and none is its own
  // neighbour; for new points it is empty.   features: points x features, scaled
  void find_neighbours(const LabelIndex& index, Span<const Point> points, Mat<const float> features,
                       Span<const std::int32_t> own, const ThreadPool& pool,
                       LabelNeighbourhoods& out) const;

  // Finds once how the neighbours of these points lie, for those that are linked again and again.
  void keep_edges(Span<const Point> points, const ThreadPool& pool,
                  LabelNeighbourhoods& around) const;

  // The graph of points[i], whose neighbourhood is the which[i]-th, to those neighbours whose ranks
  // are listed, in ascending order. Row i of the graph is the i-th point, its columns are training
  // points.
  void link(Span<const Point> points, const LabelNeighbourhoods& around,
            Span<const std::int32_t> which, Span<const std::int32_t> ranks,
            const Backend<float>& backend, NeighbourhoodView& out) const;

 private:
  // log_weights of the k nearest of the neighbours found, full up to number `last`; empty where no
  // other was found.
  Array<float> tapers(std::int64_t k, std::int64_t last, const LabelNeighbourhoods& around,
                      const ThreadPool& pool) const;
  // Kriging from all neighbours found, which count as `log_weights` say.
  void smooth(Mat<const float> features, Span<const float> log_weights, const ThreadPool& pool,
              LabelNeighbourhoods& out) const;
  void find_gaps(const ThreadPool& pool, LabelNeighbourhoods& out) const;

  TrainingPoints training_;
  Space space_;
  std::int64_t k_, reach_;  // neighbours that are attended to; those that kriging hears
  std::int64_t in_full_;    // the last of these, from 0, that counts in full where they taper off
  bool smooth_, taper_;
  Array<Place> places_;
  Buffer<float> sources_;
  Array<double> residuals_;  // of the labels from the kriging model's mean
  LabelIndex all_;
};

}  // namespace pegnn
