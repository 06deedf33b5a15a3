#pragma once
// A picture of a raster for people: the map in its frame with degrees or coordinates, a bar of
// colours, a title. What a GIS shows of the raster itself is up to its style (report/qml.h).

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "io/canvas.h"
#include "report/axis.h"

namespace pegnn {

struct RasterPreview {
  // As many as should be seen: reduced to about 1,200 a side before.
  std::int64_t width = 0, height = 0;  // at least 1
  std::vector<float> cells = {};       // row by row, north first; NaN: no data
  double x = 0, y = 0;                 // outer upper left corner, in map units
  double dx = 1, dy = 1;               // size of a cell, positive
  bool geographic = true;  // degrees: true to scale in the middle latitude; longitudes may go on
                           // beyond 180 and are labelled as the meridians they are
  std::string title = {}, subtitle = {}, unit_note = {};
  // Range of the colours; NaN: from the 2nd or to the 98th percentile of the cells.
  double lo = std::numeric_limits<double>::quiet_NaN();
  double hi = std::numeric_limits<double>::quiet_NaN();
};

// The range of its colours, for a style that goes with the picture.
Range preview_range(const RasterPreview& raster);

// The bytes of a PNG file, at least 1,000 pixels wide, drawn on a canvas of the largest size it may
// have. A raster much longer than wide, or the other way round, is stretched to be seen. Where
// cells lie beyond the range of the colours, the bar is pointed.
inline constexpr std::int64_t kPreviewWidth = 1200, kPreviewHeight = 1300;
std::string render_preview(const RasterPreview& raster, Canvas& canvas);

}  // namespace pegnn
