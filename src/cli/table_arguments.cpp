#include "cli/table_arguments.h"

namespace pegnn {

Argument TableArguments::argument() {
  return {.flags = "TABLE",
          .value = "",
          .sentence =
              "CSV file with a header line, plain or gzip (- is standard input), or vector data: "
              ".gpkg, .geojson, .shp, .fgb, PG:dbname=..., ...",
          .target = &request.table,
          .required = true};
}

ArgumentGroup TableArguments::group(bool with_to_crs) {
  ArgumentGroup group{
      "How the table is read",
      {{"--encoding", "NAME",
        "What the text of a CSV file is in: latin1, windows-1252, utf-16, ... [utf-8]",
        &request.encoding},
       {"--layer", "NAME", "Layer to read. [the only one]", &request.layer},
       {"--where", "SQL", "Take the features that fulfil this, such as \"year = 2020\".",
        &request.where},
       {"--centroid", "", "Take the centroids of lines and polygons.", &request.centroid},
       {"--crs", "CRS",
        "What the coordinates are in: EPSG:28992, WKT, a PROJ string; none: a plane without CRS. "
        "[as the file says]",
        &request.crs}}};
  if (with_to_crs) {
    group.arguments.push_back({"--to-crs", "CRS",
                               "Convert the coordinates to this first; lonlat is EPSG:4326. [as "
                               "they are]",
                               &request.to_crs});
  }
  return group;
}

std::vector<Argument> FormatArguments::arguments() {
  return {
      {"--of", "DRIVER",
       "Format of the output by GDAL's name of it: GPKG, GeoJSON, FlatGeobuf, ...; CSV. [by the "
       "ending of its name]",
       &chosen.format},
      {"--co", "NAME=VALUE,...", "Creation options of that format.", &chosen.creation}};
}

}  // namespace pegnn
