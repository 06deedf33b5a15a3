// What can be known of a vector file before it is written.

#include <filesystem>
#include <string>
#include <vector>

#include <gdal_priv.h>
#include <ogrsf_frmts.h>

#include <fmt/core.h>

#include "base/text.h"
#include "gdal/errors.h"
#include "gdal/formats.h"
#include "gdal/parts.h"
#include "gdal/vector_source.h"
#include "pegnn/error.h"

namespace pegnn::gdal_module {
namespace {

// The layers of the file that is there; none where it cannot be read as one that may have several.
// GeoJSON and the like, of which to open one is to read it all, are not opened.
std::vector<std::string> old_layers(const std::filesystem::path& file) {
  const char* const several[] = {"GPKG", "SQLite", "LIBKML", "KML", "GML", "XLSX", "ODS", nullptr};
  const char* const options[] = {"WRITE_GFS=NO", nullptr};
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return {};
  forget_errors();
  const GDALDatasetUniquePtr old(
      GDALDataset::Open(file.c_str(), GDAL_OF_VECTOR | GDAL_OF_READONLY, several,
                        lower(file.extension().string()) == ".gml" ? options : nullptr));
  return old == nullptr ? std::vector<std::string>() : layer_names(*old);
}

}  // namespace

void check_output(const VectorPlan& plan) {
  sort_options(driver_for(plan), plan.creation);
  const std::vector<std::string> layers = old_layers(plan.file);
  if (layers.size() < 2) return;
  throw Error(ErrorKind::usage, fmt::format("'{}' holds {} layers ({}), and a file is replaced as "
                                            "a whole; choose another file with <option:out>",
                                            plan.file.string(), layers.size(), some(layers)));
}

}  // namespace pegnn::gdal_module
