#pragma once
// The usual names of coordinate columns.

#include <string_view>

namespace pegnn {

// True for names that commonly hold a longitude (lon, Longitude, ...) or a latitude, in any case.
bool is_longitude_name(std::string_view name);
bool is_latitude_name(std::string_view name);

}  // namespace pegnn
