#pragma once
// Draws on an image of pixels with smooth edges: areas, lines of any width, triangles.

#include <cstdint>
#include <span>
#include <vector>

#include "report/colour.h"
#include "report/png.h"
#include "report/svg.h"

namespace pegnn {

// A straight stroke with round ends.
struct Stroke {
  Pixel from, to;
  double radius = 0.5;  // half its width
};

// The pixel in column i and row j covers [i, i + 1) x [j, j + 1). What lies beyond the image is
// left out; no coordinate makes it fail.
class Canvas {
 public:
  Canvas(std::int64_t width, std::int64_t height) : image_(width, height) {}

  const Image& image() const { return image_; }

  // One pixel, `share` of it in [0, 1] covered by `colour`.
  void blend(std::int64_t column, std::int64_t row, Rgb colour, double share = 1);
  // Edges between pixels are smooth.
  void fill(const Box& box, Rgb colour);
  // The outline of `box`, `width` wide, drawn outside of it.
  void frame(const Box& box, double width, Rgb colour);
  void triangle(Pixel a, Pixel b, Pixel c, Rgb colour);
  // As one shape: where strokes cross, nothing is drawn twice.
  void strokes(std::span<const Stroke> strokes, Rgb colour);

 private:
  Image image_;
};

}  // namespace pegnn
