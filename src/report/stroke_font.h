#pragma once
// Text on a canvas, drawn from the strokes of a sans-serif face of our own: Latin letters with
// their accents, digits, and the signs that titles and axes need. Any other character is a hollow
// box.

#include <string>
#include <string_view>

#include "report/canvas.h"

namespace pegnn {

// `cap` is the height of capitals in pixels; 12 and more read well. The face is drawn with strokes
// of one width, a ninth of that, or half as wide again.
struct Lettering {
  double cap = 13;
  bool bold = false;
};

// Width of `text` (UTF-8; bytes that are not are hollow boxes) in pixels.
double lettering_width(std::string_view text, Lettering lettering);
// `text` if it fits into `width`, else its beginning and "…", cut between characters.
std::string lettering_fitted(std::string_view text, Lettering lettering, double width);
// `at` is on the base line, at the beginning, middle or end of the text. The base line goes to
// whole pixels, so that level strokes are sharp.
void draw_lettering(Canvas& canvas, Pixel at, std::string_view text, Lettering lettering,
                    Rgb colour, Anchor anchor = Anchor::start);

}  // namespace pegnn
