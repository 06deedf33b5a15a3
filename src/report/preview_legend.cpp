#include "report/preview_legend.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "report/colour.h"

namespace pegnn {

using namespace preview;

namespace {

using Ramp = Rgb (*)(double);

Ramp ramp_of(const RasterPreview& raster) {
  return raster.colour != nullptr ? raster.colour : sequential;
}

void show(Canvas& canvas, const PixelImage& image, const Box& box) {
  canvas.pixels(std::llround(box.left), std::llround(box.top), image.width(), image.colours());
}

// All colours from left to right, as they are outside the area of applicability.
PixelImage outside_swatch(Ramp ramp, std::int64_t width, std::int64_t height) {
  PixelImage image(width, height, kNoData);
  for (std::int64_t row = 0; row < height; ++row) {
    for (std::int64_t column = 0; column < width; ++column) {
      const double share = (static_cast<double>(column) + 0.5) / static_cast<double>(width);
      image.set(column, row, outside_area(ramp(share), column, row, 1));
    }
  }
  return image;
}

PixelImage stations_swatch(Rgb ground, const Stations& stations, std::int64_t width,
                           std::int64_t height) {
  PixelImage image(width, height, ground);
  const auto x = static_cast<double>(width), y = static_cast<double>(height);
  std::vector<Pixel> dots{{x / 2, y / 2}};
  if (stations.all > 1) dots = {{x / 4, 0.6 * y}, {x / 2, 0.35 * y}, {3 * x / 4, 0.65 * y}};
  draw_stations(image, dots, stations.radius);
  return image;
}

}  // namespace

// From low to high: upwards, or to the right.
void draw_bar(Canvas& canvas, const RasterPreview& raster, const PreviewLayout& at,
              const ColourScale& scale) {
  const Ramp ramp = ramp_of(raster);
  const Box& bar = at.bar;
  const double length = at.upright ? bar.height() : bar.width();
  constexpr double kPoint = 14;
  const double low = scale.beyond_low() ? kPoint : 0, high = scale.beyond_high() ? kPoint : 0;
  for (double p = low; p < length - high; ++p) {
    const double end = std::min(p + 1, length - high);
    canvas.fill(at.upright ? Box{bar.left, bar.bottom - end, bar.right, bar.bottom - p}
                           : Box{bar.left + p, bar.top, bar.left + end, bar.bottom},
                ramp((p + 0.5 - low) / (length - low - high)));
  }
  // Pointed ends in the end colours: values go on beyond.
  const double across = at.upright ? (bar.left + bar.right) / 2 : (bar.top + bar.bottom) / 2;
  const auto point = [&](double base, double tip, Rgb colour) {
    if (at.upright) {
      canvas.triangle({bar.left, base}, {bar.right, base}, {across, tip}, colour);
    } else {
      canvas.triangle({base, bar.top}, {base, bar.bottom}, {tip, across}, colour);
    }
  };
  const double begin = at.upright ? bar.bottom : bar.left, way = at.upright ? -1 : 1;
  if (low > 0) point(begin + way * low, begin, ramp(0));
  if (high > 0) point(begin + way * (length - high), begin + way * length, ramp(1));

  const Scale to_pixel({0, 1}, begin + way * low, begin + way * (length - high));
  if (at.upright) {
    for (std::size_t i = 0; i < at.bar_ticks.at.size(); ++i) {
      const double y = std::round(to_pixel(at.bar_ticks.at[i]));
      canvas.fill({bar.right + 2, y - kLine / 2, bar.right + 2 + kTick, y + kLine / 2}, kRule);
      canvas.text({bar.right + 2 + kTick + kTickGap - 2, y + cap(kLabel) / 2 + 0.5},
                  at.bar_ticks.label[i], kLabel, kInk);
    }
  } else {
    draw_level_ticks(canvas, at.bar_ticks, to_pixel, {bar.left, bar.right}, bar.bottom - kLine + 2,
                     at.page_width);
  }
  const double room = at.page_width - 2 * kMargin;
  // Beside the map it ends with the page: a long one begins further to the left.
  const double ends = at.page_width - kMargin - canvas.text_width(at.bar_title, kLabel, room);
  canvas.text({at.upright ? std::min(bar.left, ends) : bar.left, bar.top - (at.upright ? 14 : 12)},
              at.bar_title, kLabel, kInk, Anchor::start, room);
}

void draw_key(Canvas& canvas, const RasterPreview& raster, const PreviewLayout& at,
              const Stations& stations) {
  for (const KeyEntry& entry : at.key) {
    const Box& box = entry.swatch;
    const auto width = std::llround(box.width()), height = std::llround(box.height());
    switch (entry.kind) {
      case KeyEntry::Kind::no_data:
        canvas.fill(box, kNoData);
        break;
      case KeyEntry::Kind::outside:
        show(canvas, outside_swatch(ramp_of(raster), width, height), box);
        break;
      case KeyEntry::Kind::stations:
        show(canvas, stations_swatch(ramp_of(raster)(0.55), stations, width, height), box);
        break;
    }
    draw_frame(canvas, box, 1);
    canvas.text({box.right + 9, box.bottom - 2}, entry.text, kLabel, kInk, Anchor::start,
                at.page_width - kMargin - box.right - 9);
  }
}

void draw_frame(Canvas& canvas, const Box& box, double width) {
  canvas.fill({box.left - width, box.top - width, box.right + width, box.top}, kRule);
  canvas.fill({box.left - width, box.bottom, box.right + width, box.bottom + width}, kRule);
  canvas.fill({box.left - width, box.top, box.left, box.bottom}, kRule);
  canvas.fill({box.right, box.top, box.right + width, box.bottom}, kRule);
}

void draw_level_ticks(Canvas& canvas, const Ticks& ticks, const Scale& scale, Range between,
                      double y, double page_width) {
  const auto kept_in = [](double centre, double half, double left, double right) {
    return std::clamp(centre, left + half, std::max(left + half, right - half));
  };
  double free_from = 0;  // labels of a narrow map would touch: those without room are left out
  for (std::size_t i = 0; i < ticks.at.size(); ++i) {
    const double x = std::round(scale(ticks.at[i]));
    canvas.fill({x - kLine / 2, y + kLine, x + kLine / 2, y + kLine + kTick}, kRule);
    const double half = canvas.text_width(ticks.label[i], kLabel) / 2;
    const bool room = 2 * half <= between.span();
    const double centre =
        kept_in(room ? kept_in(x, half, between.lo, between.hi) : x, half, 4, page_width - 4);
    if (centre - half < free_from) continue;
    free_from = centre + half + 6;
    canvas.text({centre, y + kTick + kTickGap + cap(kLabel) + 3}, ticks.label[i], kLabel, kMuted,
                Anchor::middle);
  }
}

}  // namespace pegnn
