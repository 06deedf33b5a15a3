#include "report/frame.h"

#include <algorithm>

namespace pegnn {

namespace {

constexpr double kTitleRoom = 24;  // above the frame, for the title of the vertical axis
constexpr double kBelowRoom = 44;  // below it, for tick labels and the title of the horizontal one
constexpr double kRightRoom = 16;  // half of the last label

Ticks make_ticks(const AxisSpec& axis, int at_most) {
  if (axis.log) return log_ticks(axis.range, at_most);
  return linear_ticks(axis.range, at_most, axis.whole ? 1.0 : 0.0);
}

}  // namespace

double horizontal_room(const std::string& label) { return text_width(label) + 10; }
double vertical_room(const std::string&) { return 26; }

double widest(const Ticks& ticks) {
  double width = 0;
  for (const std::string& label : ticks.label) width = std::max(width, text_width(label));
  return width;
}

void draw_x_ticks(Svg& svg, const Box& box, const Scale& scale, const Ticks& ticks) {
  for (std::size_t i = 0; i < ticks.at.size(); ++i) {
    const double x = scale(ticks.at[i]);
    svg.line({x, box.top}, {x, box.bottom}, "grid");
    svg.text({x, box.bottom + 16}, ticks.label[i], "tick", Anchor::middle);
  }
}

void draw_y_ticks(Svg& svg, const Box& box, const Scale& scale, const Ticks& ticks) {
  for (std::size_t i = 0; i < ticks.at.size(); ++i) {
    const double y = scale(ticks.at[i]);
    svg.line({box.left, y}, {box.right, y}, "grid");
    svg.text({box.left - 6, y + 4}, ticks.label[i], "tick", Anchor::end);
  }
}

Frame draw_frame(Svg& svg, const AxisSpec& x, const AxisSpec& y, const FrameLayout& layout) {
  Box box{0, layout.top + kTitleRoom, kPlotWidth - kRightRoom, layout.bottom - kBelowRoom};
  const Ticks y_ticks = ticks_that_fit(
      Scale(y.range, box.bottom, box.top, y.log), 8,
      [&](int count) { return make_ticks(y, count); }, vertical_room);
  const double left_room = widest(y_ticks) + 12;
  box.left = left_room;
  if (layout.square && box.width() > box.height()) {
    const double spare = box.width() - box.height();
    box.left += spare / 2;
    box.right = box.left + box.height();
  }
  const Frame frame{box, Scale(x.range, box.left, box.right, x.log),
                    Scale(y.range, box.bottom, box.top, y.log)};
  const Ticks x_ticks = ticks_that_fit(
      frame.x, 8, [&](int count) { return make_ticks(x, count); }, horizontal_room);
  svg.rect(box, "plot");
  draw_x_ticks(svg, box, frame.x, x_ticks);
  draw_y_ticks(svg, box, frame.y, y_ticks);
  const std::string y_factor = factor_text(y_ticks.exponent);
  const std::string x_factor = factor_text(x_ticks.exponent);
  const double title_left = box.left - left_room + 2;
  svg.text({title_left, layout.top + 13},
           fitted(y.title, kPlotWidth - title_left - text_width(y_factor)) + y_factor, "axis");
  svg.text({box.left + box.width() / 2, box.bottom + 36},
           fitted(x.title, box.width() - text_width(x_factor)) + x_factor, "axis", Anchor::middle);
  return frame;
}

}  // namespace pegnn
