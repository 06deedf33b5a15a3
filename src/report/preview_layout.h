#pragma once
// Where everything stands in the picture of a raster.

#include <string>
#include <vector>

#include "base/shapes.h"
#include "io/canvas.h"
#include "report/axis.h"
#include "report/colour_scale.h"
#include "report/preview_pixels.h"
#include "report/raster_preview.h"

namespace pegnn {

namespace preview {

inline constexpr Rgb kInk{0.10, 0.12, 0.15}, kMuted{0.32, 0.36, 0.41}, kRule{0.45, 0.49, 0.54};
inline constexpr TextStyle kTitle{26, true}, kSubtitle{18}, kLabel{17};
// Height of capitals, nearly the same in all faces of the kind.
constexpr double cap(TextStyle style) { return 0.73 * style.size; }

inline constexpr double kMargin = 30;
inline constexpr double kTick = 7, kTickGap = 6;  // length of a tick, its distance from the label
inline constexpr double kLine = 1.5;

}  // namespace preview

// One thing that the key explains.
struct KeyEntry {
  enum class Kind { no_data, outside, stations };
  Kind kind;
  std::string text;
  Box swatch = {};  // on the page
};

struct PreviewLayout {
  double page_width = 0, page_height = 0;
  Box map, bar;
  bool upright = true;  // the bar stands beside the map, else it lies below
  Range x, y;           // what the map shows
  Ticks x_ticks, y_ticks;
  Ticks bar_ticks;  // at shares of the colours
  std::string bar_title;
  std::vector<KeyEntry> key;
};

// Whether there is anything beside cells to be explained.
struct PreviewContents {
  bool missing = false;  // a cell without a value
  bool outside = false;  // one with a value outside the area of applicability
};
PreviewContents contents_of(const RasterPreview& raster);

// The map first; the key, whose number of stations hangs on the size of the map, comes below.
PreviewLayout lay_out_map(Canvas& canvas, const RasterPreview& raster, const ColourScale& scale);
void lay_out_key(Canvas& canvas, const PreviewContents& contents, const Stations& stations,
                 PreviewLayout& at);

}  // namespace pegnn
