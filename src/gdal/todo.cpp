#include "gdal/parts.h"
#include "pegnn/error.h"
namespace pegnn::gdal_module {
std::unique_ptr<VectorSink> create_layer(const VectorPlan&, const LayerQuery&) {
  throw Error(ErrorKind::failure, "not in this build");
}
std::unique_ptr<VectorSink> create_points(const VectorPlan&, const Crs&, const std::string&,
                                          const std::string&) {
  throw Error(ErrorKind::failure, "not in this build");
}
}  // namespace pegnn::gdal_module
