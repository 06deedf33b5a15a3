#pragma once
// A picture of a raster for people: the map in its frame with degrees or coordinates, a bar of
// colours, a title, and a key to what else is drawn. What a GIS shows of the raster itself is up to
// its style (report/qml.h).

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/shapes.h"
#include "io/canvas.h"
#include "pegnn/geo.h"
#include "report/colour_scale.h"

namespace pegnn {

struct RasterPreview {
  // As many as should be seen: reduced to about 1,200 a side before.
  std::int64_t width = 0, height = 0;  // at least 1
  std::vector<float> cells = {};       // row by row, north first; NaN: no data
  double x = 0, y = 0;                 // outer upper left corner, in map units
  double dx = 1, dy = 1;               // size of a cell, positive
  bool geographic = true;  // degrees: true to scale in the middle latitude; longitudes may go on
                           // beyond 180 and are labelled as the meridians they are
  std::string title = {}, subtitle = {};
  // The title of the bar of colours: what the numbers are, and in which unit.
  std::string name = {}, unit = {};
  // How much of each cell lies in the area of applicability, 0 to 1; the rest is pale and hatched.
  // Empty: nothing is known of it. Where a cell has no data it is not looked at.
  std::vector<float> applicable = {};
  // In map units, longitudes of any turn; those that are not finite or beyond the map are left out.
  std::vector<Point> stations = {};
  Rgb (*colour)(double share) = nullptr;  // null: `sequential`
  Spread spread = Spread::cut;
  // Ends of the colours in place of those that are found.
  double lo = ColourScale::kOpen, hi = ColourScale::kOpen;
};

// Its colours, for a style that goes with the picture.
ColourScale preview_colours(const RasterPreview& raster);

// The bytes of a PNG file, at least 1,000 pixels wide, drawn on a canvas of the largest size it may
// have. A raster much longer than wide, or the other way round, is stretched to be seen. Where
// cells lie beyond the range of the colours, the bar is pointed. Of many stations so few are drawn
// that the map can be seen, all over it, and the key says how many.
inline constexpr std::int64_t kPreviewWidth = 1200, kPreviewHeight = 1300;
std::string render_preview(const RasterPreview& raster, Canvas& canvas);

}  // namespace pegnn
