#include "table/given_points.h"

#include <cmath>

#include <fmt/core.h>

#include "base/text.h"
#include "pegnn/error.h"
#include "table/usable_rows.h"

namespace pegnn {
namespace {

[[noreturn]] void refuse(std::size_t row, const char* coordinate, double value, double low,
                         double high) {
  throw Error(ErrorKind::usage,
              fmt::format("point {} (from 0): {} {} is outside [{}, {}]", row, coordinate,
                          format_number(value), format_number(low), format_number(high)));
}

}  // namespace

std::vector<Point> checked_points(std::span<const Point> points, bool geographic) {
  const double west = geographic ? -180 : -kFarthestCoordinate;
  const double east = geographic ? 360 : kFarthestCoordinate;
  const double north = geographic ? 90 : kFarthestCoordinate;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point p = points[i];
    // Written so that NaN is refused too.
    if (!(p.x >= west && p.x <= east)) refuse(i, geographic ? "longitude" : "x", p.x, west, east);
    if (!(std::abs(p.y) <= north)) refuse(i, geographic ? "latitude" : "y", p.y, -north, north);
  }
  std::vector<Point> checked(points.begin(), points.end());
  RowsMet met;
  if (geographic) wrap_longitudes(checked, met);
  return checked;
}

bool is_place(bool geographic, Point p) {
  const double x = geographic ? 180 : kFarthestCoordinate;
  const double y = geographic ? 90 : kFarthestCoordinate;
  return std::abs(p.x) <= x && std::abs(p.y) <= y;
}

void check_finite(std::span<const double> values, std::string_view what) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    throw Error(ErrorKind::usage, fmt::format("{} {} (from 0) is {}, not a finite number", what, i,
                                              format_number(values[i])));
  }
}

}  // namespace pegnn
