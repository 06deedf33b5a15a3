#pragma once
// Graphs that a caller hands over.

#include "pegnn/parts.h"

namespace pegnn {

// Error{usage} unless the edges of every node stand where the offsets say, lead to nodes and have a
// finite weight each. Lengths are not looked at.
void check_graph(const NeighbourGraph& graph);

}  // namespace pegnn
