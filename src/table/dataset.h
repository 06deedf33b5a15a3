#pragma once
// Rows ready for learning: points, features and target as finite numbers, nothing scaled.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pegnn/geo.h"
#include "pegnn/table.h"

namespace pegnn {

class Log;

// In `Space::sphere` and `Space::degrees` longitudes lie in [-180, 180], latitudes in [-90, 90].
struct Dataset {
  std::vector<Point> points;
  Space space = Space::sphere;
  std::vector<std::string> feature_names;
  std::vector<double> x;                 // rows × features, row-major
  std::vector<double> y;                 // empty when there is no target
  std::vector<std::int64_t> table_rows;  // which table row each came from, ascending

  std::int64_t rows() const { return static_cast<std::int64_t>(points.size()); }
  std::int64_t features() const { return static_cast<std::int64_t>(feature_names.size()); }
};

// What to do with a row in which a coordinate, a feature or the target is missing or infinite.
enum class MissingRows { refuse, drop };

// Takes the columns of `roles`, all of them numeric as `resolve_roles` leaves them. Longitudes in
// (180, 360] are brought to (-180, 0]. Notes and warnings go to `log`.
// Error{data}: a longitude or latitude out of range, or a planar coordinate beyond 1e100; missing
// or infinite values under `MissingRows::refuse`; no row left; more rows than a graph can number
// (2^31 - 1). Error{usage}: great-circle or degrees for projected coordinates.
Dataset make_dataset(const Table& table, const Roles& roles, Space space, MissingRows missing,
                     Log& log);

// The given rows, each in [0, data.rows()), in the given order; `table_rows` follows that order.
Dataset subset(const Dataset& data, std::span<const std::int64_t> rows);

}  // namespace pegnn
