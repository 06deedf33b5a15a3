#include "gdal/vector_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <string_view>

#include <fmt/core.h>

#include "base/atomic_file.h"
#include "base/text.h"
#include "gdal/errors.h"
#include "gdal/names.h"
#include "pegnn/error.h"

namespace pegnn::gdal_module {
namespace {

// The first of `name`, `name`_1, ... that no field has.
std::string free_name(const std::string& name, const std::vector<std::string>& taken) {
  std::string free = name;
  for (int n = 1; holds(taken, free); ++n) free = fmt::format("{}_{}", name, n);
  return free;
}

bool speaks_of_disk(const std::string& reason) {
  constexpr std::string_view kWords[] = {"space left",      "disk is full",    "i/o error",
                                         "file too large",  "quota exceeded",  "input/output error",
                                         "failure writing", "failed to write", "failed writing",
                                         "error writing",   "unable to open",  "unable to create",
                                         "failed to open",  "failed to create"};
  const std::string text = lower(reason);
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

std::vector<std::string> names_of(OGRLayer& layer) {
  std::vector<std::string> names;
  const OGRFeatureDefn& all = *layer.GetLayerDefn();
  for (int i = 0; i < all.GetFieldCount(); ++i) {
    names.emplace_back(all.GetFieldDefn(i)->GetNameRef());
  }
  return names;
}

// Whether a shapefile can say what its coordinates are in.
bool has_esri_form(const OGRSpatialReference& reference) {
  const char* const options[] = {"FORMAT=WKT1_ESRI", nullptr};
  char* text = nullptr;
  const bool good = reference.exportToWkt(&text, options) == OGRERR_NONE && text != nullptr;
  CPLFree(text);
  return good;
}

// Whether the disk takes something more.
bool has_room(const std::filesystem::path& folder) {
  constexpr std::size_t kSome = 1 << 20;
  const std::filesystem::path probe = folder / "room";
  try {
    write_file(probe, std::string(kSome, ' '));
  } catch (const Error&) {
    return false;
  }
  std::error_code ignored;
  std::filesystem::remove(probe, ignored);
  return true;
}

// A GeoPackage tells when it was last changed, and the same run is to write the same bytes. For the
// thread that calls, unless the user has set another time.
void fix_time() {
  constexpr const char* kOption = "OGR_CURRENT_DATE";
  if (CPLGetConfigOption(kOption, nullptr) != nullptr) return;
  CPLSetThreadLocalConfigOption(kOption, "1970-01-01T00:00:00.000Z");
}

OGRFieldType type_of(AddedColumn::Kind kind) {
  switch (kind) {
    case AddedColumn::Kind::real:
      return OFTReal;
    case AddedColumn::Kind::integer:
      return OFTInteger;
    case AddedColumn::Kind::text:
      break;
  }
  return OFTString;
}

}  // namespace

VectorFile::VectorFile(const VectorPlan& plan)
    : file_(plan.file),
      layer_name_(plan.layer.empty() ? plan.file.stem().string() : plan.layer),
      driver_(driver_for(plan)),
      options_(sort_options(driver_, plan.creation)),
      has_options_(!plan.creation.empty()),
      staged_(plan.file) {}

bool VectorFile::has_integers() const {
  const char* const types = driver_.GetMetadataItem(GDAL_DMD_CREATIONFIELDDATATYPES);
  return types == nullptr || holds(split(types, ' '), "Integer64");
}

void VectorFile::begin(const OGRSpatialReference* reference, OGRwkbGeometryType type,
                       const std::vector<std::string>& names, const std::string& id) {
  fix_time();
  // The file is not there until it is whole: no need to wait for the disk at every step.
  CPLSetThreadLocalConfigOption("OGR_SQLITE_SYNCHRONOUS", "OFF");
  const std::string_view format = driver_.GetDescription();
  const auto set = [&](const char* option, const std::string& value) {
    if (options_.layer.FetchNameValue(option) == nullptr) {
      options_.layer.SetNameValue(option, value.c_str());
    }
  };
  if (format == "GPKG" || format == "SQLite") {
    set("FID", free_name(id, names));
    set("GEOMETRY_NAME", free_name("geom", names));
    if (format == "SQLite") set("LAUNDER", "NO");
  }
  if (format == "ESRI Shapefile") {
    needs_projection_ = reference != nullptr && has_esri_form(*reference);
    set("ENCODING", "UTF-8");
    set("DBF_DATE_LAST_UPDATE", "1970-01-01");  // as in fix_time
  }
  forget_errors();
  dataset_.reset(
      driver_.Create(staged_.staged().c_str(), 0, 0, 0, GDT_Unknown, options_.file.List()));
  if (dataset_ == nullptr) fail();
  OGRSpatialReference* const copy = reference == nullptr ? nullptr : reference->Clone();
  layer_ = dataset_->CreateLayer(layer_name_.c_str(), copy, type, options_.layer.List());
  if (copy != nullptr) copy->Release();
  if (layer_ == nullptr || failed()) fail();
  if (layer_->GetGeomType() == wkbNone && type != wkbNone) {
    throw Error(ErrorKind::usage, fmt::format("'{}': {} keeps no geometry; take .gpkg or .csv",
                                              file_.string(), format));
  }
  own_fields_.resize(static_cast<std::size_t>(layer_->GetLayerDefn()->GetFieldCount()), 1);
  keeps_missing_ = format != "MapInfo File";
  in_transaction_ = dataset_->TestCapability(ODsCTransactions) != 0 &&
                    dataset_->StartTransaction() == OGRERR_NONE;
}

int VectorFile::add_field(OGRFieldDefn& field) {
  const std::string wanted = field.GetNameRef();
  // Both drivers of KML leave out lists or dates without a word; as text they are kept.
  const OGRFieldType type = field.GetType();
  if (std::string_view(driver_.GetDescription()).ends_with("KML") && type != OFTInteger &&
      type != OFTReal) {
    field.SetType(OFTString);
  }
  const OGRFeatureDefn& fields = *layer_->GetLayerDefn();
  // A layer of KML comes with fields for the name and the description of a place.
  const int own = fields.GetFieldIndex(wanted.c_str());
  if (own >= 0 && static_cast<std::size_t>(own) < own_fields_.size() &&
      own_fields_[static_cast<std::size_t>(own)] != 0 &&
      fields.GetFieldDefn(own)->GetType() == field.GetType()) {
    own_fields_[static_cast<std::size_t>(own)] = 0;
    return own;
  }
  std::vector<std::string> taken;
  for (int i = 0; i < fields.GetFieldCount(); ++i) {
    taken.emplace_back(fields.GetFieldDefn(i)->GetNameRef());
  }
  field.SetName(free_name(wanted, taken).c_str());  // "A" and "a" are one to most formats
  const int index = fields.GetFieldCount();
  forget_errors();
  if (layer_->CreateField(&field) != OGRERR_NONE || failed()) fail();
  if (fields.GetFieldCount() != index + 1) fail();
  const std::string got = fields.GetFieldDefn(index)->GetNameRef();
  if (got != wanted) {
    renamed_.push_back(fmt::format("'{}' as '{}'", wanted, got));
  } else {
    keep_warning();
  }
  return index;
}

void VectorFile::add_fields(std::span<const AddedColumn> added) {
  for (const AddedColumn& column : added) {
    OGRFieldDefn field(column.name.c_str(), type_of(column.kind));
    added_.push_back(add_field(field));
  }
}

void VectorFile::set_added(std::span<const AddedColumn> added, std::size_t row,
                           OGRFeature& feature) const {
  for (std::size_t c = 0; c < added.size(); ++c) {
    const AddedColumn& column = added[c];
    const int field = added_[c];
    if (column.kind == AddedColumn::Kind::text) {
      if (!column.texts[row].empty()) feature.SetField(field, column.texts[row].c_str());
    } else if (std::isnan(column.values[row])) {
      feature.SetFieldNull(field);
    } else if (column.kind == AddedColumn::Kind::integer) {
      feature.SetField(field, static_cast<int>(std::lround(column.values[row])));
    } else {
      feature.SetField(field, column.values[row]);
    }
  }
}

void VectorFile::write(OGRFeature& feature) {
  if (!keeps_missing_) refuse_missing(feature);
  if (feature.GetGeometryRef() == nullptr || feature.GetGeometryRef()->IsEmpty()) ++without_point_;
  forget_errors();
  if (layer_->CreateFeature(&feature) != OGRERR_NONE || failed()) fail();
  keep_warning();
  ++written_;
}

// Where a missing number would become 0.
void VectorFile::refuse_missing(const OGRFeature& feature) const {
  for (int i = 0; i < feature.GetFieldCount(); ++i) {
    const OGRFieldDefn& field = *feature.GetFieldDefnRef(i);
    const bool number = field.GetType() == OFTReal || field.GetType() == OFTInteger ||
                        field.GetType() == OFTInteger64;
    if (!number || feature.IsFieldSetAndNotNull(i) != 0) continue;
    throw Error(
        ErrorKind::usage,
        fmt::format("'{}': feature {} has no value for '{}', which {} would turn into 0; take "
                    ".gpkg",
                    file_.string(), written_ + 1, field.GetNameRef(), driver_.GetDescription()));
  }
}

void VectorFile::commit() {
  fix_time();
  forget_errors();
  if (in_transaction_ && dataset_->CommitTransaction() != OGRERR_NONE) fail();
  if (std::string_view(driver_.GetDescription()) == "ESRI Shapefile") fields_ = names_of(*layer_);
  layer_ = nullptr;
  // A full disk is often met only here.
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 7, 0)
  const bool closed = GDALClose(GDALDataset::ToHandle(dataset_.release())) == CE_None;
#else
  dataset_.reset();
  const bool closed = true;
#endif
  if (!closed || failed()) fail();
  check();
  const std::vector<std::filesystem::path> stale = stale_companions();
  staged_.commit();
  std::error_code ignored;
  for (const std::filesystem::path& old : stale) std::filesystem::remove(old, ignored);
}

// Reads back what was written: drivers of text formats do not look whether their bytes reached the
// file, and on a full disk half of it would pass for the whole. SQLite does look.
void VectorFile::check() const {
  const std::string_view format = driver_.GetDescription();
  if (format == "GPKG" || format == "SQLite") return;
  const char* const drivers[] = {driver_.GetDescription(), nullptr};
  const char* const options[] = {"WRITE_GFS=NO", nullptr};
  forget_errors();
  const GDALDatasetUniquePtr written(GDALDataset::Open(staged_.staged().c_str(),
                                                       GDAL_OF_VECTOR | GDAL_OF_READONLY, drivers,
                                                       format == "GML" ? options : nullptr));
  std::int64_t features = 0;
  if (written != nullptr && written->GetLayerCount() == 1 && !failed()) {
    OGRLayer& layer = *written->GetLayer(0);
    while (OGRFeatureUniquePtr(layer.GetNextFeature()) != nullptr && !failed()) ++features;
    // Where its list of fields is lost, a shapefile is read with others.
    if (!fields_.empty() && names_of(layer) != fields_) features = 0;
  }
  // Without it the driver says nothing, and readers take the coordinates for what they like.
  const std::filesystem::path projection =
      std::filesystem::path(staged_.staged()).replace_extension(".prj");
  std::error_code absent;
  if (needs_projection_ && (std::filesystem::file_size(projection, absent) == 0 || absent)) {
    throw Error(
        ErrorKind::resource,
        fmt::format(
            "cannot write the projection (.prj) of '{}'; choose another place with <option:out>",
            file_.string()));
  }
  if (features == written_ && !failed()) return;
  if (features == written_ - without_point_ && !failed()) {
    throw Error(ErrorKind::usage,
                fmt::format("'{}': {} leaves out features without a place, and there are {}; take "
                            ".gpkg",
                            file_.string(), format, without_point_));
  }
  // A format that does not hold them, or a device that lost them: drivers do not tell.
  const char* advice = has_room(staged_.staged().parent_path())
                           ? "take .gpkg or .csv, or another place with <option:out>"
                           : "is the disk full? Choose another place with <option:out>";
  throw Error(ErrorKind::resource,
              fmt::format("cannot write '{}': of {} features {} can be read back from {}; {}",
                          file_.string(), written_, features, format, advice));
}

// Of a shapefile that was there before: an index or a projection that does not belong to the new
// one.
std::vector<std::filesystem::path> VectorFile::stale_companions() const {
  std::vector<std::filesystem::path> stale;
  if (std::string_view(driver_.GetDescription()) != "ESRI Shapefile") return stale;
  for (const char* ending : {".prj", ".cpg", ".qpj", ".qix", ".sbn", ".sbx", ".idm", ".ind"}) {
    std::filesystem::path made = staged_.staged(), old = file_;
    std::error_code ignored;
    if (std::filesystem::exists(made.replace_extension(ending), ignored)) continue;
    stale.push_back(old.replace_extension(ending));
  }
  return stale;
}

void VectorFile::keep_warning() {
  constexpr std::size_t kMost = 3;
  if (warning().empty() || said_.size() >= kMost) return;
  if (std::find(said_.begin(), said_.end(), warning()) == said_.end()) said_.push_back(warning());
}

std::vector<std::string> VectorFile::warnings() const {
  std::vector<std::string> all;
  if (!renamed_.empty()) {
    all.push_back(fmt::format("'{}' has {} {}: {} does not keep every name", file_.string(),
                              renamed_.size() == 1 ? "the field" : "the fields",
                              join(renamed_, ", "), driver_.GetDescription()));
  }
  for (const std::string& warning : said_) {
    all.push_back(fmt::format("'{}': {}", file_.string(), warning));
  }
  return all;
}

// GDAL does not tell what a format cannot hold from what a disk does not take.
void VectorFile::fail() const {
  const std::string why = reason();
  if (speaks_of_disk(why) || !has_room(staged_.staged().parent_path())) {
    throw Error(ErrorKind::resource,
                fmt::format("cannot write '{}': {}; choose another place with <option:out>",
                            file_.string(), why));
  }
  const std::string_view format = driver_.GetDescription();
  throw Error(ErrorKind::usage,
              fmt::format("'{}': {} cannot hold this: {}; {}take {}", file_.string(), format, why,
                          has_options_ ? "leave out <option:co> or " : "",
                          format == "GPKG" ? ".csv" : ".gpkg or .csv"));
}

}  // namespace pegnn::gdal_module
