#pragma once
// Local graphs: every point together with copies of its nearest training points, apart from all
// other points.

#include "base/array.h"
#include "graph/attach.h"

namespace pegnn {

// One complete graph per query over the query and its `found.k` nearest training points: every pair
// is linked both ways with the weight exp(-d^2 / (2 l^2)), l = `scale.median`. Node q k + j is the
// j-th neighbour of query q; the queries stand last, in their order. `out.train_rows` names the
// training point behind each copy. Edge lengths are not kept.
void local_graphs(Span<const Point> queries, const Neighbours& found, Span<const Point> training,
                  Space space, const LengthScale& scale, const ThreadPool& pool,
                  AttachedGraph& out);

// Finds the neighbours and builds the local graphs. `training` is borrowed.
class LocalAttacher {
 public:
  LocalAttacher(Span<const Point> training, Space space, std::int64_t k, const ThreadPool& pool);

  // The median distance of a training point to its k nearest ones.
  const LengthScale& scale() const { return scale_; }

  // New points among the training points.
  void attach(Span<const Point> queries, const ThreadPool& pool, AttachScratch& scratch,
              AttachedGraph& out) const;
  // Training points by their numbers, none of them its own neighbour.
  void attach_own(Span<const std::int32_t> rows, const ThreadPool& pool, AttachScratch& scratch,
                  AttachedGraph& out) const;

 private:
  Span<const Point> training_;
  Space space_;
  std::int64_t k_;
  NearestIndex index_;
  Neighbours own_;
  LengthScale scale_;
};

}  // namespace pegnn
