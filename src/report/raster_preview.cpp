#include "report/raster_preview.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "report/preview_layout.h"
#include "report/preview_legend.h"
#include "report/preview_pixels.h"

namespace pegnn {
namespace {

using namespace preview;

void draw_axes(Canvas& canvas, const PreviewLayout& at) {
  draw_frame(canvas, at.map, kLine);
  draw_level_ticks(canvas, at.x_ticks, Scale(at.x, at.map.left, at.map.right),
                   {at.map.left - kLine, at.map.right + kLine}, at.map.bottom, at.page_width);
  const Scale scale(at.y, at.map.bottom, at.map.top);
  for (std::size_t i = 0; i < at.y_ticks.at.size(); ++i) {
    const double y = std::round(scale(at.y_ticks.at[i]));
    canvas.fill({at.map.left - kLine - kTick, y - kLine / 2, at.map.left - kLine, y + kLine / 2},
                kRule);
    canvas.text({at.map.left - kTick - kTickGap, y + cap(kLabel) / 2 + 0.5}, at.y_ticks.label[i],
                kLabel, kMuted, Anchor::end);
  }
  // Powers of ten that the labels leave out: below the map, where its corners are free.
  const double below = at.map.bottom + kTick + kTickGap + 2 * cap(kLabel) + 12;
  if (at.x_ticks.exponent != 0) {
    canvas.text({at.map.right, below}, "x" + factor_text(at.x_ticks.exponent), kLabel, kMuted,
                Anchor::end);
  }
  if (at.y_ticks.exponent != 0) {
    canvas.text({at.map.left, below}, "y" + factor_text(at.y_ticks.exponent), kLabel, kMuted);
  }
}

void draw_titles(Canvas& canvas, const RasterPreview& raster, const PreviewLayout& at) {
  const double room = at.page_width - 2 * kMargin;
  TextStyle title = kTitle;
  while (title.size > 21 && canvas.text_width(raster.title, title) > room) --title.size;
  // Flush with the map where that leaves enough room.
  const double longest = std::max(canvas.text_width(raster.title, title, room),
                                  canvas.text_width(raster.subtitle, kSubtitle, room));
  const double left = std::clamp(at.page_width - kMargin - longest, kMargin, at.map.left);
  double y = kMargin + cap(raster.title.empty() ? kSubtitle : kTitle);
  canvas.text({left, y}, raster.title, title, kInk, Anchor::start, room);
  if (!raster.title.empty()) y += 32;
  canvas.text({left, y}, raster.subtitle, kSubtitle, kMuted, Anchor::start, room);
}

std::int64_t with_value(const RasterPreview& raster) {
  return std::count_if(raster.cells.begin(), raster.cells.end(),
                       [](float value) { return plottable(value); });
}

}  // namespace

ColourScale preview_colours(const RasterPreview& raster) {
  return ColourScale(raster.cells, raster.spread, raster.lo, raster.hi);
}

std::string render_preview(const RasterPreview& raster, Canvas& canvas) {
  PEGNN_ASSERT(raster.width > 0 && raster.height > 0 &&
                   raster.cells.size() == static_cast<std::size_t>(raster.width) *
                                              static_cast<std::size_t>(raster.height),
               "a raster has cells, and a value for each");
  PEGNN_ASSERT(raster.applicable.empty() || raster.applicable.size() == raster.cells.size(),
               "the area of applicability is known of all cells or of none");
  PEGNN_ASSERT(raster.dx > 0 && raster.dy > 0, "cells have a size");
  const ColourScale scale = preview_colours(raster);
  PreviewLayout at = lay_out_map(canvas, raster, scale);
  PixelImage image =
      cell_pixels(raster, scale, std::llround(at.map.width()), std::llround(at.map.height()));
  const double share =
      static_cast<double>(with_value(raster)) / static_cast<double>(raster.cells.size());
  const Stations stations =
      place_stations(raster, image.width(), image.height(),
                     std::llround(share * static_cast<double>(image.width() * image.height())));
  draw_stations(image, stations.dots, stations.radius);
  lay_out_key(canvas, contents_of(raster), stations, at);

  canvas.pixels(std::llround(at.map.left), std::llround(at.map.top), image.width(),
                image.colours());
  draw_axes(canvas, at);
  if (scale.any()) {
    draw_bar(canvas, raster, at, scale);
  } else {
    canvas.text({(at.map.left + at.map.right) / 2, (at.map.top + at.map.bottom) / 2 + 7}, "no data",
                kSubtitle, kMuted, Anchor::middle);
  }
  draw_titles(canvas, raster, at);
  draw_key(canvas, raster, at, stations);
  return canvas.png(static_cast<std::int64_t>(at.page_width),
                    static_cast<std::int64_t>(at.page_height));
}

}  // namespace pegnn
