// The module as the rest of the program sees it.

#include <gdal_priv.h>
#include <proj.h>

#include <fmt/core.h>

#include "gdal/errors.h"
#include "gdal/parts.h"
#include "io/gdal_entry.h"
#include "pegnn/version.h"

namespace pegnn::gdal_module {
namespace {

// What GDAL keeps of rasters in memory; it would take a twentieth of the machine's.
constexpr GIntBig kCacheBytes = GIntBig{64} << 20;

class Module final : public Gdal {
 public:
  Module() {
    collect_errors();
    GDALAllRegister();
    GDALSetCacheMax64(kCacheBytes);
  }

  std::string version() const override {
    return fmt::format("GDAL {}, PROJ {}", GDALVersionInfo("RELEASE_NAME"), proj_info().version);
  }
  Crs crs(const std::string& text, std::string_view option) const override {
    return read_crs(text, option);
  }
  bool same(const Crs& a, const Crs& b) const override { return same_crs(a, b); }
  std::unique_ptr<Transform> transform(const Crs& from, const Crs& to) const override {
    return make_transform(from, to);
  }
  std::unique_ptr<VectorLayer> open_layer(const LayerQuery& query) const override {
    return gdal_module::open_layer(query);
  }
  void check_output(const VectorPlan& plan) const override { gdal_module::check_output(plan); }
  std::unique_ptr<VectorSink> create_layer(const VectorPlan& plan,
                                           const LayerQuery& source) const override {
    return gdal_module::create_layer(plan, source);
  }
  std::unique_ptr<VectorSink> create_points(const VectorPlan& plan, const Crs& crs,
                                            const std::string& x,
                                            const std::string& y) const override {
    return gdal_module::create_points(plan, crs, x, y);
  }
  RasterGrid grid_of(const std::string& place) const override {
    return gdal_module::grid_of(place);
  }
  std::unique_ptr<RasterSource> open_raster(const RasterQuery& query) const override {
    return gdal_module::open_raster(query);
  }
  std::unique_ptr<RasterMask> open_mask(const LayerQuery& polygons,
                                        const RasterGrid& grid) const override {
    return gdal_module::open_mask(polygons, grid);
  }
  std::unique_ptr<RasterSink> create_raster(const RasterPlan& plan) const override {
    return gdal_module::create_raster(plan);
  }
};

}  // namespace
}  // namespace pegnn::gdal_module

extern "C" __attribute__((visibility("default"))) const pegnn::Gdal* pegnn_gdal_entry(
    std::string_view version) {
  if (version != PEGNN_VERSION) return nullptr;
  static const pegnn::gdal_module::Module module;
  return &module;
}
