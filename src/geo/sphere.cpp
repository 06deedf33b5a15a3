#include "geo/sphere.h"

#include <cmath>
#include <iterator>
#include <numbers>

#include "base/assert.h"
#include "geo/chords.h"

namespace pegnn {
namespace {

struct SinCos {
  double sin, cos;
};

// Sine and cosine of an angle in degrees. The angle is brought into [-45, 45] while it is still in
// degrees, where that is exact: pi / 180 is not, so multiples of 90 would miss their zeros. Adding
// zero turns -0 into 0, so that one place has one vector down to the sign bits.
SinCos sin_cos_degrees(double angle) {
  int quarter = 0;
  const double rest = std::remquo(angle, 90.0, &quarter) * (std::numbers::pi / 180.0);
  const double s = std::sin(rest);
  const double c = std::cos(rest);
  switch (static_cast<unsigned>(quarter) & 3U) {
    case 0:
      return {s + 0.0, c};
    case 1:
      return {c, 0.0 - s};
    case 2:
      return {0.0 - s, -c};
    default:
      return {-c, s + 0.0};
  }
}

// a - b brought into [-180, 180], without losing digits where the two meet across the antimeridian:
// 179.9999999 - (-179.9999999) rounds at 360 degrees, its two steps from 180 do not.
double longitude_difference(double a, double b) {
  a = std::remainder(a, 360.0);
  b = std::remainder(b, 360.0);
  const double plain = a - b;
  if (plain > 180.0) return (a - 180.0) - (b + 180.0);
  if (plain < -180.0) return (a + 180.0) - (b - 180.0);
  return plain;
}

}  // namespace

std::string_view name_of(Space space) {
  switch (space) {
    case Space::sphere:
      return "great-circle";
    case Space::plane:
      return "planar";
    case Space::degrees:
      return "degrees";
  }
  PEGNN_ASSERT(false, "a Space has three values");
  return {};
}

UnitVector unit_vector(Point p) {
  const SinCos lon = sin_cos_degrees(p.x);
  const SinCos lat = sin_cos_degrees(p.y);
  return {lat.cos * lon.cos + 0.0, lat.cos * lon.sin + 0.0, lat.sin};
}

// With h = sin^2(dlat / 2) + cos(lat_a) cos(lat_b) sin^2(dlon / 2), the haversine of the angle, and
// the same for b's antipode, g = sin^2((lat_a + lat_b) / 2) + cos(lat_a) cos(lat_b) cos^2(dlon /
// 2), h + g = 1 and the angle is 2 atan2(sqrt(h), sqrt(g)). Differences and sums are taken in
// degrees, where they are exact for near points and near antipodes, so both ends keep all their
// digits.
Metres great_circle(Point a, Point b) {
  const double cosines = sin_cos_degrees(a.y).cos * sin_cos_degrees(b.y).cos;
  const double lat_difference = sin_cos_degrees((a.y - b.y) / 2).sin;
  const double lat_sum = sin_cos_degrees((a.y + b.y) / 2).sin;
  const SinCos lon = sin_cos_degrees(longitude_difference(a.x, b.x) / 2);
  const double h = lat_difference * lat_difference + cosines * (lon.sin * lon.sin);
  const double g = lat_sum * lat_sum + cosines * (lon.cos * lon.cos);
  return {2.0 * kEarthRadiusMetres * std::atan2(std::sqrt(h), std::sqrt(g))};
}

Metres metres_of_squared_chord(double squared_chord) {
  const double chord = std::sqrt(squared_chord);
  if (squared_chord < kChordSeriesEnd) {
    const double u = squared_chord * 0.25;
    double series = kChordSeries[0];
    for (std::size_t term = 1; term < std::size(kChordSeries); ++term) {
      series = kChordSeries[term] + u * series;
    }
    return {kEarthRadiusMetres * (chord * series)};
  }
  // Rounding may carry the chord of antipodes past 2.
  const double other = std::sqrt(squared_chord < 4.0 ? 4.0 - squared_chord : 0.0);
  return {2.0 * kEarthRadiusMetres * std::atan2(chord, other)};
}

double distance(Space space, Point a, Point b) {
  if (space == Space::sphere) return great_circle(a, b).value;
  const double dx = a.x - b.x, dy = a.y - b.y;
  return std::sqrt(dx * dx + dy * dy);
}

}  // namespace pegnn
