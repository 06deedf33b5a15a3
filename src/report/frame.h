#pragma once
// The frame of a plot: two axes with grid lines, tick labels that do not touch, and titles.

#include <cmath>
#include <string>

#include "report/axis.h"
#include "report/svg.h"

namespace pegnn {

struct AxisSpec {
  Range range;  // positive span; for a logarithmic axis lo > 0
  std::string title;
  bool log = false;
  bool whole = false;  // counts and steps: no ticks between whole numbers
};

struct Frame {
  Box box;
  Scale x, y;
};

// Where the frame stands in the drawing. `top` and `bottom` are the edges of the drawing it may
// use; the titles and labels lie within them.
struct FrameLayout {
  double top = 0;
  double bottom = 0;
  bool square = false;  // both axes of the same length
};

Frame draw_frame(Svg& svg, const AxisSpec& x, const AxisSpec& y, const FrameLayout& layout);

// The most of `ticks(count)` whose labels keep clear of each other on `scale`; `room(label)` is
// what one label takes along the axis.
template <class MakeTicks, class Room>
Ticks ticks_that_fit(const Scale& scale, int at_most, MakeTicks&& ticks, Room&& room) {
  for (int count = at_most; count > 1; --count) {
    Ticks made = ticks(count);
    bool clear = true;
    for (std::size_t i = 1; i < made.at.size() && clear; ++i) {
      clear = std::fabs(scale(made.at[i]) - scale(made.at[i - 1])) >=
              (room(made.label[i]) + room(made.label[i - 1])) / 2;
    }
    if (clear) return made;
  }
  return ticks(1);
}

// Room a label takes with the space to its neighbour, on a horizontal and on a vertical axis.
double horizontal_room(const std::string& label);
double vertical_room(const std::string& label);

// Grid lines and labels of a horizontal and of a vertical axis around `box`.
void draw_x_ticks(Svg& svg, const Box& box, const Scale& scale, const Ticks& ticks);
void draw_y_ticks(Svg& svg, const Box& box, const Scale& scale, const Ticks& ticks);
// Width of the widest label.
double widest(const Ticks& ticks);

}  // namespace pegnn
