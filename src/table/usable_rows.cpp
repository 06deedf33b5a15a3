#include "table/usable_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/core.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/text.h"
#include "pegnn/error.h"
#include "pegnn/log.h"
#include "table/roles.h"
#include "table/row_weights.h"

namespace pegnn {
namespace {

constexpr std::size_t kMostExamples = 5;

[[noreturn]] void fail_data(const std::string& source, const std::string& what) {
  throw Error(ErrorKind::data, source + what);
}

std::vector<const Column*> columns_used(const Table& table, const Roles& roles) {
  std::vector<const Column*> used = {&column_of(table, roles.x), &column_of(table, roles.y)};
  if (!roles.target.empty()) used.push_back(&column_of(table, roles.target));
  if (!roles.weight.empty()) used.push_back(&column_of(table, roles.weight));
  for (const std::string& name : roles.features) used.push_back(&column_of(table, name));
  return used;
}

// Without a branch for each value, so that it runs at the speed of memory.
bool all_finite(Span<const double> values) {
  bool finite = true;
  for (const double value : values) {
    finite &= std::abs(value) <= std::numeric_limits<double>::max();
  }
  return finite;
}

void note_example(const Table& table, Span<const Column* const> used, std::int64_t row,
                  RowsMet& met) {
  if (met.examples.size() >= kMostExamples) return;
  const auto bad = std::find_if(used.begin(), used.end(), [&](const Column* column) {
    return !std::isfinite(Span(column->values)[row]);
  });
  met.examples.push_back(fmt::format("{} ({})", table.where(row), describe_column((*bad)->name)));
}

void check_degrees(const Table& table, const Column& column, Span<const std::int64_t> rows,
                   double low, double high) {
  for (const std::int64_t row : rows) {
    const double value = Span(column.values)[row];
    if (value >= low && value <= high) continue;
    fail_data(
        table.source(),
        fmt::format(", {}, {}: {} is outside [{}, {}]; are longitude and latitude swapped? {}",
                    table.where(row), describe_column(column.name), format_number(value), low, high,
                    is_geometry(column.name) ? "<option:crs> says what projected coordinates are in"
                                             : "(<option:lon>, <option:lat>); projected "
                                               "coordinates go by <option:x>, <option:y>"));
  }
}

void check_planar(const Table& table, const Column& column, Span<const std::int64_t> rows) {
  for (const std::int64_t row : rows) {
    const double value = Span(column.values)[row];
    if (std::abs(value) <= kFarthestCoordinate) continue;
    fail_data(table.source(),
              fmt::format(", {}, {}: {} is too large for a coordinate", table.where(row),
                          describe_column(column.name), format_number(value)));
  }
}

}  // namespace

const Column& column_of(const Table& table, const std::string& name) {
  const Column* column = table.find(name);
  if (column == nullptr) {
    throw Error(ErrorKind::usage,
                fmt::format("{} has no column '{}', which the roles name", table.source(), name));
  }
  if (!column->numeric()) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: the roles name column '{}', which holds text; a column of numbers "
                            "is needed",
                            table.source(), name));
  }
  return *column;
}

Array<std::int64_t> usable_rows(const Table& table, const Roles& roles, RowsMet& met) {
  const std::vector<const Column*> used = columns_used(table, roles);
  const std::int64_t rows = table.rows();
  met.rows += table.rows();
  enum : char { kGood, kBad, kWeightless };
  Array<char> kind;  // empty as long as all are good
  for (const Column* column : used) {
    if (all_finite(column->values)) continue;
    kind.resize(rows, kGood);
    for (std::int64_t i = 0; i < rows; ++i) {
      if (!std::isfinite(Span(column->values)[i])) kind[i] = kBad;
    }
  }
  if (!roles.weight.empty()) {
    const Column& weight = column_of(table, roles.weight);
    check_weights(table, weight);
    kind.resize(rows, kGood);
    for (std::int64_t i = 0; i < rows; ++i) {
      if (Span(weight.values)[i] == 0) kind[i] = kWeightless;
    }
  }
  Array<std::int64_t> keep;
  if (kind.empty()) {
    keep.resize(rows);
    std::iota(keep.begin(), keep.end(), 0);
    return keep;
  }
  for (std::int64_t row = 0; row < table.rows(); ++row) {
    switch (kind[row]) {
      case kGood:
        keep.push_back(row);
        break;
      case kBad:
        note_example(table, used, row, met);
        ++met.left_out;
        break;
      default:
        --met.rows;
        ++met.weightless;
    }
  }
  return keep;
}

void judge_weightless(const RowsMet& met, const Roles& roles, const std::string& source, Log& log) {
  if (met.weightless == 0) return;
  if (met.rows == 0) {
    fail_data(source, fmt::format(": {}: every row has weight 0; <option:weight> takes a column in "
                                  "which some are positive",
                                  describe_column(roles.weight)));
  }
  log.note(fmt::format("{}: {} row{} of weight 0 left out ({})", source,
                       format_count(met.weightless), met.weightless == 1 ? "" : "s",
                       describe_column(roles.weight)));
}

void judge_missing(const RowsMet& met, const std::string& source, MissingRows missing, Log& log) {
  if (met.left_out > 0 && missing == MissingRows::refuse) {
    fail_data(
        source,
        fmt::format(
            ": {} row{} a missing or infinite value: {}{}; <option:drop-na> leaves these rows out",
            format_count(met.left_out), met.left_out == 1 ? " has" : "s have",
            join(met.examples, ", "), met.left_out > std::int64_t{kMostExamples} ? ", ..." : ""));
  }
  if (met.left_out > 0) {
    const std::string text =
        fmt::format("{}: {} of {} rows left out for missing or infinite values", source,
                    format_count(met.left_out), format_count(met.rows));
    2 * met.left_out > met.rows ? log.warn(text) : log.note(text);
  }
  if (met.left_out == met.rows) {
    fail_data(source, met.rows == 0
                          ? ": no data rows; below the header one line for each point is expected"
                          : ": no data rows without missing or infinite values");
  }
}

void check_roles(const std::string& source, const Roles& roles, Space space, Log& log) {
  if (!roles.geographic && space != Space::plane) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: distance by longitude and latitude needs <option:lon> and <option:lat>; "
                    "{} projected coordinates, for <option:metric> planar or auto",
                    source,
                    is_geometry(roles.x)
                        ? "the geometry has"
                        : fmt::format("columns '{}' and '{}' are", roles.x, roles.y)));
  }
  // The only sure sign of a swap while both are in range: the columns' own names.
  if (!roles.geographic || (!is_latitude_name(roles.x) && !is_longitude_name(roles.y))) return;
  log.warn(
      fmt::format("the longitude is taken from column '{}' and the latitude from '{}'; are "
                  "{} and {} swapped?",
                  roles.x, roles.y, log.option("lon"), log.option("lat")));
}

void check_coordinates(const Table& table, const Roles& roles, Span<const std::int64_t> rows) {
  const Column &x = column_of(table, roles.x), &y = column_of(table, roles.y);
  if (roles.geographic) {
    check_degrees(table, y, rows, -90, 90);
    check_degrees(table, x, rows, -180, 360);
  } else {
    check_planar(table, x, rows);
    check_planar(table, y, rows);
  }
}

void wrap_longitudes(Span<Point> points, RowsMet& met) {
  for (Point& point : points) {
    if (point.x <= 180) continue;
    point.x -= 360;
    ++met.wrapped;
  }
}

void note_wrapped(const RowsMet& met, Log& log) {
  if (met.wrapped == 0) return;
  log.note(fmt::format("{} longitudes above 180 degrees are taken as west of Greenwich (minus 360)",
                       format_count(met.wrapped)));
}

}  // namespace pegnn
