// The features of a layer, read again, with columns more.

#include <utility>

#include <fmt/core.h>

#include "base/utf8.h"
#include "gdal/crs.h"
#include "gdal/feature_point.h"
#include "gdal/feature_text.h"
#include "gdal/parts.h"
#include "gdal/vector_file.h"
#include "gdal/vector_source.h"
#include "pegnn/error.h"

namespace pegnn::gdal_module {
namespace {

// A polygon of a shapefile may have several parts; other formats tell the two apart.
bool mixes_parts(const VectorSource& source, const VectorFile& file) {
  constexpr std::string_view kShapefile = "ESRI Shapefile";
  const OGRwkbGeometryType type = wkbFlatten(source.layer().GetGeomType());
  return (type == wkbPolygon || type == wkbLineString) &&
         source.dataset().GetDriverName() == kShapefile &&
         file.driver().GetDescription() != kShapefile;
}

class LayerSink final : public VectorSink {
 public:
  LayerSink(const VectorPlan& plan, const LayerQuery& query)
      : source_(query),
        file_(plan),
        type_(source_.layer().GetGeomType()),
        point_(query.centroid, geographic()) {
    if (mixes_parts(source_, file_)) {
      type_ = OGR_GT_GetCollection(type_);
      force_ = true;
    }
    const std::string id = source_.layer().GetFIDColumn();
    // Between GeoPackages, whose features stand in the order of their ids, these are kept.
    constexpr std::string_view kGeoPackage = "GPKG";
    keep_ids_ = !id.empty() && source_.dataset().GetDriverName() == kGeoPackage &&
                file_.driver().GetDescription() == kGeoPackage;
    begin(plan, keep_ids_ ? id : "fid");
  }

  void append(const Table& rows, std::span<const AddedColumn> added) override {
    for (std::int64_t row = 0; row < rows.rows(); ++row) {
      const OGRFeatureUniquePtr feature = source_.next();
      if (feature == nullptr || !is_row(*feature, rows.row_text(row))) fail_changed();
      OGRFeature copy = file_.new_feature();
      copy_fields(*feature, copy);
      if (keep_ids_) copy.SetFID(feature->GetFID());
      OGRGeometry* geometry = feature->StealGeometry();
      if (geometry != nullptr && force_) geometry = OGRGeometryFactory::forceTo(geometry, type_);
      if (geometry != nullptr) copy.SetGeometryDirectly(geometry);
      file_.set_added(added, static_cast<std::size_t>(row), copy);
      file_.write(copy);
    }
  }

  void commit() override {
    if (source_.next() != nullptr) fail_changed();
    file_.commit();
  }

  std::vector<std::string> warnings() const override { return file_.warnings(); }

 private:
  bool geographic() const {
    const Crs crs = crs_of(source_.layer().GetSpatialRef(), source_.name());
    return crs.known() && crs.geographic;
  }

  void begin(const VectorPlan& plan, const std::string& id) {
    std::vector<std::string> names = source_.names();
    for (const AddedColumn& column : plan.added) names.push_back(column.name);
    if (plan.crs.known()) {
      const OGRSpatialReference reference = reference_of(plan.crs);
      file_.begin(&reference, type_, names, id);
    } else {
      file_.begin(source_.layer().GetSpatialRef(), type_, names, id);
    }
    for (int i = 0; i < source_.fields().GetFieldCount(); ++i) {
      OGRFieldDefn field(source_.fields().GetFieldDefn(i));
      field.SetName(source_.names()[static_cast<std::size_t>(i)].c_str());
      // Rules that the source has for its values are not those of a result.
      field.SetNullable(TRUE);
      field.SetUnique(FALSE);
      field.SetDefault(nullptr);
      field.SetDomainName("");
      field_of_.push_back(file_.add_field(field));
    }
    file_.add_fields(plan.added);
  }

  void copy_fields(const OGRFeature& feature, OGRFeature& copy) const {
    copy.SetFieldsFrom(&feature, field_of_.data(), TRUE);
    for (int i = 0; i < feature.GetFieldCount(); ++i) {
      if (feature.GetFieldDefnRef(i)->GetType() != OFTString) continue;
      const char* const text = feature.GetFieldAsString(i);
      if (find_invalid_utf8(text)) {
        copy.SetField(field_of_[static_cast<std::size_t>(i)], text_of(feature, i).c_str());
      }
    }
  }

  // Whether a feature is the one that was read before; rows without text are taken to be.
  bool is_row(const OGRFeature& feature, std::string_view text) {
    if (text.empty()) return true;
    const Point point = point_(feature.GetGeometryRef(), [] { return std::string(); });
    line_.clear();
    append_line(feature, &point, line_);
    return line_ == text;
  }

  [[noreturn]] void fail_changed() const {
    throw Error(ErrorKind::data,
                fmt::format("{} has changed while it was read; try again", source_.name()));
  }

  VectorSource source_;
  VectorFile file_;
  OGRwkbGeometryType type_;
  FeaturePoint point_;
  bool force_ = false, keep_ids_ = false;
  std::vector<int> field_of_;  // of the copy, by field of the source
  std::string line_;
};

}  // namespace

std::unique_ptr<VectorSink> create_layer(const VectorPlan& plan, const LayerQuery& source) {
  return std::make_unique<LayerSink>(plan, source);
}

}  // namespace pegnn::gdal_module
