#pragma once
// Graphs for prediction: every new point listens to its nearest training points, never to another
// new point, so that a prediction does not depend on which other rows are in the file.

#include <cstdint>
#include <limits>

#include "base/array.h"
#include "graph/graph.h"

namespace pegnn {

// Nodes are the training points in reach, then the new points in their order.
struct AttachedGraph {
  Graph graph;                     // weighted
  Array<std::int32_t> train_rows;  // training point behind each of the first nodes
  std::int64_t queries = 0;
  // The last so many training points are there for the degrees of others alone.
  std::int64_t degree_only = 0;
  std::int64_t out_of_reach = 0;  // new points all of whose edges have weight 0
};

// What one caller keeps from one attachment to the next.
struct AttachScratch {
  // As long as there are training points, between two attachments all -1.
  Array<std::int32_t> node_of;
  Neighbours found;
  Array<Point> places;
};

// Holds the training points' own graph, 12 k bytes for each beside the index: weights are computed
// from lengths where they are needed. Attaching is const, may run on several threads and costs as
// much as the new points have neighbours, however many training points there are.
class Attacher {
 public:
  // `hops` is how many edges away a point can matter; 0 needs no graph at all. No edge is longer
  // than `reach`.
  Attacher(Span<const Point> points, Space space, std::int64_t k, EdgeWeight rule,
           std::int64_t hops, const ThreadPool& pool,
           double reach = std::numeric_limits<double>::infinity());

  // Lengths of the training graph, which turn lengths into weights here and in every attachment.
  const LengthScale& scale() const { return scale_; }

  void attach(Span<const Point> queries, const ThreadPool& pool, AttachScratch& scratch,
              AttachedGraph& out) const;

 private:
  std::int64_t k_, hops_;
  EdgeWeight rule_;
  double reach_;
  NearestIndex index_;
  Neighbours own_;  // of the training points
  LengthScale scale_;
};

}  // namespace pegnn
