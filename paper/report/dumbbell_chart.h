#pragma once
// Two numbers a row, joined by a line: what was published and what was found, on a logarithmic
// axis.

#include <string>
#include <vector>

#include "report/plots.h"

namespace pegnn {

struct DumbbellRow {
  std::string name;
  double found = 0;       // a dot
  double published = 0;   // a hollow circle
  double third = 0;       // a small diamond
  std::string css_class;  // colour of the dot
  bool line_above = false;
};

struct DumbbellChart {
  PlotText text;
  std::string x_title;
  std::string found_name, published_name, third_name;  // in the legend
  std::vector<DumbbellRow> rows;
};

// What is not a positive number is left out; without any, the axis runs from 0.1 to 1.
Plot dumbbell_chart(const DumbbellChart& chart);

}  // namespace pegnn
