#include "report/preview_layout.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "base/text.h"

namespace pegnn {
namespace {

using namespace preview;

constexpr double kWide = kPreviewWidth, kNarrow = 1000;  // of the page
constexpr double kTallestMap = 1000, kThinnestMap = 40;
constexpr double kBar = 22, kBarGap = 30;
constexpr double kLongestBar = 620;  // of one that lies below the map
constexpr double kSwatchWide = 26, kSwatchHigh = 16, kSwatchGap = 9;
constexpr double kEntryGap = 36, kKeyRow = 30, kAboveKey = 26;

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

// Width over height of the map on paper.
double true_aspect(const RasterPreview& raster, Range x, Range y) {
  if (!raster.geographic) return x.span() / y.span();
  const double latitude = std::clamp(y.lo + y.span() / 2, -90.0, 90.0);
  // Near a pole a degree of longitude has no length worth a map.
  const double shrink = std::max(0.15, std::cos(latitude * std::numbers::pi / 180));
  return x.span() * shrink / y.span();
}

// "elevation (m)", "flow (×10⁶ m³/s)".
std::string bar_title(const RasterPreview& raster, int exponent) {
  std::string unit = exponent == 0 ? "" : "×" + power_of_ten(exponent);
  if (!raster.unit.empty()) unit += (unit.empty() ? "" : " ") + raster.unit;
  if (raster.name.empty()) return unit;
  return unit.empty() ? raster.name : fmt::format("{} ({})", raster.name, unit);
}

}  // namespace

PreviewContents contents_of(const RasterPreview& raster) {
  PreviewContents found;
  for (std::size_t i = 0; i < raster.cells.size(); ++i) {
    const bool value = plottable(raster.cells[i]);
    found.missing |= !value;
    found.outside |= value && !raster.applicable.empty() && raster.applicable[i] < 1;
  }
  return found;
}

PreviewLayout lay_out_map(Canvas& canvas, const RasterPreview& raster, const ColourScale& scale) {
  PreviewLayout at;
  at.x = {raster.x, raster.x + static_cast<double>(raster.width) * raster.dx};
  at.y = {raster.y - static_cast<double>(raster.height) * raster.dy, raster.y};
  const double aspect = true_aspect(raster, at.x, at.y);
  at.upright = aspect < 2.4;
  at.page_width = aspect < 0.8 ? kNarrow : kWide;
  at.bar_ticks = scale.ticks(at.upright ? 8 : 7);
  if (scale.any()) at.bar_title = bar_title(raster, at.bar_ticks.exponent);
  // Room beside the map: labels to the left; to the right the bar, or half a label.
  const double right =
      at.upright && scale.any()
          ? kBarGap + kBar + kTick + kTickGap + std::max(60.0, widest_label(canvas, at.bar_ticks))
          : 40;
  const double above = kMargin + (raster.title.empty() ? 0 : 34) +
                       (raster.subtitle.empty() ? 0 : 30) +
                       (at.upright && !at.bar_title.empty() ? 32 : 6);
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
  if (at.x_ticks.exponent != 0 || at.y_ticks.exponent != 0) at.page_height += kMargin / 2;
  if (!scale.any()) return at;
  if (at.upright) {
    const double bar_left = at.map.right + kBarGap;
    const double least = std::max(height, 160.0);  // a flat map has a bar longer than itself
    at.bar = {bar_left, above, bar_left + kBar, above + least};
    at.page_height = std::max(at.page_height, at.bar.bottom + kMargin);
  } else {
    const double top = at.map.bottom + 74 + (at.bar_title.empty() ? 0 : 12);
    at.bar = {map_left, top, map_left + std::min(width, kLongestBar), top + kBar};
    at.page_height = at.bar.bottom + kTick + kTickGap + cap(kLabel) + kMargin;
  }
  return at;
}

void lay_out_key(Canvas& canvas, const PreviewContents& contents, const Stations& stations,
                 PreviewLayout& at) {
  using Kind = KeyEntry::Kind;
  if (contents.outside) at.key.push_back({Kind::outside, "outside the area of applicability"});
  if (!stations.dots.empty()) {
    const std::string what = stations.all == 1 ? "training point" : "training points";
    at.key.push_back(
        {Kind::stations, stations.some
                             ? fmt::format("{} of {} {}", format_count(std::ssize(stations.dots)),
                                           format_count(stations.all), what)
                             : what});
  }
  if (contents.missing) at.key.push_back({Kind::no_data, "no data"});
  at.page_height = std::ceil(at.page_height);
  if (at.key.empty()) return;
  // A row flush with the map, or further to the left where it needs the room; else several.
  const auto wide = [&](const KeyEntry& entry) {
    return kSwatchWide + kSwatchGap + canvas.text_width(entry.text, kLabel) + kEntryGap;
  };
  double all = -kEntryGap;
  for (const KeyEntry& entry : at.key) all += wide(entry);
  const double begin = std::clamp(at.page_width - kMargin - all, kMargin, at.map.left);
  double left = begin, top = at.page_height - kMargin + kAboveKey;
  for (KeyEntry& entry : at.key) {
    if (left > begin && left + wide(entry) - kEntryGap > at.page_width - kMargin) {
      left = begin;
      top += kKeyRow;
    }
    entry.swatch = {left, top, left + kSwatchWide, top + kSwatchHigh};
    left += wide(entry);
  }
  at.page_height = std::ceil(top + kSwatchHigh + kMargin);
}

}  // namespace pegnn
