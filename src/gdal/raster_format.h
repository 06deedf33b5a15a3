#pragma once
// Which of GDAL's formats a map is written in, and whether that format can hold it.

#include <cpl_string.h>
#include <gdal_priv.h>

#include <filesystem>

#include "io/gdal.h"

namespace pegnn::gdal_module {

struct RasterFormat {
  GDALDriver* driver = nullptr;
  CPLStringList options;

  std::string name() const { return driver->GetDescription(); }
  // Whether cells can be written one after the other; else the whole is copied from a draft.
  bool direct() const { return name() == "GTiff"; }
};

// By the file's ending unless the plan names one. A GeoTIFF is made such that parts of it can be
// fetched over a network (a cloud-optimised one). Error{usage} for a format that is not there or
// writes no rasters, and for options that it does not have.
RasterFormat choose_format(const RasterPlan& plan);

// What a raster says of itself: place, CRS, names of bands, no data.
void describe_raster(GDALDataset& raster, const RasterPlan& plan);

// Writes a few cells in that format into `folder`, with all bands, and reads them back: better than
// finding out after an hour of work that a format has only bytes, or one band. Error{usage}.
void try_format(const RasterFormat& format, const RasterPlan& plan,
                const std::filesystem::path& folder);

}  // namespace pegnn::gdal_module
