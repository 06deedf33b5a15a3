#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/core.h>

#include "base/assert.h"
#include "base/text.h"
#include "report/frame.h"
#include "report/layers.h"
#include "report/plots.h"

namespace pegnn {

namespace {

constexpr double kHeight = 440;

std::string outside_note(std::int64_t outside) {
  if (outside == 0) return {};
  return fmt::format("{} {} beyond the frame and {} drawn at its edge.", format_count(outside),
                     outside == 1 ? "point lies" : "points lie", outside == 1 ? "is" : "are");
}

void add_sentence(std::string& note, const std::string& sentence) {
  if (!note.empty() && !sentence.empty()) note += ' ';
  note += sentence;
}

// Places of the pairs of which both values are plottable, and how many of them the frame clips.
struct Places {
  std::vector<Pixel> at;
  std::vector<std::size_t> row;
  std::int64_t outside = 0;
};

Places place(const Frame& frame, std::span<const double> x, std::span<const double> y,
             Range x_range, Range y_range) {
  Places places;
  places.at.reserve(x.size());
  places.row.reserve(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!plottable(x[i]) || !plottable(y[i])) continue;
    places.at.push_back({frame.x(x[i]), frame.y(y[i])});
    places.row.push_back(i);
    if (!x_range.holds(x[i]) || !y_range.holds(y[i])) ++places.outside;
  }
  return places;
}

std::int64_t size_of(const Places& places) { return std::ssize(places.at); }

// Points of a scatter lie along a line, closer than they would all over the box.
double scatter_radius(const Box& box, const Places& places) {
  return std::max(1.5, 0.7 * dot_radius(box, size_of(places)));
}

// Cells coloured by how many points they hold. Returns the grid for its colour bar.
CellGrid draw_density(Svg& svg, const Box& box, const Places& places) {
  CellGrid grid(box, size_of(places));
  for (const Pixel& at : places.at) grid.add(at, 0);
  grid.draw_counts(svg,
                   {0, std::log10(static_cast<double>(std::max<std::int64_t>(grid.most(), 2)))});
  return grid;
}

void draw_count_bar(Svg& svg, const CellGrid& grid, const Box& box, double top) {
  ColourBar bar;
  bar.range = {1, static_cast<double>(std::max<std::int64_t>(grid.most(), 2))};
  bar.log = true;
  bar.title = "points per cell";
  draw_colour_bar(svg, bar, box.left, box.right, top + 4);
}

// The part of the line y = slope x that lies inside the frame's ranges, as pixels.
std::optional<std::array<Pixel, 2>> line_through_origin(const Frame& frame, double slope,
                                                        Range x_range, Range y_range) {
  double from = x_range.lo, to = x_range.hi;
  if (slope != 0) {
    const double a = y_range.lo / slope, b = y_range.hi / slope;
    from = std::max(from, std::min(a, b));
    to = std::min(to, std::max(a, b));
  }
  if (!(from < to)) return std::nullopt;
  return std::array<Pixel, 2>{Pixel{frame.x(from), frame.y(slope * from)},
                              Pixel{frame.x(to), frame.y(slope * to)}};
}

}  // namespace

Plot scatter(const Scatter& plot) {
  PEGNN_ASSERT(plot.x.size() == plot.y.size(), "every point of a scatter has an x and a y");
  const ShownRange x = shown_range(plot.x), y = shown_range(plot.y);
  const Range range =
      widened({std::min(x.range.lo, y.range.lo), std::max(x.range.hi, y.range.hi)}, 0.03);
  const bool dense = std::ssize(plot.x) > kMostScatterDots;
  const double height = kHeight + (dense ? kColourBarHeight + 4 : 0);
  Svg svg(plot.text.id, height, plot.text.title, plot.text.description);
  const Frame frame =
      draw_frame(svg, {range, plot.x_title}, {range, plot.y_title}, {0, kHeight, true});
  const Places places = place(frame, plot.x, plot.y, range, range);
  Plot result;
  if (dense) {
    const CellGrid grid = draw_density(svg, frame.box, places);
    draw_count_bar(svg, grid, frame.box, kHeight);
    add_sentence(result.note,
                 fmt::format("The {} points are counted in {} small cells.",
                             format_count(size_of(places)), format_count(grid.occupied())));
  } else {
    const std::vector<std::uint8_t> one(places.at.size(), 0);
    const std::array<std::string, 1> classes = {"c1"};
    draw_dots(svg, places.at, one, classes, scatter_radius(frame.box, places), "dots sheer");
  }
  svg.line({frame.x(range.lo), frame.y(range.lo)}, {frame.x(range.hi), frame.y(range.hi)}, "ideal");
  add_sentence(result.note, outside_note(places.outside));
  result.svg = svg.finish();
  return result;
}

namespace {

// 1 HH, 2 LH, 3 LL, 4 HL, from the signs where `q` does not say; 0 for none.
int quadrant(const Moran& moran, std::size_t i) {
  if (i < moran.q.size()) return moran.q[i] >= 1 && moran.q[i] <= 4 ? moran.q[i] : 0;
  const double z = moran.z[i], lag = moran.lag[i];
  if (!plottable(z) || !plottable(lag)) return 0;
  return z > 0 ? (lag > 0 ? 1 : 4) : (lag > 0 ? 2 : 3);
}

struct MoranMarks {
  std::array<std::int64_t, 5> count{};
  std::vector<std::uint8_t> quadrant_if_significant;  // by row, 0 when not
};

MoranMarks marks_of(const Moran& moran, const Places& places, std::span<const int> cluster) {
  MoranMarks marks;
  for (const std::size_t i : places.row) {
    const int q = quadrant(moran, i);
    ++marks.count[static_cast<std::size_t>(q)];
    const bool significant =
        cluster.empty() ? i < moran.p.size() && moran.p[i] <= 0.05 : cluster[i] != 0;
    marks.quadrant_if_significant.push_back(static_cast<std::uint8_t>(significant ? q : 0));
  }
  return marks;
}

void name_quadrants(Svg& svg, const Box& box, const std::array<std::int64_t, 5>& count) {
  const double left = box.left + 8, right = box.right - 8;
  const double top = box.top + 18, bottom = box.bottom - 10;
  const auto name = [&](Pixel at, const char* letters, std::size_t q, Anchor anchor) {
    svg.text(at, fmt::format("{} {}", letters, format_count(count[q])),
             fmt::format("quadrant halo q{}", q), anchor);
  };
  name({right, top}, "HH", 1, Anchor::end);
  name({left, top}, "LH", 2, Anchor::start);
  name({left, bottom}, "LL", 3, Anchor::start);
  name({right, bottom}, "HL", 4, Anchor::end);
}

// Sum of z lag over the sum of z squared: I itself for row-standardised weights.
double slope_of(const Moran& moran) {
  double across = 0, within = 0;
  for (std::size_t i = 0; i < moran.z.size(); ++i) {
    if (!plottable(moran.z[i]) || !plottable(moran.lag[i])) continue;
    across += moran.z[i] * moran.lag[i];
    within += moran.z[i] * moran.z[i];
  }
  return within > 0 ? across / within : 0;
}

}  // namespace

Plot moran_scatter(const PlotText& text, const std::string& value_name, const Moran& moran,
                   const MoranColours& colours) {
  PEGNN_ASSERT(colours.cluster.empty() || colours.cluster.size() == moran.z.size(),
               "every row has its kind");
  PEGNN_ASSERT(moran.z.size() == moran.lag.size(), "Moran's I has a lag for every row");
  const ShownRange x = shown_range(moran.z), y = shown_range(moran.lag);
  const auto around_zero = [](Range range) {
    return widened({std::min(range.lo, 0.0), std::max(range.hi, 0.0)}, 0.06);
  };
  const Range x_range = around_zero(x.range), y_range = around_zero(y.range);
  const bool dense = std::ssize(moran.z) > kMostScatterDots;
  Svg svg(text.id, kHeight + (dense ? kColourBarHeight + 4 : 0), text.title, text.description);
  const Frame frame = draw_frame(svg, {x_range, value_name + ", standardised"},
                                 {y_range, "spatial lag (its neighbours)"}, {0, kHeight});
  const Places places = place(frame, moran.z, moran.lag, x_range, y_range);
  const MoranMarks marks = marks_of(moran, places, colours.cluster);
  // Row-standardised weights make the slope I itself; others stretch it.
  const double slope = slope_of(moran);
  Plot result;
  result.note = std::fabs(slope - moran.I) <= 1e-6 * (1 + std::fabs(slope))
                    ? "The slope of the line is Moran's I."
                    : "The slope of the line is Moran's I times the sum of weights per row.";
  if (dense) {
    draw_count_bar(svg, draw_density(svg, frame.box, places), frame.box, kHeight);
  } else {
    const std::array<std::string, 5> classes = {"q0", "q1", "q2", "q3", "q4"};
    draw_dots(svg, places.at, marks.quadrant_if_significant, classes,
              scatter_radius(frame.box, places), "dots faint");
    if (!moran.p.empty()) {
      add_sentence(result.note, colours.note);
    }
  }
  svg.line({frame.x(0), frame.box.top}, {frame.x(0), frame.box.bottom}, "zero");
  svg.line({frame.box.left, frame.y(0)}, {frame.box.right, frame.y(0)}, "zero");
  if (const auto line = line_through_origin(frame, slope, x_range, y_range)) {
    svg.line((*line)[0], (*line)[1], "slope");
  }
  name_quadrants(svg, frame.box, marks.count);
  add_sentence(result.note, outside_note(places.outside));
  result.svg = svg.finish();
  return result;
}

}  // namespace pegnn
