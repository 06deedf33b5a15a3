#pragma once
// Places and colours of a drawing, whatever it is drawn by.

namespace pegnn {

struct Pixel {
  double x, y;
};

// A rectangle of pixels, y downwards.
struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;
  double width() const { return right - left; }
  double height() const { return bottom - top; }
};

// sRGB components in [0, 1].
struct Rgb {
  double r, g, b;
};

// Which end of a text stands at a place.
enum class Anchor { start, middle, end };

}  // namespace pegnn
