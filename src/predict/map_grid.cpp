#include "predict/map_grid.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/array.h"
#include "base/text.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

constexpr double kTurn = 360;
constexpr double kMargin = 0.03;          // around the data, of the longer side
constexpr double kLongSide = 1000;        // cells, where no size is given
constexpr double kMostCells = 1e11;       // a map of 400 GB
constexpr double kMostSide = 2147483647;  // GDAL counts in 32 bits

[[noreturn]] void fail(const std::string& text) { throw Error(ErrorKind::usage, text); }

// 1, 2 or 5 times a power of ten, the one next below `value`.
double round_down(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  for (const double step : {5.0, 2.0}) {
    if (step * power <= value * (1 + 1e-12)) return step * power;
  }
  return power;
}

void check_box(const Extent& box, bool geographic) {
  const std::string text =
      fmt::format("<option:bbox> {},{},{},{}", format_number(box.west), format_number(box.south),
                  format_number(box.east), format_number(box.north));
  for (const double side : {box.west, box.south, box.east, box.north}) {
    if (!std::isfinite(side)) fail(text + ": every side must be a number");
  }
  if (!(box.south < box.north)) fail(text + ": the order is xmin,ymin,xmax,ymax");
  if (!(box.west < box.east)) {
    fail(text +
         ": xmin must be less than xmax (on the globe it may be greater, around 180 degrees)");
  }
  if (!geographic) return;
  if (box.south < -90 || box.north > 90 || std::abs(box.west) > kTurn ||
      std::abs(box.east) > 2 * kTurn) {
    fail(text +
         ": not a place on the globe; longitudes and latitudes in degrees are asked for, or "
         "<option:crs> for a map in another system");
  }
  if (box.width() > kTurn * (1 + 1e-9)) fail(text + ": wider than once around the globe");
}

std::int64_t count_cells(double length, double cell) {
  // A box that is a whole number of cells wide, but for rounding, does not get one more.
  return std::max<std::int64_t>(1, std::llround(std::ceil(length / cell - 1e-6)));
}

// The data's box in whole cells of a round size.
Extent snapped(const Extent& box, CellSize cell, bool geographic) {
  Extent out{std::floor(box.west / cell.x) * cell.x, std::floor(box.south / cell.y) * cell.y,
             std::ceil(box.east / cell.x) * cell.x, std::ceil(box.north / cell.y) * cell.y};
  if (geographic) {
    out.south = std::max(out.south, -90.0);
    out.north = std::min(out.north, 90.0);
    if (out.width() > kTurn) out.east = out.west + kTurn;
  }
  return out;
}

void check_size(double width, double height) {
  if (width > kMostSide || height > kMostSide || width * height > kMostCells) {
    fail(
        fmt::format("a map of {:.3g} x {:.3g} cells is too large; choose a coarser <option:res> or "
                    "a smaller <option:bbox>",
                    width, height));
  }
}

}  // namespace

Extent extent_of(Span<const Point> points, bool geographic) {
  Array<double> xs;
  Extent e{INFINITY, INFINITY, -INFINITY, -INFINITY};
  for (const Point& p : points) {
    if (std::isnan(p.x) || std::isnan(p.y)) continue;
    e.south = std::min(e.south, p.y);
    e.north = std::max(e.north, p.y);
    e.west = std::min(e.west, p.x);
    e.east = std::max(e.east, p.x);
    if (geographic) xs.push_back(p.x);
  }
  if (!geographic || xs.empty()) return e;
  std::sort(xs.begin(), xs.end());
  // The seam, unless another gap is wider.
  double widest = xs.front() + kTurn - xs.back();
  for (std::int64_t i = 1; i < std::ssize(xs); ++i) {
    if (xs[i] - xs[i - 1] <= widest) continue;
    widest = xs[i] - xs[i - 1];
    e.west = xs[i];
    e.east = xs[i - 1] + kTurn;
  }
  return e;
}

bool overlap(const Extent& a, const Extent& b, bool geographic) {
  if (a.south > b.north || b.south > a.north) return false;
  for (const double turn : {0.0, -kTurn, kTurn}) {
    if (turn != 0 && !geographic) break;
    if (a.west + turn <= b.east && b.west <= a.east + turn) return true;
  }
  return false;
}

Extent widened(const Extent& extent, double share, bool geographic) {
  const double by = share * std::max(extent.width(), extent.height());
  Extent out{extent.west - by, extent.south - by, extent.east + by, extent.north + by};
  if (!geographic) return out;
  out.south = std::max(out.south, -90.0);
  out.north = std::min(out.north, 90.0);
  if (out.width() > kTurn) {
    out.west = -kTurn / 2;
    out.east = kTurn / 2;
  }
  return out;
}

Extent extent_of(const RasterGrid& grid) {
  return {grid.x, grid.y - static_cast<double>(grid.height) * grid.dy,
          grid.x + static_cast<double>(grid.width) * grid.dx, grid.y};
}

RasterGrid choose_grid(const GridRequest& request, const Extent& data) {
  const bool geographic = request.crs.known() ? request.crs.geographic : request.geographic;
  if (request.cell && request.size) fail("<option:res> and <option:size> exclude each other");
  Extent box;
  if (request.box) {
    box = *request.box;
    if (geographic && box.west > box.east) box.east += kTurn;
    check_box(box, geographic);
  } else {
    box = widened(data, kMargin, geographic);
    // All points in one place, or in a line.
    const double least =
        std::max({box.width(), box.height(), 1e-9 * std::abs(data.west), geographic ? 0.01 : 1.0}) *
        0.1;
    if (box.width() < least) box = {box.west - least, box.south, box.east + least, box.north};
    if (box.height() < least) box = {box.west, box.south - least, box.east, box.north + least};
  }
  RasterGrid grid{.x = box.west, .y = box.north, .crs = request.crs};
  if (request.size) {
    grid.width = request.size->width;
    grid.height = request.size->height;
    check_size(static_cast<double>(grid.width), static_cast<double>(grid.height));
    grid.dx = box.width() / static_cast<double>(grid.width);
    grid.dy = box.height() / static_cast<double>(grid.height);
    return grid;
  }
  CellSize cell;
  if (request.cell) {
    cell = *request.cell;
  } else {
    cell.x = cell.y = round_down(std::max(box.width(), box.height()) / kLongSide * 2);
  }
  if (!(cell.x > 0) || !(cell.y > 0) || !std::isfinite(cell.x) || !std::isfinite(cell.y)) {
    fail("<option:res> must be a positive number, or two of them: 100 or 100,50");
  }
  check_size(box.width() / cell.x, box.height() / cell.y);
  if (!request.box) box = snapped(box, cell, geographic);
  grid.x = box.west;
  grid.y = box.north;
  grid.dx = cell.x;
  grid.dy = cell.y;
  grid.width = count_cells(box.width(), cell.x);
  grid.height = count_cells(box.height(), cell.y);
  return grid;
}

}  // namespace pegnn
