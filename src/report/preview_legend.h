#pragma once
// What explains the picture of a raster: its bar of colours and its key.

#include "io/canvas.h"
#include "report/colour_scale.h"
#include "report/preview_layout.h"
#include "report/preview_pixels.h"
#include "report/raster_preview.h"

namespace pegnn {

void draw_bar(Canvas& canvas, const RasterPreview& raster, const PreviewLayout& at,
              const ColourScale& scale);
void draw_key(Canvas& canvas, const RasterPreview& raster, const PreviewLayout& at,
              const Stations& stations);

// Around `box`, outside of it.
void draw_frame(Canvas& canvas, const Box& box, double width);
// Ticks and labels below `y`, from `left` to `right`: labels stay between these as far as they have
// room there, and on the page.
void draw_level_ticks(Canvas& canvas, const Ticks& ticks, const Scale& scale, Range between,
                      double y, double page_width);

}  // namespace pegnn
