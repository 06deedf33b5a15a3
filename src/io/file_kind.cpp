#include "io/file_kind.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "base/utf8.h"

namespace pegnn {
namespace {

struct Kind {
  std::string_view begins, meaning;
};

using namespace std::string_view_literals;

// With a byte that no name of a column has, or long enough that none is like it.
constexpr Kind kKinds[] = {
    {"PK\x03\x04"sv,
     "a ZIP archive or a spreadsheet; give a sheet its ending .xlsx or .ods, or save it as CSV"},
    {"SQLite format 3\0"sv, "an SQLite database; give a GeoPackage its ending .gpkg"},
    {"PAR1\x15"sv, "Parquet; save it as CSV or GeoPackage"},
    {"ARROW1\0"sv, "Arrow; save it as CSV or GeoPackage"},
    {"fgb\x03"sv, "FlatGeobuf; give it its ending .fgb"},
    {"\0\0\x27\x0a"sv, "a Shapefile; give it its ending .shp"},
    {"II*\0"sv, "a TIFF image; a raster is read by `pegnn map --covariates`"},
    {"MM\0*"sv, "a TIFF image; a raster is read by `pegnn map --covariates`"},
    {"\x89HDF"sv, "HDF5 or netCDF; save its points as CSV"},
    {"\x89PNG"sv, "a picture"},
    {"%PDF"sv, "a PDF document; save its table as CSV"},
    {"BZh91AY&SY"sv, "packed by bzip2; unpack it or pack it by gzip"},
    {"\xFD"
     "7zXZ\0"sv,
     "packed by xz; unpack it or pack it by gzip"},
    {"\x28\xB5\x2F\xFD"sv, "packed by zstd; unpack it or pack it by gzip"},
};

// Past the byte order mark and blanks.
std::string_view text_of(std::string_view first) {
  if (first.starts_with(kByteOrderMark)) first.remove_prefix(kByteOrderMark.size());
  const std::size_t begin = first.find_first_not_of(" \t\r\n");
  return begin == std::string_view::npos ? std::string_view() : first.substr(begin);
}

// "[1],[2]" names columns: a bracket closed at once, and a delimiter.
bool is_name(std::string_view text) {
  const std::size_t end = text.find_first_of("],\n");
  return end != std::string_view::npos && text[end] == ']' && end + 1 < text.size() &&
         std::string_view(",;\t|").find(text[end + 1]) != std::string_view::npos;
}

// A name may stand in brackets or braces; what follows them in JSON begins no name.
bool is_json(std::string_view text) {
  if (text.empty() || (text[0] != '{' && text[0] != '[') || is_name(text)) return false;
  const std::string_view inside = text_of(text.substr(1));
  if (inside.empty()) return false;
  if (text[0] == '{') return inside[0] == '"' || inside[0] == '}';
  const bool number = std::isdigit(static_cast<unsigned char>(inside[0])) != 0 || inside[0] == '-';
  return number || inside[0] == '{' || inside[0] == '[' || inside[0] == '"';
}

bool is_markup(std::string_view text) {
  const std::string begin = lower(text.substr(0, std::min<std::size_t>(text.size(), 9)));
  return begin.starts_with("<?xml") || begin.starts_with("<!doctype") ||
         begin.starts_with("<html") || begin.starts_with("<kml") || begin.starts_with("<gpx");
}

}  // namespace

std::optional<std::string> other_kind(std::string_view first) {
  for (const Kind& kind : kKinds) {
    if (first.starts_with(kind.begins)) return std::string(kind.meaning);
  }
  const std::string_view text = text_of(first);
  if (is_json(text)) return "JSON; give GeoJSON its ending .geojson, or save the table as CSV";
  if (is_markup(text)) {
    return "XML or a web page; give KML and GPX their endings .kml and .gpx, or save the table as "
           "CSV";
  }
  return std::nullopt;
}

}  // namespace pegnn
