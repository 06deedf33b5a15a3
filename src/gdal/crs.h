#pragma once
// Between our Crs and GDAL's.

#include <memory>
#include <string>

#include <ogr_spatialref.h>

#include "pegnn/geo.h"

namespace pegnn::gdal_module {

// Not known for null and for systems that cannot be written down. `source` is named where one
// cannot be used (Error{data}): geocentric, vertical.
Crs crs_of(const OGRSpatialReference* reference, const std::string& source);

// With longitude or easting first.
OGRSpatialReference reference_of(const Crs& crs);

struct DestroyConversion {
  void operator()(OGRCoordinateTransformation* c) const {
    OGRCoordinateTransformation::DestroyCT(c);
  }
};
using Conversion = std::unique_ptr<OGRCoordinateTransformation, DestroyConversion>;
// Error{usage} when PROJ knows no way from one to the other.
Conversion make_conversion(const Crs& from, const Crs& to);

}  // namespace pegnn::gdal_module
