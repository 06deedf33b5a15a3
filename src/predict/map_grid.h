#pragma once
// From what a user says of a map, and from where the training points lie, to its cells.

#include "base/array.h"
#include "pegnn/geo.h"
#include "pegnn/map.h"

namespace pegnn {

// The smallest extent that holds all points, of which there is one at least; on the globe the one
// that leaves out the widest gap between longitudes. Points that are NaN do not count.
Extent extent_of(Span<const Point> points, bool geographic);

// Whether two extents have a place in common; on the globe, a turn further on counts.
bool overlap(const Extent& a, const Extent& b, bool geographic);
// Wider by `share` of the longer side, all around; on the globe within the poles and one turn.
Extent widened(const Extent& extent, double share, bool geographic);

// Cells of a round size, about a thousand along the longer side, where neither is given; the box of
// the data with a margin where none is. The north-west corner of a given box is kept, and its other
// sides where the size is given. Error{usage} for a box without area or beyond the globe, and for
// more cells than can be numbered.
RasterGrid choose_grid(const GridRequest& request, const Extent& data);

// The extent of a grid.
Extent extent_of(const RasterGrid& grid);

}  // namespace pegnn
