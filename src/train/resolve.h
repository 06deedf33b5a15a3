#pragma once
// Options left to the data become numbers.

#include "base/array.h"
#include "base/thread_pool.h"
#include "pegnn/geo.h"
#include "pegnn/options.h"
#include "pegnn/table.h"

namespace pegnn {

class Log;

// The space a table's points lie in, from `--metric` and the kind of coordinates. Error{usage} for
// great-circle distance on projected coordinates.
Space space_for(const Options& options, const Roles& roles);

// The roles without features for a model that sees none, with a note of those left out.
Roles roles_for(const Options& options, Roles roles, Log& log);

// Options of a network: fills k where it is 0, batch where it is -1, sigma-min and sigma-max where
// they are 0 from the spacing and extent of the points, clips k to the points there are (with a
// warning), and switches the auxiliary task off for a constant target (with a warning).
Options resolve_options(Options options, Span<const Point> points, Span<const double> target,
                        Space space, const ThreadPool& pool, Log& log);

}  // namespace pegnn
