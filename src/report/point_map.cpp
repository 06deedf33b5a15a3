#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "base/assert.h"
#include "base/text.h"
#include "report/frame.h"
#include "report/layers.h"
#include "report/plots.h"

namespace pegnn {

namespace {

constexpr double kTallest = 400, kLowest = 150, kNarrowest = 190;
constexpr double kAboveRoom = 10, kRightRoom = 14, kBelowRoom = 26, kTitleRoom = 22;

bool has_place(const Point& point) { return plottable(point.x) && plottable(point.y); }

// `range` grown around its centre to `span`.
Range grown(Range range, double span) {
  const double extra = std::max(0.0, span - range.span()) / 2;
  return {range.lo - extra, range.hi + extra};
}

}  // namespace

MapFrame::MapFrame(std::span<const Point> points, Space space, std::string x_name,
                   std::string y_name)
    : geographic_(space != Space::plane), x_name_(std::move(x_name)), y_name_(std::move(y_name)) {
  if (geographic_) choose_seam(points);
  choose_extent(points);
  lay_out();
}

double MapFrame::shown_x(double x) const {
  if (!geographic_) return x;
  const double east = std::fmod(x - seam_, 360.0);
  return seam_ + (east < 0 ? east + 360 : east);
}

// The widest stretch of longitude without a point becomes the edge of the map, when it is wide
// enough that the points lie to one side of it; a map of the whole world keeps its usual edges.
void MapFrame::choose_seam(std::span<const Point> points) {
  constexpr int kBins = 720;  // half degrees
  constexpr int kWide = 90;   // 45 degrees
  std::vector<bool> taken(kBins, false);
  bool west = false, east = false;  // points on both sides of the usual edge
  for (const Point& p : points) {
    if (!has_place(p)) continue;
    const double longitude = std::remainder(p.x, 360.0);
    const auto bin = static_cast<int>(std::floor((longitude + 180) * 2));
    taken[static_cast<std::size_t>(std::clamp(bin, 0, kBins - 1))] = true;
    (longitude < 0 ? west : east) = true;
  }
  int best_begin = 0, best_length = 0, length = 0;
  for (int i = 0; i < 2 * kBins; ++i) {
    length = taken[static_cast<std::size_t>(i % kBins)] ? 0 : length + 1;
    if (length > best_length && length <= kBins) {
      best_length = length;
      best_begin = i + 1 - length;
    }
  }
  const int best_end = best_begin + best_length;
  const bool holds_usual_edge = best_begin == 0 || best_end >= kBins;
  if (!west || !east || best_length < kWide || holds_usual_edge) return;
  const auto middle = best_begin + best_length / 2;  // in half degrees
  seam_ = -180 + 0.5 * static_cast<double>(middle);
}

void MapFrame::choose_extent(std::span<const Point> points) {
  double latitudes = 0, count = 0;
  bool any = false;
  for (const Point& p : points) {
    if (!has_place(p)) continue;
    const double x = shown_x(p.x);
    if (!any) {
      x_ = {x, x};
      y_ = {p.y, p.y};
      any = true;
    }
    x_ = {std::min(x_.lo, x), std::max(x_.hi, x)};
    y_ = {std::min(y_.lo, p.y), std::max(y_.hi, p.y)};
    if (geographic_) latitudes += p.y;
    ++count;
  }
  if (!any) return;
  if (geographic_) {
    // Near a pole a degree of longitude has no length worth a map.
    const double mean = latitudes / count;
    aspect_ = std::max(0.15, std::cos(mean * std::numbers::pi / 180));
  }
  // All in one place: a window of a size that shows where it is.
  const double magnitude =
      std::max({std::fabs(x_.lo), std::fabs(x_.hi), std::fabs(y_.lo), std::fabs(y_.hi)});
  const double least = geographic_ ? 1e-6 : std::max(1e-9 * magnitude, 1e-290);
  if (x_.span() < least && y_.span() < least) {
    const double window = geographic_ ? 1.0 : magnitude > 0 ? 1e-4 * magnitude : 1.0;
    x_ = grown(x_, window / aspect_);
    y_ = grown(y_, window);
  }
  const double margin = 0.04 * std::max(x_.span() * aspect_, y_.span());
  x_ = {x_.lo - margin / aspect_, x_.hi + margin / aspect_};
  y_ = {y_.lo - margin, y_.hi + margin};
}

void MapFrame::lay_out() {
  const auto ticks = [&](Range range, int count, Degrees kind) {
    return geographic_ ? degree_ticks(range, count, kind) : linear_ticks(range, count);
  };
  const double title = geographic_ ? 0 : kTitleRoom;
  const double top = kAboveRoom + title;
  // The labels of the vertical axis decide the width, which decides the height, which decides the
  // labels: a first guess of the room for labels is improved once.
  double left = 54;
  for (int round = 0; round < 2; ++round) {
    const double room = kPlotWidth - left - kRightRoom;
    double width = room;
    double height = width * y_.span() / (x_.span() * aspect_);
    if (height > kTallest) {
      width = std::max(kNarrowest, width * kTallest / height);
      height = kTallest;
    }
    height = std::max(height, kLowest);
    box_ = {left + (room - width) / 2, top, left + (room + width) / 2, top + height};
    y_ticks_ = ticks_that_fit(
        Scale(y_, box_.bottom, box_.top), 8,
        [&](int count) { return ticks(y_, count, Degrees::latitude); }, vertical_room);
    left = widest(y_ticks_) + 12;
  }
  // What the box has more than the points need goes to both sides.
  const double unit = std::max(x_.span() * aspect_ / box_.width(), y_.span() / box_.height());
  x_ = grown(x_, unit * box_.width() / aspect_);
  y_ = grown(y_, unit * box_.height());
  x_scale_ = Scale(x_, box_.left, box_.right);
  y_scale_ = Scale(y_, box_.bottom, box_.top);
  x_ticks_ = ticks_that_fit(
      x_scale_, 8, [&](int count) { return ticks(x_, count, Degrees::longitude); },
      horizontal_room);
  y_ticks_ = ticks_that_fit(
      y_scale_, 8, [&](int count) { return ticks(y_, count, Degrees::latitude); }, vertical_room);
  height_ = box_.bottom + kBelowRoom + title + kColourBarHeight + 4;
}

Pixel MapFrame::pixel(Point point) const { return {x_scale_(shown_x(point.x)), y_scale_(point.y)}; }

void MapFrame::draw_grid(Svg& svg) const {
  svg.rect(box_, "sea");
  draw_x_ticks(svg, box_, x_scale_, x_ticks_);
  draw_y_ticks(svg, box_, y_scale_, y_ticks_);
  if (geographic_) return;
  const std::string y_factor = factor_text(y_ticks_.exponent);
  const std::string x_factor = factor_text(x_ticks_.exponent);
  const double left = box_.left - widest(y_ticks_) - 8;
  svg.text({left, 16}, fitted(y_name_, kPlotWidth - left - text_width(y_factor)) + y_factor,
           "axis");
  svg.text({box_.left + box_.width() / 2, box_.bottom + 36},
           fitted(x_name_, box_.width() - text_width(x_factor)) + x_factor, "axis", Anchor::middle);
}

namespace {

// The rows of `plot` that can be drawn.
std::vector<std::size_t> shown_rows(std::span<const Point> points, std::span<const double> values) {
  PEGNN_ASSERT(points.size() == values.size(), "every place of a map has its value");
  std::vector<std::size_t> rows;
  rows.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (has_place(points[i]) && plottable(values[i])) rows.push_back(i);
  }
  return rows;
}

// The cells of a map of many points; nothing when each gets its dot.
std::optional<CellGrid> cells_of(const MapFrame& frame, std::span<const std::size_t> rows,
                                 std::span<const Point> points, std::span<const double> values) {
  const auto count = std::ssize(rows);
  if (count <= kMostMapDots) return std::nullopt;
  CellGrid grid(frame.box(), count);
  for (const std::size_t i : rows) grid.add(frame.pixel(points[i]), values[i]);
  return grid;
}

void draw_value_dots(Svg& svg, const PointMap& plot, const MapFrame& frame,
                     std::span<const std::size_t> rows) {
  std::vector<Pixel> at;
  std::vector<std::uint8_t> level;
  for (const std::size_t i : rows) {
    at.push_back(frame.pixel(plot.points[i]));
    level.push_back(static_cast<std::uint8_t>(colour_level(plot.values[i], plot.range)));
  }
  std::vector<std::string> classes;
  for (int l = 0; l < kColourLevels; ++l) classes.push_back(level_class(plot.map, l));
  draw_dots(svg, at, level, classes, dot_radius(frame.box(), std::ssize(rows)), "dots");
}

}  // namespace

std::vector<double> drawn_values(std::span<const Point> points, std::span<const double> values,
                                 const MapFrame& frame) {
  const std::vector<std::size_t> rows = shown_rows(points, values);
  if (const auto cells = cells_of(frame, rows, points, values)) return cells->means();
  std::vector<double> drawn;
  for (const std::size_t i : rows) drawn.push_back(values[i]);
  return drawn;
}

Plot point_map(const PointMap& plot, const MapFrame& frame) {
  const std::vector<std::size_t> rows = shown_rows(plot.points, plot.values);
  Svg svg(plot.text.id, frame.height(), plot.text.title, plot.text.description);
  frame.draw_grid(svg);
  Plot result;
  if (const auto cells = cells_of(frame, rows, plot.points, plot.values)) {
    cells->draw_means(svg, plot.map, plot.range);
    result.note = fmt::format("Each of the {} cells shows the mean of its points.",
                              format_count(cells->occupied()));
  } else {
    draw_value_dots(svg, plot, frame, rows);
  }
  const ColourBar bar{plot.map,        plot.range,       false,
                      plot.beyond_low, plot.beyond_high, plot.value_title};
  // A narrow map still gets a bar wide enough to read.
  const Box& box = frame.box();
  const double spare = std::max(0.0, 280 - box.width()) / 2;
  draw_colour_bar(svg, bar, std::max(2.0, box.left - spare),
                  std::min(kPlotWidth - 2, box.right + spare),
                  frame.height() - kColourBarHeight - 2);
  result.svg = svg.finish();
  return result;
}

}  // namespace pegnn
