#pragma once
// Points ready to be shown to a network, and some of them alone.

#include <cstdint>

#include "base/array.h"
#include "compute/backend.h"
#include "neighbourhood/view.h"

namespace pegnn {

// A set of points, ready for the network: whom they listen to, and the scaled inputs of every node
// that has any. The buffers may be larger, as they are kept from one set to the next.
struct Prepared {
  NeighbourhoodView view;
  std::int64_t feature_width = 0, basis_width = 0;
  Buffer<float> features, basis;
};

// The points of these rows of `whole` as a set of their own, in this order. Its nodes are the
// points themselves and no others: they listen to labelled sources, not to nodes. Edges keep their
// order, so that a network says of each point what it says of it among all.
void gather_rows(const Prepared& whole, Span<const std::int32_t> rows,
                 const Backend<float>& backend, Prepared& out);

}  // namespace pegnn
