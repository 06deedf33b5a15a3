#pragma once
// Rasters as GDAL opens them.

#include <gdal_priv.h>

#include <memory>
#include <string>

#include "io/gdal.h"

namespace pegnn::gdal_module {

struct CloseRaster {
  void operator()(GDALDataset* dataset) const { GDALClose(dataset); }
};
using RasterFile = std::unique_ptr<GDALDataset, CloseRaster>;

// For reading. Error{resource} when there is no such file, Error{data} when it is not a raster.
RasterFile open_raster_file(const std::string& place);

// Column and row of a place, through the inverse of `forward` (GDAL's six numbers: a cell may be
// turned or stand on its head). Cell (0, 0) covers [0, 1] x [0, 1].
class CellFinder {
 public:
  // Error{data} when the raster does not say where it lies.
  explicit CellFinder(GDALDataset& raster, const std::string& place);
  Point cell(Point p) const {
    return {inverse_[0] + p.x * inverse_[1] + p.y * inverse_[2],
            inverse_[3] + p.x * inverse_[4] + p.y * inverse_[5]};
  }
  const double* forward() const { return forward_; }

 private:
  double forward_[6], inverse_[6];
};

}  // namespace pegnn::gdal_module
