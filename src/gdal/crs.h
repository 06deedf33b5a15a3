#pragma once
// Between our Crs and GDAL's.

#include <string>

#include "pegnn/geo.h"

class OGRSpatialReference;

namespace pegnn::gdal_module {

// Not known for null and for systems that cannot be written down. `source` is named where one
// cannot be used (Error{data}): geocentric, vertical.
Crs crs_of(const OGRSpatialReference* reference, const std::string& source);

// With longitude or easting first.
OGRSpatialReference reference_of(const Crs& crs);

}  // namespace pegnn::gdal_module
