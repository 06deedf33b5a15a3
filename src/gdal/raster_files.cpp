#include "gdal/raster_files.h"

#include <cmath>
#include <filesystem>

#include <fmt/core.h>

#include "gdal/crs.h"
#include "gdal/errors.h"
#include "gdal/parts.h"
#include "gdal/place.h"
#include "io/connection.h"
#include "pegnn/error.h"

namespace pegnn::gdal_module {

RasterFile open_raster_file(const std::string& place) {
  forget_errors();
  RasterFile file(GDALDataset::Open(place.c_str(), GDAL_OF_RASTER | GDAL_OF_VERBOSE_ERROR));
  if (file != nullptr && file->GetRasterCount() > 0) return file;
  std::error_code ignored;
  // "NETCDF:file:variable" and the like are no files.
  if (!is_connection(place) && !std::filesystem::exists(place, ignored)) {
    throw Error(ErrorKind::resource,
                fmt::format("cannot read '{}': there is no such file", shown_place(place)));
  }
  throw Error(ErrorKind::data, fmt::format("'{}' is not a raster that can be used: {}",
                                           shown_place(place), reason()));
}

CellFinder::CellFinder(GDALDataset& raster, const std::string& place) {
  if (raster.GetGeoTransform(forward_) != CE_None || GDALInvGeoTransform(forward_, inverse_) == 0) {
    throw Error(ErrorKind::data,
                fmt::format("'{}' does not say where it lies (no geotransform)", place));
  }
}

RasterGrid grid_of(const std::string& place) {
  const RasterFile file = open_raster_file(place);
  const CellFinder finder(*file, place);
  const double* t = finder.forward();
  if (t[2] != 0 || t[4] != 0 || !(t[1] > 0) || !(t[5] < 0)) {
    throw Error(
        ErrorKind::data,
        fmt::format("the rows of '{}' do not run from west to east and from north to south; "
                    "bring it into that order with gdalwarp",
                    place));
  }
  return {.width = file->GetRasterXSize(),
          .height = file->GetRasterYSize(),
          .x = t[0],
          .y = t[3],
          .dx = t[1],
          .dy = -t[5],
          .crs = crs_of(file->GetSpatialRef(), place)};
}

}  // namespace pegnn::gdal_module
