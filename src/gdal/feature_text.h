#pragma once
// A feature as a line of CSV.

#include <string>
#include <string_view>
#include <vector>

#include <ogr_feature.h>

#include "pegnn/geo.h"

namespace pegnn::gdal_module {

// `text` as a cell, in quotes where they are needed.
void append_cell(std::string_view text, std::string& line);

// What stands in a field, in UTF-8: what is not is taken to be Latin-1. Dates as 2020-12-31.
std::string text_of(const OGRFeature& feature, int field);

// The names as the header line, then those of the coordinates where the layer has geometry:
// longitude and latitude or x and y, unless a field is called so.
std::string header_line(const std::vector<std::string>& names, bool geometry, bool geographic);

// The fields, then the coordinates where `point` is there, without a line end. Nothing for null
// and for NaN.
void append_line(const OGRFeature& feature, const Point* point, std::string& text);

}  // namespace pegnn::gdal_module
