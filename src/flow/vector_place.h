#pragma once
// Which files and connections are vector data, read and written by GDAL; all others are CSV.

#include <string>

namespace pegnn {

// By the ending of the name (.gpkg, .geojson, .shp, ...), else because it is a folder, a connection
// ("PG:dbname=city") or lies in one of GDAL's own file systems ("/vsizip/...").
bool is_vector_place(const std::string& place);

// By the ending alone: what is to be written.
bool has_vector_ending(const std::string& file);

}  // namespace pegnn
