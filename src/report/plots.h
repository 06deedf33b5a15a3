#pragma once
// The plots of the report, each one inline SVG picture: curves, scatter, map, Moran scatter,
// histogram. Values that are not plottable (NaN, infinite) are left out; no input makes them fail.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pegnn/geo.h"
#include "pegnn/stats.h"
#include "report/axis.h"
#include "report/colour.h"
#include "report/svg.h"

namespace pegnn {

// More points than this are drawn as cells.
inline constexpr std::int64_t kMostScatterDots = 4000;
inline constexpr std::int64_t kMostMapDots = 8000;

// What every plot is told. `id` is unique in the page; title and description are read out to those
// who cannot see the picture.
struct PlotText {
  std::string id, title, description;
};

// A picture, and the sentences a caption must add about how it was made (cells, what lies outside);
// empty when there is nothing to add.
struct Plot {
  std::string svg;
  std::string note;
};

// One line of a chart; x ascending, y of the same length, NaN where not measured.
struct Series {
  std::string name;
  int colour = 1;  // 1 to 5; each has its own dashes too
  std::vector<double> x, y;
  bool reference = false;  // a level to compare with: thin, dotted, without dots
};
struct Marker {
  double x = 0, y = 0;  // y NaN: the vertical line alone
  std::string label;
};
struct LineChart {
  PlotText text;
  std::string x_title, y_title;
  std::vector<Series> series;
  bool log_y = false;  // values that are not positive are then left out
  std::optional<Marker> marker;
  bool log_x = false;  // all x are positive
  double height = 440;
  bool whole_x = true;     // steps and counts: no ticks between whole numbers
  bool from_zero = false;  // both axes begin at 0; nothing is negative
};
// Long series are shown as the mean and the span (least to greatest) of equal runs of steps.
Plot line_chart(const LineChart& chart);

struct Scatter {
  PlotText text;
  std::string x_title, y_title;
  std::span<const double> x, y;  // of the same length, in the same unit
};
// Both axes have one scale; the diagonal is drawn.
Plot scatter(const Scatter& plot);

// Which points of a Moran scatter have the colour of their quadrant, and the sentence that says so.
struct MoranColours {
  std::span<const int> cluster;  // by row: the quadrant, or 0 for grey; none: by the p-values
  std::string note = "Points in colour have a local p-value of at most 0.05.";
};
// `moran.z` against `moran.lag` with the line whose slope is I, quadrants named and counted.
Plot moran_scatter(const PlotText& text, const std::string& value_name, const Moran& moran,
                   const MoranColours& colours = {});

struct Histogram {
  PlotText text;
  std::string x_title, y_title;
  std::span<const double> values;
  double height = 440;
};
// Bins of a nice width, with the normal curve of the same mean and deviation.
Plot histogram(const Histogram& plot);

// How places are laid on the page, shared by all maps of one set of points.
// Longitude/latitude: equirectangular, true to scale at the mean latitude; longitudes are taken to
// -180..180, or moved by 360° east of a wide gap when the points lie around the antimeridian.
// Planar: equal aspect.
class MapFrame {
 public:
  MapFrame(std::span<const Point> points, Space space, std::string x_name, std::string y_name);

  Pixel pixel(Point point) const;
  bool geographic() const { return geographic_; }
  const Box& box() const { return box_; }
  double height() const { return height_; }  // of the drawing, with its colour bar
  void draw_grid(Svg& svg) const;

 private:
  double shown_x(double x) const;
  void choose_seam(std::span<const Point> points);
  void choose_extent(std::span<const Point> points);
  void lay_out();

  bool geographic_;
  std::string x_name_, y_name_;
  double seam_ = -180;  // longitudes run from here to 360° further east
  double aspect_ = 1;   // length of a unit of x, in units of y
  Range x_, y_;
  Ticks x_ticks_, y_ticks_;
  Box box_;
  Scale x_scale_, y_scale_;
  double height_ = 0;
};

struct PointMap {
  PlotText text;
  std::string value_title;
  std::span<const Point> points;
  std::span<const double> values;  // as many
  ColourMap map = ColourMap::sequential;
  Range range;                                   // of the colours
  bool beyond_low = false, beyond_high = false;  // drawn values lie beyond it
};
// What a map of these values draws, to choose its colours by: the values, or the means of the cells
// when there are so many.
std::vector<double> drawn_values(std::span<const Point> points, std::span<const double> values,
                                 const MapFrame& frame);
Plot point_map(const PointMap& plot, const MapFrame& frame);

// Points by the kind of cluster they are in: quadrants 1 to 4 of a local Moran's I, 0 for none.
struct ClusterMap {
  PlotText text;
  std::span<const Point> points;
  std::span<const int> cluster;  // as many
};
// Those without a cluster are grey and lie below the others. Many points are drawn as cells.
Plot cluster_map(const ClusterMap& plot, const MapFrame& frame);

}  // namespace pegnn
