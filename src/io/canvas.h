#pragma once
// A picture that is drawn and becomes a PNG file, by Cairo and Pango in a module that is loaded
// when it is first asked for. This header is all that the rest of the program knows of them; the
// module (src/canvas/) implements it.

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/shapes.h"

namespace pegnn {

// `size` is the height of the face in pixels, capitals have about 0.73 of it; 15 and more read
// well.
struct TextStyle {
  double size = 18;
  bool bold = false;
};

// White at first. The pixel in column i and row j covers [i, i + 1) x [j, j + 1); edges between
// pixels are smooth. What lies beyond the picture is left out; no coordinate makes it fail. By one
// thread at a time. Error{memory} where there is not enough.
class Canvas {
 public:
  virtual ~Canvas() = default;

  virtual void fill(const Box& box, Rgb colour) = 0;
  virtual void triangle(Pixel a, Pixel b, Pixel c, Rgb colour) = 0;
  // Pixels of 0xRRGGBB, row by row, `width` in each, from the column and row `left` and `top` on.
  virtual void pixels(std::int64_t left, std::int64_t top, std::int64_t width,
                      std::span<const std::uint32_t> colours) = 0;

  // Text is UTF-8 (bytes that are not are shown as such), set in one line in the sans-serif face of
  // the machine, and where that lacks a character in another one. Where it is longer than `most`
  // pixels it is cut and ends with "…".
  static constexpr double kNoEnd = std::numeric_limits<double>::infinity();
  virtual double text_width(std::string_view text, TextStyle style, double most = kNoEnd) = 0;
  // `at` is on the base line, at the beginning, middle or end of the text.
  virtual void text(Pixel at, std::string_view text, TextStyle style, Rgb colour,
                    Anchor anchor = Anchor::start, double most = kNoEnd) = 0;
  // What text could not be shown as it is for want of a font, in a sentence; else empty.
  virtual std::string font_note() const = 0;

  // The file: the upper left part of the picture. The same bytes for the same drawing on a machine
  // with the same fonts and libraries.
  virtual std::string png(std::int64_t width, std::int64_t height) = 0;
};

// Of so many pixels, both at least 1. Null where the module is not there or does not load;
// `why_not` then says it, as the end of a sentence.
std::unique_ptr<Canvas> create_canvas(std::int64_t width, std::int64_t height,
                                      std::string& why_not);

}  // namespace pegnn
