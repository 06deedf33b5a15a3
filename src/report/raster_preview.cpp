#include "report/raster_preview.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/assert.h"
#include "base/text.h"
#include "io/canvas.h"
#include "report/axis.h"
#include "report/colour.h"

namespace pegnn {
namespace {

constexpr Rgb kInk{0.10, 0.12, 0.15}, kMuted{0.32, 0.36, 0.41}, kRule{0.45, 0.49, 0.54};
constexpr Rgb kNoData{0.92, 0.93, 0.94};
constexpr TextStyle kTitle{26, true}, kSubtitle{18}, kLabel{17};
// Height of capitals, nearly the same in all faces of the kind.
constexpr double cap(TextStyle style) { return 0.73 * style.size; }

constexpr double kWide = kPreviewWidth, kNarrow = 1000;  // of the page
constexpr double kMargin = 30;
constexpr double kTallestMap = 1000, kThinnestMap = 40;
constexpr double kTick = 7, kTickGap = 6;  // length of a tick, and its distance from the label
constexpr double kBar = 22, kBarGap = 30;
constexpr double kSwatch = 46;  // below the bar, for no data
constexpr double kLine = 1.5;

// What is drawn, and by which colours.
struct Colours {
  Range range;
  bool beyond_low = false, beyond_high = false;
  bool any = false;      // a cell with a value
  bool missing = false;  // a cell without
  bool one = false;      // all values are equal, and so is the range
};

Colours choose_colours(const RasterPreview& raster) {
  Colours colours;
  std::vector<double> values;
  values.reserve(raster.cells.size());
  for (const float v : raster.cells) {
    if (plottable(v)) values.push_back(v);
  }
  colours.any = !values.empty();
  colours.missing = values.size() < raster.cells.size();
  const Range all = range_of(values).value_or(Range{0, 1});
  const auto chosen = [](double given, double otherwise) {
    return plottable(given) ? given : otherwise;
  };
  Range range{chosen(raster.lo, quantile(values, 0.02)), chosen(raster.hi, quantile(values, 0.98))};
  // Nearly all cells are equal, but not all.
  if (!(range.span() > 0)) range = {chosen(raster.lo, all.lo), chosen(raster.hi, all.hi)};
  if (range.hi < range.lo) std::swap(range.lo, range.hi);
  colours.one = colours.any && range.lo == range.hi;
  colours.range = widened(range, 0);
  colours.beyond_low = colours.any && all.lo < colours.range.lo;
  colours.beyond_high = colours.any && all.hi > colours.range.hi;
  return colours;
}

double middle(Range range) { return range.lo + range.span() / 2; }

Ticks ticks_of(const RasterPreview& raster, Range range, int count, Degrees kind) {
  if (raster.geographic) return degree_ticks(range, count, kind);
  Ticks ticks = linear_ticks(range, count);
  // Coordinates of millions of metres are written out, as maps do.
  if (ticks.exponent != 6 || ticks.at.size() < 2 || ticks.at[1] - ticks.at[0] < 1) return ticks;
  ticks.exponent = 0;
  for (std::size_t i = 0; i < ticks.at.size(); ++i) {
    const std::string digits = format_count(std::llround(std::fabs(ticks.at[i])));
    ticks.label[i] = ticks.at[i] < 0 ? "−" + digits : digits;
  }
  return ticks;
}

double widest_label(Canvas& canvas, const Ticks& ticks) {
  double width = 0;
  for (const std::string& label : ticks.label) {
    width = std::max(width, canvas.text_width(label, kLabel));
  }
  return width;
}

// As many ticks as there is room for, `room` pixels each at least.
template <class Make>
Ticks ticks_with_room(double length, double room, int at_most, Make&& make) {
  return make(std::clamp(static_cast<int>(length / room), 1, at_most));
}

// Where everything stands.
struct Layout {
  double page_width = kWide, page_height = 0;
  Box map, bar;
  bool upright = true;  // the bar stands beside the map, else it lies below
  Range x, y;           // what the map shows
  Ticks x_ticks, y_ticks, bar_ticks;
};

// Width over height of the map on paper.
double true_aspect(const RasterPreview& raster, Range x, Range y) {
  if (!raster.geographic) return x.span() / y.span();
  const double latitude = std::clamp(middle(y), -90.0, 90.0);
  // Near a pole a degree of longitude has no length worth a map.
  const double shrink = std::max(0.15, std::cos(latitude * std::numbers::pi / 180));
  return x.span() * shrink / y.span();
}

Layout lay_out(Canvas& canvas, const RasterPreview& raster, const Colours& colours) {
  Layout at;
  at.x = {raster.x, raster.x + static_cast<double>(raster.width) * raster.dx};
  at.y = {raster.y - static_cast<double>(raster.height) * raster.dy, raster.y};
  const double aspect = true_aspect(raster, at.x, at.y);
  at.upright = aspect < 2.4;
  at.page_width = aspect < 0.8 ? kNarrow : kWide;
  at.bar_ticks = linear_ticks(colours.range, at.upright ? 8 : 7);
  // The range around one value is not a fact to be read.
  if (colours.one)
    at.bar_ticks = {{middle(colours.range)}, {display_number(middle(colours.range))}};
  // Room beside the map: labels to the left; to the right the bar, or half a label.
  const double right =
      at.upright && colours.any
          ? kBarGap + kBar + kTick + kTickGap + std::max(60.0, widest_label(canvas, at.bar_ticks))
          : 40;
  const bool noted = !raster.unit_note.empty() || at.bar_ticks.exponent != 0;
  const double above = kMargin + (raster.title.empty() ? 0 : 34) +
                       (raster.subtitle.empty() ? 0 : 30) + (at.upright && noted ? 32 : 6);
  double left = 80;
  double width = 0, height = 0;
  for (int round = 0; round < 2; ++round) {  // the height decides the labels, these the width
    const double room = at.page_width - 2 * kMargin - left - right;
    width = std::min(room, kTallestMap * aspect);
    height = std::max(kThinnestMap, std::round(width / aspect));
    width = std::max(kThinnestMap, std::round(width));
    height = std::min(height, kTallestMap);
    at.y_ticks = ticks_with_room(
        height, 70, 9, [&](int count) { return ticks_of(raster, at.y, count, Degrees::latitude); });
    left = widest_label(canvas, at.y_ticks) + kTick + kTickGap;
  }
  const double spare = std::max(0.0, at.page_width - 2 * kMargin - left - width - right);
  const double map_left = std::round(kMargin + left + spare / 2);
  at.map = {map_left, above, map_left + width, above + height};
  at.x_ticks = ticks_with_room(
      width, 110, 10, [&](int count) { return ticks_of(raster, at.x, count, Degrees::longitude); });
  at.page_height = at.map.bottom + kTick + kTickGap + cap(kLabel) + kMargin;
  if (at.upright) {
    const double bar_left = at.map.right + kBarGap;
    const double least = std::max(height, 160.0);  // a flat map has a bar longer than itself
    // Below the bar there is room for what stands for no data, beside the map: below it are labels.
    const double below = colours.missing ? kSwatch : 0;
    at.bar = {bar_left, above, bar_left + kBar, above + std::max(least - below, least / 2)};
    at.page_height = std::max(at.page_height, at.bar.bottom + kMargin);
    if (colours.missing && colours.any)
      at.page_height = std::max(at.page_height, at.bar.bottom + 64);
  } else {
    const double top = at.map.bottom + 74 + (raster.unit_note.empty() ? 0 : 12);
    const double length = std::min(width, 620.0);
    at.bar = {map_left, top, map_left + length, top + kBar};
    if (colours.any) at.page_height = top + kBar + kTick + kTickGap + cap(kLabel) + kMargin;
  }
  at.page_height = std::ceil(at.page_height);
  return at;
}

// For every pixel of one side, the cells under it and how much of each.
struct Cover {
  std::vector<std::int64_t> first;
  std::vector<std::vector<double>> share;
};

Cover cover(std::int64_t cells, std::int64_t pixels) {
  Cover made;
  const double per_pixel = static_cast<double>(cells) / static_cast<double>(pixels);
  for (std::int64_t p = 0; p < pixels; ++p) {
    const double lo = per_pixel * static_cast<double>(p), hi = lo + per_pixel;
    const auto first = std::min(static_cast<std::int64_t>(lo), cells - 1);
    made.first.push_back(first);
    std::vector<double>& share = made.share.emplace_back();
    for (std::int64_t c = first; c < cells && static_cast<double>(c) < hi; ++c) {
      const double part =
          std::min(hi, static_cast<double>(c + 1)) - std::max(lo, static_cast<double>(c));
      if (part > 1e-9 * per_pixel || share.empty())
        share.push_back(std::max(part, 0.0));
      else
        break;
    }
  }
  return made;
}

using Palette = std::array<Rgb, 512>;

std::uint32_t packed(Rgb colour) {
  const auto byte = [](double c) {
    return static_cast<std::uint32_t>(std::lround(255 * std::clamp(c, 0.0, 1.0)));
  };
  return byte(colour.r) << 16U | byte(colour.g) << 8U | byte(colour.b);
}
Rgb mixed(Rgb a, Rgb b, double share) {
  return {std::lerp(a.r, b.r, share), std::lerp(a.g, b.g, share), std::lerp(a.b, b.b, share)};
}

Palette make_palette() {
  Palette palette;
  for (std::size_t i = 0; i < palette.size(); ++i) {
    palette[i] = sequential(static_cast<double>(i) / static_cast<double>(palette.size() - 1));
  }
  return palette;
}

Rgb colour_of(const Palette& palette, double value, Range range) {
  const double share = std::clamp((value - range.lo) / range.span(), 0.0, 1.0);
  return palette[static_cast<std::size_t>(share * static_cast<double>(palette.size() - 1) + 0.5)];
}

// A pixel shows the mean of the cells it covers, by area.
void draw_cells(Canvas& canvas, const RasterPreview& raster, const Layout& at,
                const Colours& colours, const Palette& palette) {
  const auto width = static_cast<std::int64_t>(at.map.width());
  const auto height = static_cast<std::int64_t>(at.map.height());
  const Cover columns = cover(raster.width, width), rows = cover(raster.height, height);
  std::vector<std::uint32_t> pixels;
  pixels.reserve(static_cast<std::size_t>(width * height));
  for (std::size_t j = 0; j < rows.first.size(); ++j) {
    for (std::size_t i = 0; i < columns.first.size(); ++i) {
      double sum = 0, valid = 0, all = 0;
      for (std::size_t r = 0; r < rows.share[j].size(); ++r) {
        const std::int64_t row = (rows.first[j] + static_cast<std::int64_t>(r)) * raster.width;
        for (std::size_t c = 0; c < columns.share[i].size(); ++c) {
          const double share = rows.share[j][r] * columns.share[i][c];
          const double value = raster.cells[static_cast<std::size_t>(row + columns.first[i] +
                                                                     static_cast<std::int64_t>(c))];
          all += share;
          if (!plottable(value)) continue;
          sum += share * value;
          valid += share;
        }
      }
      pixels.push_back(packed(
          valid > 0 ? mixed(kNoData, colour_of(palette, sum / valid, colours.range), valid / all)
                    : kNoData));
    }
  }
  canvas.pixels(static_cast<std::int64_t>(at.map.left), static_cast<std::int64_t>(at.map.top),
                width, pixels);
}

// Around `box`, outside of it.
void draw_frame(Canvas& canvas, const Box& box, double width) {
  canvas.fill({box.left - width, box.top - width, box.right + width, box.top}, kRule);
  canvas.fill({box.left - width, box.bottom, box.right + width, box.bottom + width}, kRule);
  canvas.fill({box.left - width, box.top, box.left, box.bottom}, kRule);
  canvas.fill({box.right, box.top, box.right + width, box.bottom}, kRule);
}

// A label on a level axis stays on the page, even at the corners of the map.
void draw_level_ticks(Canvas& canvas, const Ticks& ticks, const Scale& scale, double y,
                      double page_width) {
  double free_from = 0;  // labels of a narrow map would touch: those without room are left out
  for (std::size_t i = 0; i < ticks.at.size(); ++i) {
    const double x = std::round(scale(ticks.at[i]));
    canvas.fill({x - kLine / 2, y + kLine, x + kLine / 2, y + kLine + kTick}, kRule);
    const double half = canvas.text_width(ticks.label[i], kLabel) / 2;
    const double centre = std::clamp(x, half + 4, std::max(half + 4, page_width - half - 4));
    if (centre - half < free_from) continue;
    free_from = centre + half + 6;
    canvas.text({centre, y + kTick + kTickGap + cap(kLabel) + 3}, ticks.label[i], kLabel, kMuted,
                Anchor::middle);
  }
}

void draw_axes(Canvas& canvas, const Layout& at) {
  draw_frame(canvas, at.map, kLine);
  draw_level_ticks(canvas, at.x_ticks, Scale(at.x, at.map.left, at.map.right), at.map.bottom,
                   at.page_width);
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

// From low to high: upwards, or to the right.
void draw_bar(Canvas& canvas, const Layout& at, const Colours& colours, const Palette& palette) {
  const Box& bar = at.bar;
  const double length = at.upright ? bar.height() : bar.width();
  constexpr double kPoint = 14;
  const double low = colours.beyond_low ? kPoint : 0, high = colours.beyond_high ? kPoint : 0;
  for (double p = low; p < length - high; ++p) {
    const double share = (p + 0.5 - low) / (length - low - high);
    const Rgb colour =
        colour_of(palette, std::lerp(colours.range.lo, colours.range.hi, share), colours.range);
    const double end = std::min(p + 1, length - high);
    canvas.fill(at.upright ? Box{bar.left, bar.bottom - end, bar.right, bar.bottom - p}
                           : Box{bar.left + p, bar.top, bar.left + end, bar.bottom},
                colour);
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
  if (low > 0) point(begin + way * low, begin, palette.front());
  if (high > 0) point(begin + way * (length - high), begin + way * length, palette.back());

  const Scale scale(colours.range, begin + way * low, begin + way * (length - high));
  if (!at.upright) {
    draw_level_ticks(canvas, at.bar_ticks, scale, bar.bottom - kLine + 2, at.page_width);
    return;
  }
  for (std::size_t i = 0; i < at.bar_ticks.at.size(); ++i) {
    const double y = std::round(scale(at.bar_ticks.at[i]));
    canvas.fill({bar.right + 2, y - kLine / 2, bar.right + 2 + kTick, y + kLine / 2}, kRule);
    canvas.text({bar.right + 2 + kTick + kTickGap - 2, y + cap(kLabel) / 2 + 0.5},
                at.bar_ticks.label[i], kLabel, kInk);
  }
}

void draw_legend(Canvas& canvas, const RasterPreview& raster, const Layout& at,
                 const Colours& colours, const Palette& palette) {
  if (!colours.any) {
    canvas.text({(at.map.left + at.map.right) / 2, (at.map.top + at.map.bottom) / 2 + 7}, "no data",
                kSubtitle, kMuted, Anchor::middle);
    return;
  }
  draw_bar(canvas, at, colours, palette);
  std::string note(trim(raster.unit_note + factor_text(at.bar_ticks.exponent)));
  if (raster.unit_note.empty() && !note.empty()) note = note.substr(1, note.size() - 2);  // no ()
  const double room = at.page_width - 2 * kMargin;
  if (at.upright) {
    // Ends with the page; a long one begins further to the left.
    const double begin =
        std::min(at.bar.left, at.page_width - kMargin - canvas.text_width(note, kLabel, room));
    canvas.text({begin, at.bar.top - 14}, note, kLabel, kInk, Anchor::start, room);
  } else {
    canvas.text({at.bar.left, at.bar.top - 12}, note, kLabel, kInk, Anchor::start, room);
  }
  if (!colours.missing) return;
  const Pixel swatch = at.upright ? Pixel{at.bar.left + 3, at.bar.bottom + kSwatch - 18}
                                  : Pixel{at.bar.right + 60, at.bar.top + 3};
  const Box box{swatch.x, swatch.y, swatch.x + 16, swatch.y + 16};
  canvas.fill(box, kNoData);
  draw_frame(canvas, box, 1);
  canvas.text({box.right + 9, box.bottom - 1}, "no data", kLabel, kInk);
}

void draw_titles(Canvas& canvas, const RasterPreview& raster, const Layout& at) {
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

}  // namespace

Range preview_range(const RasterPreview& raster) { return choose_colours(raster).range; }

std::string render_preview(const RasterPreview& raster, Canvas& canvas) {
  PEGNN_ASSERT(raster.width > 0 && raster.height > 0 &&
                   raster.cells.size() == static_cast<std::size_t>(raster.width) *
                                              static_cast<std::size_t>(raster.height),
               "a raster has cells, and a value for each");
  PEGNN_ASSERT(raster.dx > 0 && raster.dy > 0, "cells have a size");
  const Colours colours = choose_colours(raster);
  const Layout at = lay_out(canvas, raster, colours);
  const Palette palette = make_palette();
  draw_cells(canvas, raster, at, colours, palette);
  draw_axes(canvas, at);
  draw_legend(canvas, raster, at, colours, palette);
  draw_titles(canvas, raster, at);
  return canvas.png(static_cast<std::int64_t>(at.page_width),
                    static_cast<std::int64_t>(at.page_height));
}

}  // namespace pegnn
