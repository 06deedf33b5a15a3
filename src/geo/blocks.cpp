#include "geo/blocks.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include <fmt/core.h>

#include "base/array.h"
#include "base/philox.h"
#include "base/text.h"
#include "geo/sphere.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

constexpr double kRadians = std::numbers::pi / 180.0;

// A cell and the row of a point in it. Indices stay `double`: with a tiny block size they pass any
// integer.
struct Cell {
  double band, column;
  std::int64_t row;
};

// Bands are centred on multiples of their height counted from the south pole, so that a pole lies
// in the middle of one round cell; columns likewise from the antimeridian, so that it is no edge
// either.
Cell cell_on_sphere(Point p, double size, std::int64_t row) {
  const double bands = std::round(std::numbers::pi * kEarthRadiusMetres / size);
  if (bands == 0) return {0, 0, row};  // larger than the Earth
  const double height = 180.0 / bands;
  const double band = std::round((p.y + 90.0) / height);
  const double latitude = (band * height - 90.0) * kRadians;
  const double around = 2.0 * std::numbers::pi * kEarthRadiusMetres * std::cos(latitude);
  const double columns = std::max(1.0, std::round(around / size));
  const double turn = std::remainder(p.x, 360.0) / 360.0 + 0.5;  // 0 and 1 are the antimeridian
  const double column = std::round(turn * columns);
  return {band, column == columns ? 0.0 : column, row};
}

Cell cell_in_plane(Point p, double size, std::int64_t row) {
  return {std::floor(p.y / size), std::floor(p.x / size), row};
}

// The sides of the rectangle around some points, and the root of its area.
struct Extent {
  double width, height, side;
};

Extent extent_in_plane(Span<const Point> points) {
  const auto [west, east] = std::ranges::minmax(points, {}, &Point::x);
  const auto [south, north] = std::ranges::minmax(points, {}, &Point::y);
  const double width = east.x - west.x, height = north.y - south.y;
  return {width, height, std::sqrt(width) * std::sqrt(height)};
}

Extent extent_on_sphere(Span<const Point> points) {
  const auto [lowest, highest] = std::ranges::minmax(points, {}, &Point::y);
  const double south = lowest.y * kRadians, north = highest.y * kRadians;
  const double lon_range = longitude_range(points).width * kRadians;
  const double nearest_equator = std::clamp(0.0, south, north);
  return {kEarthRadiusMetres * lon_range * std::cos(nearest_equator),
          kEarthRadiusMetres * (north - south),
          kEarthRadiusMetres * std::sqrt(lon_range * (std::sin(north) - std::sin(south)))};
}

}  // namespace

Array<std::int32_t> spatial_blocks(Span<const Point> points, Space space, double size) {
  if (!(size > 0) || std::isinf(size)) {
    throw Error(
        ErrorKind::usage,
        fmt::format("the size of spatial blocks must be a positive number of {}, not {}",
                    space == Space::sphere ? "metres" : "coordinate units", format_number(size)));
  }
  Array<Cell> cells;
  cells.reserve(points.size());
  for (const Point& p : points) {
    const auto row = std::ssize(cells);
    cells.push_back(space == Space::sphere ? cell_on_sphere(p, size, row)
                                           : cell_in_plane(p, size, row));
  }
  std::ranges::sort(cells, {}, [](const Cell& c) { return std::tuple(c.band, c.column, c.row); });

  // Every point first gets the first row of its cell; read in order, those rows become numbers.
  Array<std::int32_t> blocks(points.size());
  const Cell* first = cells.data();
  for (const Cell& cell : cells) {
    if (cell.band != first->band || cell.column != first->column) first = &cell;
    blocks[cell.row] = static_cast<std::int32_t>(first->row);
  }
  std::int32_t count = 0;
  for (std::int64_t row = 0; row < std::ssize(blocks); ++row) {
    const std::int64_t head = blocks[row];
    blocks[row] = head == row ? count++ : blocks[head];
  }
  return blocks;
}

Array<std::int32_t> moved_blocks(Span<const Point> points, Space space, double size,
                                 std::uint64_t seed) {
  constexpr std::uint64_t kDraw = 1'000;  // far from the addresses of splits
  const Rng rng{seed, Stream::split};
  const double u = rng.uniform(kDraw, 0), v = rng.uniform(kDraw, 1), w = rng.uniform(kDraw, 2);
  Array<Point> moved;
  moved.reserve(points.size());
  if (space != Space::sphere) {
    for (const Point& p : points) moved.push_back({p.x + u * size, p.y + v * size});
    return spatial_blocks(moved, space, size);
  }
  // A rotation drawn evenly from all there are: a unit quaternion (Shoemake, Graphics Gems III).
  constexpr double kTurn = 2 * std::numbers::pi;
  const double a = std::sqrt(1 - u) * std::sin(kTurn * v),
               b = std::sqrt(1 - u) * std::cos(kTurn * v), c = std::sqrt(u) * std::sin(kTurn * w),
               d = std::sqrt(u) * std::cos(kTurn * w);
  for (const Point& p : points) {
    const auto [x, y, z] = unit_vector(p);
    const double east =
        (1 - 2 * (b * b + c * c)) * x + 2 * (a * b - c * d) * y + 2 * (a * c + b * d) * z;
    const double north =
        2 * (a * b + c * d) * x + (1 - 2 * (a * a + c * c)) * y + 2 * (b * c - a * d) * z;
    const double up =
        2 * (a * c - b * d) * x + 2 * (b * c + a * d) * y + (1 - 2 * (a * a + b * b)) * z;
    moved.push_back(
        {std::atan2(north, east) / kRadians, std::atan2(up, std::hypot(east, north)) / kRadians});
  }
  return spatial_blocks(moved, space, size);
}

// The circle without its longest empty arc, so that points on both sides of the antimeridian count
// as near.
LongitudeRange longitude_range(Span<const Point> points) {
  Array<double> longitudes;
  longitudes.reserve(points.size());
  for (const Point& p : points) longitudes.push_back(std::remainder(p.x, 360.0));
  std::ranges::sort(longitudes);
  double empty = longitudes.front() + 360.0 - longitudes.back(), west = longitudes.front();
  for (std::int64_t i = 1; i < std::ssize(longitudes); ++i) {
    if (longitudes[i] - longitudes[i - 1] <= empty) continue;
    empty = longitudes[i] - longitudes[i - 1];
    west = longitudes[i];
  }
  return {west, 360.0 - empty};
}

double default_block_size(Span<const Point> points, Space space) {
  constexpr double kBlocks = 100;
  if (points.empty()) return 1.0;
  const Extent extent = space == Space::sphere ? extent_on_sphere(points) : extent_in_plane(points);
  // A strip narrower than a block is cut across only.
  const double size =
      std::max(extent.side / std::sqrt(kBlocks), std::max(extent.width, extent.height) / kBlocks);
  return size > 0 ? size : 1.0;  // all in one place: any size will do
}

}  // namespace pegnn
