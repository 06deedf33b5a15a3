#pragma once
// A layer as GDAL opens it: found by name, filtered, its features one after the other.

#include <cstdint>
#include <string>
#include <vector>

#include <gdal_priv.h>
#include <ogrsf_frmts.h>

#include "io/gdal.h"

namespace pegnn::gdal_module {

// The layers that hold data: not where QGIS keeps their styles.
std::vector<std::string> layer_names(GDALDataset& dataset);
// "a, b, c": for messages, the first of many.
std::string some(const std::vector<std::string>& names);

class VectorSource {
 public:
  // Error{resource} when it is not there, Error{data} when no driver can read it, Error{usage} for
  // a layer that is not there or not named and for a filter that does not fit the layer.
  explicit VectorSource(const LayerQuery& query);

  // For messages: the file, with the layer where there are several. Without passwords.
  const std::string& name() const { return name_; }
  OGRLayer& layer() const { return *layer_; }
  GDALDataset& dataset() const { return *dataset_; }
  const OGRFeatureDefn& fields() const { return *layer_->GetLayerDefn(); }
  bool has_geometry() const { return layer_->GetGeomType() != wkbNone; }
  // What fields are called as columns: every one has a name of its own.
  const std::vector<std::string>& names() const { return names_; }

  // The next feature; null at the end. Error{data} where GDAL can read no further.
  OGRFeatureUniquePtr next();

 private:
  void open(const LayerQuery& query);
  void choose_layer(const LayerQuery& query);
  void filter(const LayerQuery& query);
  void name_fields();
  OGRFeatureUniquePtr read();

  GDALDatasetUniquePtr dataset_;
  OGRLayer* layer_ = nullptr;
  std::string name_;
  std::vector<std::string> names_;
  OGRFeatureUniquePtr first_;  // read early: some drivers look at a filter only then
  std::int64_t read_ = 0;
};

}  // namespace pegnn::gdal_module
