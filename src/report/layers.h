#pragma once
// Many points in few bytes: dots and cells drawn as one path per colour, and the bar that explains
// the colours.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "report/colour.h"
#include "report/svg.h"

namespace pegnn {

// Dots of one radius; `css_class[i]` names the colour of dot i by its place in `classes`. All spans
// of the same length. Dots are drawn in rounds that each take every n-th of them, so that where
// they overlap no colour is on top more often than it should be.
void draw_dots(Svg& svg, std::span<const Pixel> at, std::span<const std::uint8_t> css_class,
               std::span<const std::string> classes, double radius, std::string_view group_class);

// Radius at which `count` dots cover a box about evenly without hiding each other.
double dot_radius(const Box& box, std::int64_t count);

// Counts and sums of points in square cells of a box.
class CellGrid {
 public:
  // Cells become smaller the more points there are, and never more than fit into a small page.
  CellGrid(const Box& box, std::int64_t points);

  void add(Pixel at, double value);  // points beyond the box count in the cell at its edge
  // Draws the cells that hold points, coloured by log count or by mean value within `range`.
  void draw_counts(Svg& svg, Range log_counts) const;
  void draw_means(Svg& svg, ColourMap map, Range range) const;

  std::vector<double> means() const;  // of the cells that hold points
  std::int64_t most() const;          // points in the fullest cell
  std::int64_t occupied() const;      // cells that hold points

 private:
  template <class LevelOf>
  void draw(Svg& svg, ColourMap map, LevelOf&& level_of) const;

  Box box_;
  double size_ = 1;
  std::int32_t columns_ = 1, rows_ = 1;
  std::vector<std::int32_t> count_;
  std::vector<double> sum_;
};

// A horizontal bar with ticks, its title to the left above it. Pointed ends say that values beyond
// the range take the end colours.
struct ColourBar {
  ColourMap map = ColourMap::sequential;
  Range range;
  bool log = false;  // the colours follow the logarithm
  bool pointed_low = false, pointed_high = false;
  std::string title;
};
inline constexpr double kColourBarHeight = 50;
// Drawn below `top`, from `left` to `right`.
void draw_colour_bar(Svg& svg, const ColourBar& bar, double left, double right, double top);

}  // namespace pegnn
