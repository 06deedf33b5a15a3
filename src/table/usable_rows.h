#pragma once
// Which rows of a table can be used, what is wrong with the others, and what is said about it.

#include <cstdint>
#include <string>
#include <vector>

#include "base/array.h"
#include "pegnn/geo.h"
#include "pegnn/table.h"

namespace pegnn {

class Log;

// What to do with a row in which a coordinate, a feature, the target or the weight is missing or,
// but for the weight, infinite.
enum class MissingRows { refuse, drop };

// Of planar coordinates: beyond, squared distances leave the range of a double.
inline constexpr double kFarthestCoordinate = 1e100;

// What was met in the rows of a table, which may come in pieces.
struct RowsMet {
  std::int64_t rows = 0;              // all but those of weight 0
  std::int64_t weightless = 0;        // of weight 0: as if they were not there
  std::int64_t left_out = 0;          // those with a missing or infinite value
  std::vector<std::string> examples;  // where the first few of those stand
  std::int64_t wrapped = 0;           // longitudes above 180 degrees
};

// The column of that name. Error{usage} when it is not there or holds text: resolved roles name
// nothing of the kind, those that a caller made may.
const Column& column_of(const Table& table, const std::string& name);

// The rows in which every column with a role is finite, ascending; counts the others. Nothing is
// looked at in rows of weight 0 but that. Error{data} as in `check_weights`.
Array<std::int64_t> usable_rows(const Table& table, const Roles& roles, RowsMet& met);

// To be called when all rows have been met: Error{data} when all have weight 0; a note on those
// left out for it. `source` is the table's.
void judge_weightless(const RowsMet& met, const Roles& roles, const std::string& source, Log& log);

// To be called when all rows have been met: Error{data} when there is none to use, or when some are
// left out and `missing` says refuse; a note or a warning on those left out. `source` is the
// table's.
void judge_missing(const RowsMet& met, const std::string& source, MissingRows missing, Log& log);

// Error{usage}: great-circle distance or degrees for projected coordinates. Warns when the names of
// the columns say that longitude and latitude are swapped.
void check_roles(const std::string& source, const Roles& roles, Space space, Log& log);

// Error{data} for a longitude or latitude out of range, or a planar coordinate beyond 1e100.
void check_coordinates(const Table& table, const Roles& roles, Span<const std::int64_t> rows);

// Longitudes in (180, 360] are brought to (-180, 0] and counted.
void wrap_longitudes(Span<Point> points, RowsMet& met);
void note_wrapped(const RowsMet& met, Log& log);

}  // namespace pegnn
