#include "gdal/place.h"

#include <filesystem>

#include <gdal_priv.h>

#include <fmt/core.h>

#include "base/atomic_file.h"
#include "base/secrets.h"
#include "base/text.h"
#include "gdal/errors.h"
#include "io/connection.h"
#include "pegnn/error.h"

namespace pegnn::gdal_module {
namespace {

// Drivers that some builds of GDAL lack, and what their files end in.
std::string lacking_driver(const std::string& place) {
  const std::string name = lower(place);
  if (name.ends_with("parquet") && GDALGetDriverByName("Parquet") == nullptr) {
    return "this GDAL has no Parquet driver; convert the file to GeoPackage (.gpkg) or CSV";
  }
  return {};
}

}  // namespace

std::string gdal_place(const std::string& place) {
  const bool archive = lower(place).ends_with(".zip") && !lower(place).ends_with(".shp.zip");
  return archive && !is_connection(place) ? "/vsizip/" + place : place;
}

std::string shown_place(const std::string& place) { return hide_passwords(place); }

void require_file(const std::string& place) {
  std::error_code ignored;
  if (is_connection(place) || std::filesystem::is_directory(place, ignored)) return;
  const InputFile readable(place);
}

void fail_open(const std::string& place) {
  if (is_connection(place)) {
    throw Error(ErrorKind::resource,
                fmt::format("cannot read '{}': {}", shown_place(place), reason()));
  }
  const std::string lacking = lacking_driver(place);
  throw Error(ErrorKind::data, fmt::format("'{}' cannot be read as vector data: {}", place,
                                           lacking.empty() ? reason() : lacking));
}

}  // namespace pegnn::gdal_module
