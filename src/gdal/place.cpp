#include "gdal/place.h"

#include <filesystem>

#include <gdal_priv.h>

#include <fmt/core.h>

#include "base/atomic_file.h"
#include "base/text.h"
#include "gdal/errors.h"
#include "pegnn/error.h"

namespace pegnn::gdal_module {
namespace {

// A connection such as "PG:dbname=city", or one of GDAL's own file systems.
bool is_plain_path(const std::string& place) {
  std::error_code ignored;
  if (std::filesystem::exists(place, ignored)) return true;
  if (place.starts_with("/vsi")) return false;
  const std::size_t colon = place.find(':');
  return colon == std::string::npos || colon < 2 || place.find('/') < colon;
}

// Drivers that some builds of GDAL lack, and what their files end in.
std::string lacking_driver(const std::string& place) {
  const std::string name = lower(place);
  if (name.ends_with("parquet") && GDALGetDriverByName("Parquet") == nullptr) {
    return "this GDAL has no Parquet driver; convert the file to GeoPackage (.gpkg) or CSV";
  }
  return {};
}

constexpr const char* kHidden = "...";

// "password=secret", "password = 'se cret'": what stands after the sign.
std::string without_word_password(std::string text) {
  constexpr std::string_view kWord = "password";
  for (std::size_t at = 0; (at = lower(text).find(kWord, at)) != std::string::npos;) {
    at = text.find_first_not_of(' ', at + kWord.size());
    if (at == std::string::npos) break;
    if (text[at] != '=') continue;
    at = text.find_first_not_of(' ', at + 1);
    if (at == std::string::npos) break;
    const bool quoted = text[at] == '\'';
    const std::size_t end = quoted ? text.find('\'', at + 1) : text.find(' ', at);
    text.replace(at, end == std::string::npos ? end : end - at + (quoted ? 1 : 0), kHidden);
  }
  return text;
}

// "postgresql://user:secret@host/base": what stands between colon and @.
std::string without_address_password(std::string text) {
  constexpr std::string_view kMark = "://";
  const std::size_t mark = text.find(kMark);
  if (mark == std::string::npos) return text;
  const std::size_t begin = mark + kMark.size(), end = text.find('/', begin);
  const std::string_view authority = std::string_view(text).substr(begin, end - begin);
  const std::size_t host = authority.rfind('@'), colon = authority.find(':');
  if (host == std::string_view::npos || colon > host) return text;
  text.replace(begin + colon + 1, host - colon - 1, kHidden);
  return text;
}

}  // namespace

std::string gdal_place(const std::string& place) {
  const bool archive = lower(place).ends_with(".zip") && !lower(place).ends_with(".shp.zip");
  return archive && is_plain_path(place) ? "/vsizip/" + place : place;
}

std::string shown_place(const std::string& place) {
  return without_address_password(without_word_password(place));
}

void require_file(const std::string& place) {
  std::error_code ignored;
  if (!is_plain_path(place) || std::filesystem::is_directory(place, ignored)) return;
  const InputFile readable(place);
}

void fail_open(const std::string& place) {
  if (!is_plain_path(place)) {
    throw Error(ErrorKind::resource,
                fmt::format("cannot read '{}': {}", shown_place(place), reason()));
  }
  const std::string lacking = lacking_driver(place);
  throw Error(ErrorKind::data, fmt::format("'{}' cannot be read as vector data: {}", place,
                                           lacking.empty() ? reason() : lacking));
}

}  // namespace pegnn::gdal_module
