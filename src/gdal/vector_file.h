#pragma once
// A vector file in the making: one layer, which appears whole or not at all.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <gdal_priv.h>
#include <ogrsf_frmts.h>

#include "base/staged_files.h"
#include "gdal/formats.h"
#include "io/gdal.h"

namespace pegnn::gdal_module {

class VectorFile {
 public:
  // Error{usage} for a format or an option that GDAL does not have, Error{resource} for a place
  // where nothing can be written.
  explicit VectorFile(const VectorPlan& plan);

  const GDALDriver& driver() const { return driver_; }
  // Whether the format has fields of whole numbers of 64 bits.
  bool has_integers() const;
  // Creates the layer. `names` are those of the fields to come, which its own columns must not
  // have; `id` what its column of feature ids is called, where the format has one.
  void begin(const OGRSpatialReference* reference, OGRwkbGeometryType type,
             const std::vector<std::string>& names, const std::string& id = "fid");
  bool begun() const { return layer_ != nullptr; }

  // The number of the new field. Where the format cannot have its name, it gets another.
  int add_field(OGRFieldDefn& field);
  void add_fields(std::span<const AddedColumn> added);
  OGRFeature new_feature() const { return OGRFeature(layer_->GetLayerDefn()); }
  // The values of row `row` for the fields of `add_fields`.
  void set_added(std::span<const AddedColumn> added, std::size_t row, OGRFeature& feature) const;
  void write(OGRFeature& feature);

  void commit();
  std::vector<std::string> warnings() const;

 private:
  [[noreturn]] void fail() const;
  void keep_warning();
  void check() const;
  void refuse_missing(const OGRFeature& feature) const;
  std::vector<std::filesystem::path> stale_companions() const;

  std::filesystem::path file_;
  std::string layer_name_;
  GDALDriver& driver_;
  CreationOptions options_;
  bool has_options_;  // the user gave some
  StagedFiles staged_;
  GDALDatasetUniquePtr dataset_;
  OGRLayer* layer_ = nullptr;
  bool in_transaction_ = false, keeps_missing_ = true;
  std::vector<std::string> fields_;  // of a shapefile, as they were made
  bool needs_projection_ = false;    // a .prj beside it
  std::vector<char> own_fields_;     // of the format, whether nothing is in them yet
  std::vector<int> added_;           // the fields of `add_fields`
  std::int64_t written_ = 0, without_point_ = 0;
  std::vector<std::string> renamed_;  // "precipitation as precipitat"
  std::vector<std::string> said_;     // GDAL's own warnings, each once
};

}  // namespace pegnn::gdal_module
