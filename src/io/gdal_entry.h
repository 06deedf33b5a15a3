#pragma once
// The one symbol that the GDAL module shows.

#include <string_view>

namespace pegnn {

class Gdal;

// Null when the module belongs to another version: its classes may be laid out differently.
using GdalEntry = const Gdal*(std::string_view version);
inline constexpr const char* kGdalEntry = "pegnn_gdal_entry";

}  // namespace pegnn
