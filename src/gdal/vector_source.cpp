#include "gdal/vector_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unordered_set>

#include <fmt/core.h>

#include "base/text.h"
#include "gdal/errors.h"
#include "gdal/place.h"
#include "pegnn/error.h"

namespace pegnn::gdal_module {
namespace {

// Where QGIS keeps the styles of a GeoPackage's layers.
constexpr std::string_view kStyles = "layer_styles";

// Where `filter` names a field in double quotes that the layer does not have, that field: SQLite
// would take it to be text and find nothing, without a word.
std::string unknown_field(const std::string& filter, OGRLayer& layer) {
  const auto known = [&](const std::string& name) {
    if (layer.GetLayerDefn()->GetFieldIndex(name.c_str()) >= 0) return true;
    const std::string word = lower(name);
    return word == lower(layer.GetFIDColumn()) || word == lower(layer.GetGeometryColumn()) ||
           word == "fid" || word.starts_with("ogr_") || word == lower(layer.GetName());
  };
  for (std::size_t at = 0; at < filter.size(); ++at) {
    const char quote = filter[at];
    if (quote != '\'' && quote != '"') continue;
    const std::size_t end = filter.find(quote, at + 1);
    if (end == std::string::npos) return {};
    if (quote == '"') {
      std::string name = filter.substr(at + 1, end - at - 1);
      if (!known(name)) return name;
    }
    at = end;
  }
  return {};
}

// Whether a second statement follows in `filter`.
bool has_semicolon(const std::string& filter) {
  char quote = '\0';
  for (const char c : filter) {
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == ';') {
      return true;
    }
  }
  return false;
}

}  // namespace

std::vector<std::string> layer_names(GDALDataset& dataset) {
  std::vector<std::string> names;
  for (OGRLayer* layer : dataset.GetLayers()) {
    if (layer->GetName() != kStyles) names.emplace_back(layer->GetName());
  }
  return names;
}

std::string some(const std::vector<std::string>& names) {
  constexpr std::size_t kMostListed = 20;
  const std::span<const std::string> shown(names.data(), std::min(names.size(), kMostListed));
  return join(shown, ", ") + (names.size() > kMostListed ? ", ..." : "");
}

VectorSource::VectorSource(const LayerQuery& query) : name_(shown_place(query.place)) {
  open(query);
  choose_layer(query);
  name_fields();
  filter(query);
}

void VectorSource::open(const LayerQuery& query) {
  require_file(query.place);
  forget_errors();
  // Without them, reading GML leaves a file behind, and two passes over a large table of PostgreSQL
  // may see its rows in different orders.
  CPLStringList options;
  const std::string place = lower(query.place);
  if (place.ends_with(".gml") || place.ends_with(".xml")) options.AddString("WRITE_GFS=NO");
  if (place.starts_with("pg:") || place.starts_with("postgresql:")) {
    options.AddString("PRELUDE_STATEMENTS=SET synchronize_seqscans TO off");
  }
  dataset_.reset(GDALDataset::Open(gdal_place(query.place).c_str(),
                                   GDAL_OF_VECTOR | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR,
                                   nullptr, options.List()));
  if (dataset_ == nullptr || dataset_->GetLayerCount() == 0) fail_open(query.place);
}

void VectorSource::choose_layer(const LayerQuery& query) {
  const std::vector<std::string> names = layer_names(*dataset_);
  if (!query.layer.empty()) {
    layer_ = dataset_->GetLayerByName(query.layer.c_str());
    if (layer_ == nullptr) {
      throw Error(ErrorKind::usage, fmt::format("{}: {}: {}", name_, option(query.layer_option),
                                                unknown_word("layer", query.layer, names)));
    }
  } else {
    // A table without geometry beside the one layer that has it is no choice.
    int with_geometry = 0;
    for (OGRLayer* layer : dataset_->GetLayers()) {
      if (layer->GetName() == kStyles) continue;
      const bool geometry = layer->GetGeomType() != wkbNone;
      if (layer_ == nullptr || (geometry && with_geometry == 0)) layer_ = layer;
      with_geometry += geometry ? 1 : 0;
    }
    if (layer_ == nullptr || (names.size() > 1 && with_geometry != 1)) {
      throw Error(ErrorKind::usage,
                  fmt::format("{} has {} layers: {}; {} names the one to use", name_, names.size(),
                              some(names), option(query.layer_option)));
    }
  }
  if (names.size() > 1) name_ += fmt::format(" (layer {})", layer_->GetName());
}

void VectorSource::name_fields() {
  std::unordered_set<std::string> known;
  for (int i = 0; i < fields().GetFieldCount(); ++i) {
    std::string name(trim(fields().GetFieldDefn(i)->GetNameRef()));
    if (name.empty()) name = fmt::format("field {}", i + 1);
    const std::string plain = name;
    for (int n = 2; !known.insert(name).second; ++n) name = fmt::format("{} ({})", plain, n);
    names_.push_back(std::move(name));
  }
}

void VectorSource::filter(const LayerQuery& query) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: <option:where> '{}' cannot be used: {}", name_, query.where, why));
  };
  if (!query.where.empty()) {
    if (has_semicolon(query.where)) refuse("a ';' may stand in quotes alone");
    const std::string unknown = unknown_field(query.where, *layer_);
    if (!unknown.empty()) refuse(unknown_word("field", unknown, names_));
  }
  forget_errors();
  const OGRErr error =
      layer_->SetAttributeFilter(query.where.empty() ? nullptr : query.where.c_str());
  const auto tell = [&] { refuse(fmt::format("{}; fields: {}", reason(), some(names_))); };
  if (error != OGRERR_NONE) tell();
  if (!query.where.empty()) first_.reset(layer_->GetNextFeature());
  if (!query.where.empty() && first_ == nullptr && failed()) tell();
}

OGRFeatureUniquePtr VectorSource::read() {
  forget_errors();
  OGRFeatureUniquePtr feature(layer_->GetNextFeature());
  if (failed()) {
    throw Error(ErrorKind::data,
                fmt::format("{} cannot be read past feature {}: {}", name_, read_, reason()));
  }
  return feature;
}

OGRFeatureUniquePtr VectorSource::next() {
  OGRFeatureUniquePtr feature = first_ != nullptr ? std::move(first_) : read();
  if (feature != nullptr) ++read_;
  return feature;
}

}  // namespace pegnn::gdal_module
