#include "table/dataset.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "base/assert.h"
#include "base/text.h"
#include "pegnn/error.h"
#include "pegnn/log.h"
#include "table/roles.h"

namespace pegnn {
namespace {

[[noreturn]] void fail_data(const Table& table, const std::string& what) {
  throw Error(ErrorKind::data, fmt::format("{}{}", table.source(), what));
}

// "line 17" where the table knows it, else the number of the data row.
std::string place_of(const Table& table, std::int64_t row) {
  const std::int64_t line = table.line_of(row);
  return line > 0 ? fmt::format("line {}", line) : fmt::format("data row {}", row);
}

const Column& column_of(const Table& table, const std::string& name) {
  const Column* column = table.find(name);
  PEGNN_ASSERT(column != nullptr, "roles name columns of their table");
  PEGNN_ASSERT(column->numeric(), "roles name columns of numbers");
  return *column;
}

std::vector<const Column*> columns_used(const Table& table, const Roles& roles) {
  std::vector<const Column*> used = {&column_of(table, roles.x), &column_of(table, roles.y)};
  if (!roles.target.empty()) used.push_back(&column_of(table, roles.target));
  for (const std::string& name : roles.features) used.push_back(&column_of(table, name));
  return used;
}

std::string describe_missing(const Table& table, std::span<const Column* const> used,
                             std::span<const std::int64_t> rows) {
  constexpr std::size_t kMostShown = 5;
  std::string shown;
  for (std::size_t i = 0; i < std::min(rows.size(), kMostShown); ++i) {
    for (const Column* column : used) {
      const double value = column->values[static_cast<std::size_t>(rows[i])];
      if (std::isfinite(value)) continue;
      shown += fmt::format("{}{} (column '{}')", i > 0 ? ", " : "", place_of(table, rows[i]),
                           column->name);
      break;
    }
  }
  if (rows.size() > kMostShown) shown += ", ...";
  return fmt::format(": {} row{} a missing or infinite value: {}; --drop-na leaves these rows out",
                     format_count(static_cast<long long>(rows.size())),
                     rows.size() == 1 ? " has" : "s have", shown);
}

// The rows in which every column used is finite, ascending.
std::vector<std::int64_t> usable_rows(const Table& table, std::span<const Column* const> used,
                                      MissingRows missing, Log& log) {
  const auto rows = static_cast<std::size_t>(table.rows());
  std::vector<char> bad(rows, 0);
  for (const Column* column : used) {
    for (std::size_t i = 0; i < rows; ++i) {
      if (!std::isfinite(column->values[i])) bad[i] = 1;
    }
  }
  std::vector<std::int64_t> keep, leave;
  keep.reserve(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    (bad[i] != 0 ? leave : keep).push_back(static_cast<std::int64_t>(i));
  }
  if (!leave.empty()) {
    if (missing == MissingRows::refuse) fail_data(table, describe_missing(table, used, leave));
    const std::string text =
        fmt::format("{}: {} of {} rows left out for missing or infinite values", table.source(),
                    format_count(static_cast<long long>(leave.size())),
                    format_count(static_cast<long long>(rows)));
    leave.size() > keep.size() ? log.warn(text) : log.note(text);
  }
  if (keep.empty()) {
    fail_data(table, leave.empty()
                         ? ": no data rows; below the header one line for each point is expected"
                         : ": no data rows without missing or infinite values");
  }
  return keep;
}

void check_degrees(const Table& table, const Column& column, std::span<const std::int64_t> rows,
                   double low, double high) {
  for (const std::int64_t row : rows) {
    const double value = column.values[static_cast<std::size_t>(row)];
    if (value >= low && value <= high) continue;
    fail_data(table,
              fmt::format(", {}, column '{}': {} is outside [{}, {}]; are longitude and "
                          "latitude swapped? (--lon, --lat); projected coordinates go by "
                          "--x, --y",
                          place_of(table, row), column.name, format_number(value), low, high));
  }
}

// Beyond this, squared distances leave the range of a double.
void check_planar(const Table& table, const Column& column, std::span<const std::int64_t> rows) {
  constexpr double kFarthest = 1e100;
  for (const std::int64_t row : rows) {
    const double value = column.values[static_cast<std::size_t>(row)];
    if (std::abs(value) <= kFarthest) continue;
    fail_data(table, fmt::format(", {}, column '{}': {} is too large for a coordinate",
                                 place_of(table, row), column.name, format_number(value)));
  }
}

// The only sure sign of a swap while both are in range: the columns' own names.
void warn_if_swapped(const Roles& roles, Log& log) {
  if (!is_latitude_name(roles.x) && !is_longitude_name(roles.y)) return;
  log.warn(
      fmt::format("the longitude is taken from column '{}' and the latitude from '{}'; are "
                  "--lon and --lat swapped?",
                  roles.x, roles.y));
}

void wrap_longitudes(std::vector<Point>& points, Log& log) {
  std::int64_t wrapped = 0;
  for (Point& point : points) {
    if (point.x <= 180) continue;
    point.x -= 360;
    ++wrapped;
  }
  if (wrapped > 0) {
    log.note(
        fmt::format("{} longitudes above 180 degrees are taken as west of Greenwich (minus 360)",
                    format_count(wrapped)));
  }
}

std::uint64_t hash(Point point) {
  // The finaliser of SplitMix64 over both coordinates; + 0.0 makes one zero of the two.
  std::uint64_t h = std::bit_cast<std::uint64_t>(point.x + 0.0) * 0x9E3779B97F4A7C15U;
  h ^= std::bit_cast<std::uint64_t>(point.y + 0.0) + (h >> 32);
  h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9U;
  h = (h ^ (h >> 27)) * 0x94D049BB133111EBU;
  return h ^ (h >> 31);
}

// How many different places there are. A table of open addresses rather than a sort: it runs at
// each start, and on 10 million rows a sort would take longer than reading them.
std::int64_t count_places(std::span<const Point> points) {
  const std::size_t size = std::bit_ceil(points.size() * 2);
  std::vector<std::int32_t> slots(size, -1);
  std::int64_t places = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::size_t slot = hash(points[i]) & (size - 1);
    while (slots[slot] >= 0 && points[static_cast<std::size_t>(slots[slot])] != points[i]) {
      slot = (slot + 1) & (size - 1);
    }
    if (slots[slot] >= 0) continue;
    slots[slot] = static_cast<std::int32_t>(i);
    ++places;
  }
  return places;
}

void fill_values(const Table& table, const Roles& roles, Dataset& data) {
  const auto gather = [&](const std::string& name, double* out, std::size_t stride) {
    const std::vector<double>& values = column_of(table, name).values;
    for (const std::int64_t row : data.table_rows) {
      *out = values[static_cast<std::size_t>(row)];
      out += stride;
    }
  };
  const std::size_t rows = data.table_rows.size(), features = roles.features.size();
  data.feature_names = roles.features;
  data.x.resize(rows * features);
  for (std::size_t f = 0; f < features; ++f) {
    gather(roles.features[f], data.x.data() + f, features);
  }
  if (!roles.target.empty()) {
    data.y.resize(rows);
    gather(roles.target, data.y.data(), 1);
  }
  const std::vector<double>& x = column_of(table, roles.x).values;
  const std::vector<double>& y = column_of(table, roles.y).values;
  data.points.reserve(rows);
  for (const std::int64_t row : data.table_rows) {
    data.points.push_back({x[static_cast<std::size_t>(row)], y[static_cast<std::size_t>(row)]});
  }
}

}  // namespace

Dataset make_dataset(const Table& table, const Roles& roles, Space space, MissingRows missing,
                     Log& log) {
  if (!roles.geographic && space != Space::plane) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: distance by longitude and latitude needs --lon and --lat; columns "
                            "'{}' and '{}' are projected coordinates, for --metric planar or auto",
                            table.source(), roles.x, roles.y));
  }
  if (table.rows() > std::numeric_limits<std::int32_t>::max()) {
    fail_data(table, ": more than 2,147,483,647 rows");
  }
  Dataset data;
  data.space = space;
  data.table_rows = usable_rows(table, columns_used(table, roles), missing, log);
  if (roles.geographic) {
    warn_if_swapped(roles, log);
    check_degrees(table, column_of(table, roles.y), data.table_rows, -90, 90);
    check_degrees(table, column_of(table, roles.x), data.table_rows, -180, 360);
  } else {
    check_planar(table, column_of(table, roles.x), data.table_rows);
    check_planar(table, column_of(table, roles.y), data.table_rows);
  }
  fill_values(table, roles, data);
  if (roles.geographic) wrap_longitudes(data.points, log);
  const std::int64_t places = count_places(data.points);
  log.detail(fmt::format("{} rows at {} places; {} rows repeat an earlier place",
                         format_count(data.rows()), format_count(places),
                         format_count(data.rows() - places)));
  return data;
}

Dataset subset(const Dataset& data, std::span<const std::int64_t> rows) {
  Dataset part;
  part.space = data.space;
  part.feature_names = data.feature_names;
  part.points.reserve(rows.size());
  part.table_rows.reserve(rows.size());
  part.x.reserve(rows.size() * data.feature_names.size());
  if (!data.y.empty()) part.y.reserve(rows.size());
  for (const std::int64_t row : rows) {
    PEGNN_ASSERT(row >= 0 && row < data.rows(), "a subset takes rows of its data set");
    const auto i = static_cast<std::size_t>(row);
    part.points.push_back(data.points[i]);
    part.table_rows.push_back(data.table_rows[i]);
    const double* const features = data.x.data() + row * data.features();
    part.x.insert(part.x.end(), features, features + data.features());
    if (!data.y.empty()) part.y.push_back(data.y[i]);
  }
  return part;
}

}  // namespace pegnn
