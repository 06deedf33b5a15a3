#include "table/given_points.h"

#include <cmath>

#include <fmt/core.h>

#include "base/array.h"
#include "base/text.h"
#include "pegnn/error.h"
#include "table/usable_rows.h"

namespace pegnn {
namespace {

[[noreturn]] void refuse(std::int64_t row, const char* coordinate, double value, double low,
                         double high) {
  throw Error(ErrorKind::usage,
              fmt::format("point {} (from 0): {} {} is outside [{}, {}]", row, coordinate,
                          format_number(value), format_number(low), format_number(high)));
}

}  // namespace

Array<Point> checked_points(Span<const Point> points, bool geographic) {
  const double west = geographic ? -180 : -kFarthestCoordinate;
  const double east = geographic ? 360 : kFarthestCoordinate;
  const double north = geographic ? 90 : kFarthestCoordinate;
  for (std::int64_t i = 0; i < std::ssize(points); ++i) {
    const Point p = points[i];
    // Written so that NaN is refused too.
    if (!(p.x >= west && p.x <= east)) refuse(i, geographic ? "longitude" : "x", p.x, west, east);
    if (!(std::abs(p.y) <= north)) refuse(i, geographic ? "latitude" : "y", p.y, -north, north);
  }
  Array<Point> checked(points.begin(), points.end());
  RowsMet met;
  if (geographic) wrap_longitudes(checked, met);
  return checked;
}

bool is_place(bool geographic, Point p) {
  const double x = geographic ? 180 : kFarthestCoordinate;
  const double y = geographic ? 90 : kFarthestCoordinate;
  return std::abs(p.x) <= x && std::abs(p.y) <= y;
}

void check_finite(Span<const double> values, std::string_view what) {
  for (std::int64_t i = 0; i < std::ssize(values); ++i) {
    if (std::isfinite(values[i])) continue;
    throw Error(ErrorKind::usage, fmt::format("{} {} (from 0) is {}, not a finite number", what, i,
                                              format_number(values[i])));
  }
}

}  // namespace pegnn
