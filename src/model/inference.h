#pragma once
// A network at work: predictions for points attached to the training points, or among themselves.

#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned_buffer.h"
#include "graph/attach.h"
#include "model/network.h"

namespace pegnn {

// Scaled inputs of a set of points, ready for the network, with their graph.
struct Prepared {
  AttachedGraph attached;
  AlignedBuffer<float> features, basis;
};

// Runs a network on new points. Works in scaled units. One caller at a time.
class Inference {
 public:
  // `points` and `features` (rows x features, scaled) are the training rows; both are borrowed for
  // the life of this object. `options` are resolved.
  Inference(const Options& options, Space space, std::span<const Point> points,
            Mat<const float> features, const ThreadPool& pool);

  const LengthScale& scale() const { return attacher_.scale(); }

  // Attaches the queries to the training points (`graph train`), or links them among themselves
  // (`graph test-only`: then all queries of a table must come in one call).
  void prepare(std::span<const Point> queries, Mat<const float> features, Prepared& out);

  // Predictions of the queries, in scaled units; out has one place per query.
  void run(const Prepared& prepared, std::span<const float> parameters, std::span<float> out);

  bool test_only() const { return options_.graph == "test-only"; }

 private:
  void link_among_themselves(std::span<const Point> queries, AttachedGraph& out);

  Options options_;
  Space space_;
  std::span<const Point> points_;
  Mat<const float> features_;
  const ThreadPool& pool_;
  Network<float> network_;
  Attacher attacher_;
};

}  // namespace pegnn
