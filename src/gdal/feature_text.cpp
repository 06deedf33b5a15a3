#include "gdal/feature_text.h"

#include <cmath>

#include <cpl_string.h>

#include <fmt/format.h>

#include "base/text.h"
#include "base/utf8.h"
#include "gdal/names.h"

namespace pegnn::gdal_module {
namespace {

void append_number(double value, std::string& line) {
  if (!std::isnan(value)) line += fmt::format("{}", value);
}

void append_field(const OGRFeature& feature, int field, std::string& line) {
  if (feature.IsFieldSetAndNotNull(field) == 0) return;
  const OGRFieldDefn& definition = *feature.GetFieldDefnRef(field);
  if (definition.GetType() == OFTInteger || definition.GetType() == OFTInteger64) {
    line += fmt::format("{}", feature.GetFieldAsInteger64(field));
  } else if (definition.GetType() == OFTReal && definition.GetSubType() == OFSTFloat32) {
    const double value = feature.GetFieldAsDouble(field);
    if (!std::isnan(value)) line += fmt::format("{}", static_cast<float>(value));
  } else if (definition.GetType() == OFTReal) {
    append_number(feature.GetFieldAsDouble(field), line);
  } else {
    append_cell(text_of(feature, field), line);
  }
}

}  // namespace

void append_cell(std::string_view text, std::string& line) {
  const bool plain = text.find_first_of(",\"\r\n") == std::string_view::npos && text == trim(text);
  if (plain) {
    line += text;
    return;
  }
  line += '"';
  for (const char c : text) {
    if (c == '"') line += '"';
    line += c;
  }
  line += '"';
}

std::string text_of(const OGRFeature& feature, int field) {
  std::string text(feature.GetFieldAsString(field));
  const OGRFieldType type = feature.GetFieldDefnRef(field)->GetType();
  if ((type == OFTDate || type == OFTDateTime) && text.size() > 7) text[4] = text[7] = '-';
  if (!find_invalid_utf8(text)) return text;
  char* recoded = CPLRecode(text.c_str(), CPL_ENC_ISO8859_1, CPL_ENC_UTF8);
  text = recoded;
  CPLFree(recoded);
  return text;
}

std::string header_line(const std::vector<std::string>& names, bool geometry, bool geographic) {
  std::string line;
  for (const std::string& name : names) {
    if (!line.empty()) line += ',';
    append_cell(name, line);
  }
  if (!geometry) return line;
  std::string x = geographic ? "longitude" : "x", y = geographic ? "latitude" : "y";
  for (int n = 1; holds(names, x) || holds(names, y); ++n) {
    x = n == 1 ? "geometry_x" : fmt::format("geometry_x_{}", n);
    y = n == 1 ? "geometry_y" : fmt::format("geometry_y_{}", n);
  }
  return line + (line.empty() ? "" : ",") + x + ',' + y;
}

void append_line(const OGRFeature& feature, const Point* point, std::string& text) {
  const int fields = feature.GetFieldCount();
  for (int i = 0; i < fields; ++i) {
    if (i > 0) text += ',';
    append_field(feature, i, text);
  }
  if (point == nullptr) return;
  if (fields > 0) text += ',';
  append_number(point->x, text);
  text += ',';
  append_number(point->y, text);
}

}  // namespace pegnn::gdal_module
