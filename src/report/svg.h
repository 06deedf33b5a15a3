#pragma once
// Writes one inline SVG picture with a title and a description for those who cannot see it.

#include <string>
#include <string_view>

#include "base/shapes.h"

namespace pegnn {

// Pixels of the drawing; the page scales it to the width it has.
inline constexpr double kPlotWidth = 480;
// Font size text is measured with: the largest the style sheet uses (on narrow screens).
inline constexpr double kMeasuredFont = 13.5;

// Rough width of `text` (UTF-8) in a sans-serif face, erring on the wide side.
double text_width(std::string_view text);
// `text` if it fits into `width`, else its beginning and "…", cut between characters.
std::string fitted(std::string_view text, double width);

// A pixel coordinate with at most two decimals. What is not finite becomes 0: a plot must never
// cost the run it is made from.
std::string coordinate(double value);

// Colours and fonts come from the page's style sheet through `css_class`; an empty one is left out.
// Text is escaped here, classes and path data are not.
class Svg {
 public:
  // `id` is unique in the page and made of letters, digits and '-'.
  Svg(std::string_view id, double height, std::string_view title, std::string_view description);

  void line(Pixel from, Pixel to, std::string_view css_class);
  void rect(Box box, std::string_view css_class);
  void circle(Pixel centre, double radius, std::string_view css_class);
  void text(Pixel at, std::string_view content, std::string_view css_class,
            Anchor anchor = Anchor::start);
  void path(std::string_view data, std::string_view css_class);
  // `attributes` is written as it is: transform, stroke-width.
  void open_group(std::string_view css_class, std::string_view attributes = {});
  void close_group();

  // The whole element; the writer is empty afterwards.
  std::string finish();

 private:
  void append_class(std::string_view css_class);

  std::string out_;
};

}  // namespace pegnn
