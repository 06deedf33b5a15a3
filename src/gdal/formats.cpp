#include "gdal/formats.h"

#include <algorithm>
#include <string_view>

#include <cpl_minixml.h>
#include <gdal_priv.h>

#include <fmt/core.h>

#include "base/text.h"
#include "gdal/names.h"
#include "pegnn/error.h"

namespace pegnn::gdal_module {
namespace {

// What is written by the ending of a name: formats that keep the fields of any table. Others, some
// of which go by endings of their own choice (a .osm file would come from GPSBabel), need --of.
constexpr std::pair<std::string_view, const char*> kByEnding[] = {
    {"gpkg", "GPKG"},
    {"geojson", "GeoJSON"},
    {"json", "GeoJSON"},
    {"geojsonl", "GeoJSONSeq"},
    {"geojsons", "GeoJSONSeq"},
    {"geojsonseq", "GeoJSONSeq"},
    {"shp", "ESRI Shapefile"},
    {"shz", "ESRI Shapefile"},
    {"fgb", "FlatGeobuf"},
    {"kml", "KML"},  // LIBKML takes a time that grows with the square of the rows
    {"kml", "LIBKML"},
    {"kmz", "LIBKML"},
    {"gml", "GML"},
    {"tab", "MapInfo File"},
    {"mif", "MapInfo File"},
    {"sqlite", "SQLite"},
    {"jml", "JML"},
    {"gdb", "OpenFileGDB"},
    {"xlsx", "XLSX"},
    {"ods", "ODS"},
    {"parquet", "Parquet"},
    {"geoparquet", "Parquet"},
    {"arrow", "Arrow"},
    {"feather", "Arrow"}};

bool writes_vectors(GDALDriver& driver) {
  return driver.GetMetadataItem(GDAL_DCAP_VECTOR) != nullptr &&
         driver.GetMetadataItem(GDAL_DCAP_CREATE) != nullptr;
}

std::vector<GDALDriver*> writing_drivers() {
  std::vector<GDALDriver*> drivers;
  for (int i = 0; i < GetGDALDriverManager()->GetDriverCount(); ++i) {
    GDALDriver* const driver = GetGDALDriverManager()->GetDriver(i);
    if (writes_vectors(*driver)) drivers.push_back(driver);
  }
  return drivers;
}

GDALDriver* by_ending(const std::string& ending) {
  for (const auto& [known, name] : kByEnding) {
    GDALDriver* const driver = GetGDALDriverManager()->GetDriverByName(name);
    if (known == ending && driver != nullptr && writes_vectors(*driver)) return driver;
  }
  return nullptr;
}

// A folder cannot take the place of an older one at one stroke.
void refuse_folder(const VectorPlan& plan, GDALDriver& driver) {
  const std::string_view name = driver.GetDescription();
  if (name != "OpenFileGDB" && name != "FileGDB") return;
  throw Error(ErrorKind::usage,
              fmt::format("'{}': {} writes a folder, pegnn writes files; take .gpkg",
                          plan.file.string(), name));
}

// The names in a driver's list of options, which is XML.
std::vector<std::string> option_names(GDALDriver& driver, const char* list) {
  std::vector<std::string> names;
  const char* text = driver.GetMetadataItem(list);
  CPLXMLNode* tree = text == nullptr ? nullptr : CPLParseXMLString(text);
  for (CPLXMLNode* node = tree == nullptr ? nullptr : tree->psChild; node != nullptr;
       node = node->psNext) {
    const char* name = CPLGetXMLValue(node, "name", nullptr);
    if (name != nullptr) names.emplace_back(name);
  }
  CPLDestroyXMLNode(tree);
  return names;
}

}  // namespace

GDALDriver& driver_for(const VectorPlan& plan) {
  if (!plan.format.empty()) {
    GDALDriver* const driver = GetGDALDriverManager()->GetDriverByName(plan.format.c_str());
    if (driver != nullptr && writes_vectors(*driver)) {
      refuse_folder(plan, *driver);
      return *driver;
    }
    std::vector<std::string> names;
    for (GDALDriver* known : writing_drivers()) names.emplace_back(known->GetDescription());
    throw Error(ErrorKind::usage, "<option:of>: " + unknown_word("format", plan.format, names));
  }
  std::string ending = lower(plan.file.extension().string());
  if (ending.starts_with('.')) ending.erase(0, 1);
  GDALDriver* const driver = by_ending(ending);
  if (driver == nullptr) {
    throw Error(ErrorKind::usage,
                fmt::format("'{}': this GDAL has no format that is taken by the ending .{}; take "
                            ".gpkg, .geojson or .csv, or name the format with <option:of>",
                            plan.file.string(), ending));
  }
  refuse_folder(plan, *driver);
  return *driver;
}

CreationOptions sort_options(GDALDriver& driver, const std::vector<std::string>& given) {
  const std::vector<std::string> of_file = option_names(driver, GDAL_DMD_CREATIONOPTIONLIST);
  const std::vector<std::string> of_layer = option_names(driver, GDAL_DS_LAYER_CREATIONOPTIONLIST);
  CreationOptions options;
  for (const std::string& option : given) {
    const std::string name = option.substr(0, option.find('='));
    if (name.size() == option.size()) {
      throw Error(ErrorKind::usage, fmt::format("<option:co>: '{}' is not NAME=VALUE", option));
    }
    if (holds(of_layer, name)) {
      options.layer.AddString(option.c_str());
    } else if (holds(of_file, name)) {
      options.file.AddString(option.c_str());
    } else {
      std::vector<std::string> known = of_file;
      known.insert(known.end(), of_layer.begin(), of_layer.end());
      throw Error(ErrorKind::usage, fmt::format("<option:co>: {} has {}", driver.GetDescription(),
                                                unknown_word("option", name, known)));
    }
  }
  return options;
}

}  // namespace pegnn::gdal_module
