#pragma once
// Which driver of GDAL writes a file, and with which options.

#include <string>
#include <vector>

#include <cpl_string.h>

#include "io/gdal.h"

class GDALDriver;

namespace pegnn::gdal_module {

// The driver that `plan.format` names, else the one for the ending of the file. Error{usage} when
// there is none that writes vector files, and for one that writes folders.
GDALDriver& driver_for(const VectorPlan& plan);

// NAME=VALUE for the file and for the layer in it.
struct CreationOptions {
  CPLStringList file, layer;
};

// Sorts what the user gave. Error{usage} for an option that the driver does not know.
CreationOptions sort_options(GDALDriver& driver, const std::vector<std::string>& given);

}  // namespace pegnn::gdal_module
