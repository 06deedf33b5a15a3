#pragma once
// Rasters: where their cells lie.

#include <cstdint>

#include "pegnn/geo.h"

namespace pegnn {

// East of 180 degrees longitudes go on: 170 to 190 lies around the antimeridian.
struct Extent {
  double west = 0, south = 0, east = 0, north = 0;

  double width() const { return east - west; }
  double height() const { return north - south; }
};

struct CellSize {
  double x = 0, y = 0;
};
struct GridSize {
  std::int64_t width = 0, height = 0;
};

// North is up: cell (column, row) covers [x + column * dx, x + (column + 1) * dx] and
// [y - (row + 1) * dy, y - row * dy].
struct RasterGrid {
  std::int64_t width = 0, height = 0;
  double x = 0, y = 0;    // outer corner, upper left
  double dx = 1, dy = 1;  // of a cell, both positive
  Crs crs = {};

  Point centre(std::int64_t column, std::int64_t row) const {
    return {x + (static_cast<double>(column) + 0.5) * dx,
            y - (static_cast<double>(row) + 0.5) * dy};
  }
};

}  // namespace pegnn
