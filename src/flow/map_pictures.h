#pragma once
// What goes beside the raster of a map: pictures of its prediction and of its standard deviation,
// and a style for each.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "flow/output.h"
#include "flow/prepared_map.h"
#include "predict/raster_map.h"

namespace pegnn {

// How a map is to look.
struct MapLook {
  bool pictures = true;         // and styles; false: neither
  bool stations = true;         // the training points are drawn
  std::string unit = {};        // of the target, for titles of bars
  std::string colours = "cut";  // how values are spread over them: range, cut or quantile
};

// Whether the map has a band with the standard deviation.
bool has_deviation(const RasterMapPlan& plan);

// y.qml and y.png beside y.tif; y.sd.qml and y.sd.png for the standard deviation.
std::vector<std::string> picture_files(const std::string& raster, bool deviation);

// Written, but not yet under their names.
struct MapPictures {
  std::vector<std::pair<std::string, std::unique_ptr<Output>>> files;
  std::string warning;
};
// Those of `picture_files`, in place of what is there; without Pango the styles alone, and a
// warning.
MapPictures write_pictures(const std::string& raster, const PreparedMap& map,
                           const MapPreview& preview, const MapLook& look);

}  // namespace pegnn
