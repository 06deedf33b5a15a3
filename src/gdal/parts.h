#pragma once
// The parts of the module, one function for each of io/gdal.h; module.cpp puts them together.

#include <memory>
#include <string>
#include <string_view>

#include "io/gdal.h"

namespace pegnn::gdal_module {

Crs read_crs(const std::string& text, std::string_view said_by);
bool same_crs(const Crs& a, const Crs& b);
std::unique_ptr<Transform> make_transform(const Crs& from, const Crs& to);

std::unique_ptr<VectorLayer> open_layer(const LayerQuery& query);
void check_output(const VectorPlan& plan);
std::unique_ptr<VectorSink> create_layer(const VectorPlan& plan, const LayerQuery& source);
std::unique_ptr<VectorSink> create_points(const VectorPlan& plan, const Crs& crs,
                                          const std::string& x, const std::string& y);

RasterGrid grid_of(const std::string& place);
std::unique_ptr<RasterSource> open_raster(const RasterQuery& query);
std::unique_ptr<RasterMask> open_mask(const LayerQuery& polygons, const RasterGrid& grid);
std::unique_ptr<RasterSink> create_raster(const RasterPlan& plan);

}  // namespace pegnn::gdal_module
