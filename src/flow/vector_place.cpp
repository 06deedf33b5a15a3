#include "flow/vector_place.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>

#include "base/text.h"
#include "io/connection.h"

namespace pegnn {
namespace {

// Formats for tables of features that GDAL has drivers for, some of them only in some builds.
constexpr std::string_view kEndings[] = {
    ".gpkg", ".geojson", ".json", ".geojsonl", ".geojsons", ".geojsonseq", ".topojson", ".shp",
    ".shz",  ".dbf",     ".zip",  ".fgb",      ".kml",      ".kmz",        ".gml",      ".gpx",
    ".gdb",  ".tab",     ".mif",  ".sqlite",   ".xlsx",     ".xls",        ".ods",      ".vrt",
    ".dxf",  ".osm",     ".pbf",  ".jml",      ".parquet",  ".geoparquet", ".arrow",    ".feather"};

// A folder of such a name is a mistake, not a folder of shapefiles.
bool has_text_ending(const std::string& place) {
  const std::string name = lower(place);
  return name.ends_with(".csv") || name.ends_with(".tsv") || name.ends_with(".txt") ||
         name.ends_with(".gz");
}

}  // namespace

bool has_vector_ending(const std::string& file) {
  const std::string name = lower(file);
  return std::any_of(std::begin(kEndings), std::end(kEndings), [&](std::string_view ending) {
    return name.size() > ending.size() && name.ends_with(ending);
  });
}

bool is_vector_place(const std::string& place) {
  if (place == "-") return false;
  if (has_vector_ending(place)) return true;
  std::error_code ignored;
  if (std::filesystem::is_directory(place, ignored)) return !has_text_ending(place);
  return is_connection(place);
}

}  // namespace pegnn
