#pragma once
// Rows ready for learning: points, features and target as finite numbers, nothing scaled.

#include <cstdint>
#include <string>
#include <vector>

#include "base/array.h"
#include "pegnn/geo.h"
#include "pegnn/table.h"
#include "table/usable_rows.h"

namespace pegnn {

class Log;

// In `Space::sphere` and `Space::degrees` longitudes lie in [-180, 180], latitudes in [-90, 90].
struct Dataset {
  Array<Point> points;
  Space space = Space::sphere;
  std::vector<std::string> feature_names;
  Array<double> x;                 // rows × features, row-major
  Array<double> y;                 // empty when there is no target
  Array<std::int64_t> table_rows;  // which table row each came from, ascending
  // How much each row counts in training: positive, 1 on average. Empty: all alike, which includes
  // weights that are all equal.
  Array<double> weight = {};

  std::int64_t rows() const { return std::ssize(points); }
  std::int64_t features() const { return std::ssize(feature_names); }
};

// Takes the columns of `roles`, all of them numeric as `resolve_roles` leaves them. Longitudes in
// (180, 360] are brought to (-180, 0]. Notes and warnings go to `log`.
// Rows of weight 0 are left out before anything else is looked at.
// Error{data}: a weight that is negative or infinite, or all of them 0; a longitude or latitude out
// of range, or a planar coordinate beyond 1e100; missing or infinite values under
// `MissingRows::refuse`; no row left; more rows than a graph can number (2^31 - 1). Error{usage}:
// great-circle or degrees for projected coordinates.
Dataset make_dataset(const Table& table, const Roles& roles, Space space, MissingRows missing,
                     Log& log);

// The same for a table that comes in pieces, all of the same columns. `log` is borrowed.
class DatasetPieces {
 public:
  DatasetPieces(Roles roles, Space space, MissingRows missing, Log& log);

  // The rows of the next piece, their weights as they stand in the table, without those that have
  // missing values. Once one of those has come and they are to be refused, nothing is taken any
  // more: they are only counted.
  Dataset take(const Table& piece);
  bool refused() const { return missing_ == MissingRows::refuse && met_.left_out > 0; }

  // After the last piece: what there is to say of all rows, and the error if some are refused or
  // none can be used. `source` is the table's.
  void finish(const std::string& source) const;

 private:
  Roles roles_;
  Space space_;
  MissingRows missing_;
  Log& log_;
  bool begun_ = false;
  RowsMet met_;
};

// The weights of the given rows, brought to a mean of 1 over these; empty when they are equal.
Array<double> weights_of(const Dataset& data, Span<const std::int64_t> rows);

// The given rows, each in [0, data.rows()), in the given order; `table_rows` follows that order.
// Weights are those of `weights_of`.
Dataset subset(const Dataset& data, Span<const std::int64_t> rows);

}  // namespace pegnn
