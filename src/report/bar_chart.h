#pragma once
// Bars, one below the other, with whiskers: figures of several models side by side.

#include <limits>
#include <string>
#include <vector>

#include "report/plots.h"

namespace pegnn {

struct ChartBar {
  std::string name;
  double value = 0;  // a bar that is not plottable is a name alone
  double whisker = std::numeric_limits<double>::quiet_NaN();  // to both sides; NaN: none
  std::string css_class;                                      // names the colour
  std::string label;                                          // stands at the right edge
  double mark = std::numeric_limits<double>::quiet_NaN();     // a hollow circle; NaN: none
  bool gap_above = false;                                     // another kind of model begins here
};

struct BarChart {
  PlotText text;
  std::string x_title;
  std::vector<ChartBar> bars;
};

// Bars begin at zero, which the axis always shows. Where the values are positive and span more than
// a factor of thirty, the axis is logarithmic and dots stand for bars, whose length would mean
// nothing there; the note says so.
Plot bar_chart(const BarChart& chart);

}  // namespace pegnn
