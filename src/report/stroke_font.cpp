#include "report/stroke_font.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/text.h"
#include "report/stroke_glyphs.h"

namespace pegnn {
namespace {

constexpr double kLetterHeight = 70;  // of small letters, in the units of a glyph
constexpr Glyph kHollowBox = {0, 50, 's', 's', "M 0 0 V 100 H 50 V 0 H 0"};
constexpr char32_t kNoCharacter = 0xfffd;

// The next character of `text`, which is taken from it; bytes that are not UTF-8 one by one.
char32_t take_character(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : 4;
  char32_t code = length == 1 ? first : first & (0x7fU >> length);
  bool valid = length <= text.size() && (first < 0x80 || (first >= 0xc2 && first < 0xf5));
  for (std::size_t i = 1; i < length && valid; ++i) {
    valid = byte(i) >> 6 == 2;
    code = code << 6 | (byte(i) & 0x3fU);
  }
  text.remove_prefix(valid ? length : 1);
  return valid ? code : kNoCharacter;
}

// Space beside a glyph, from the middle of the stroke; an upright stem needs the most.
double bearing(char side) {
  switch (side) {
    case 's':
      return 16.5;
    case 'r':
      return 12.5;
    case 'o':
      return 8;
    default:
      return 0;
  }
}

double stroke_width(Lettering lettering) {
  return lettering.cap * (lettering.bold ? 0.165 : 0.112);
}

// Units of a glyph to pixels, `origin` on the base line. Heights of small letters and capitals go
// to whole pixels, as the base line does.
struct Placing {
  Pixel origin;
  double unit = 1;         // pixels
  double scale = 1;        // of a smaller character
  double lift = 0;         // units
  double letter_unit = 1;  // pixels, below the height of small letters

  Pixel operator()(double x, double y) const {
    const double height = scale * y + lift;
    const double low = std::min(height, kLetterHeight);
    return {origin.x + unit * scale * x,
            origin.y - letter_unit * low - (height - low) * upper_unit()};
  }
  double upper_unit() const {
    return (100 * unit - kLetterHeight * letter_unit) / (100 - kLetterHeight);
  }
};

// Follows a glyph's path and collects its strokes.
class Pen {
 public:
  Pen(const Placing& placing, double radius, std::vector<Stroke>& out)
      : place_(placing), radius_(radius), out_(out) {}

  void draw(std::string_view path) {
    rest_ = path;
    while (!skip_spaces()) {
      const char command = rest_.front();
      rest_.remove_prefix(1);
      step(command);
    }
  }

 private:
  bool skip_spaces() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
    return rest_.empty();
  }
  double number() {
    skip_spaces();
    const std::size_t length = std::min(rest_.find(' '), rest_.size());
    const double value = parse_number(rest_.substr(0, length)).value_or(0);
    rest_.remove_prefix(length);
    return value;
  }
  Pixel pair() {
    const double x = number();
    return {x, number()};
  }

  void step(char command) {
    // A quarter of an oval as a Bézier curve; 0.5523 would be an ellipse, a little more is squarer
    // and fills its space better at small sizes.
    constexpr double kQuarter = 0.58;
    switch (command) {
      case 'M':
        at_ = pair();
        break;
      case 'L':
        line(pair());
        break;
      case 'H':
        line({number(), at_.y});
        break;
      case 'V':
        line({at_.x, number()});
        break;
      case 'D': {
        const Pixel dot = pair();
        const Pixel centre = place_(dot.x, dot.y);
        out_.push_back({centre, centre, radius_ * 1.3});
        break;
      }
      case 'v': {
        const Pixel end = pair();
        curve({at_.x, std::lerp(at_.y, end.y, kQuarter)},
              {std::lerp(end.x, at_.x, kQuarter), end.y}, end);
        break;
      }
      case 'h': {
        const Pixel end = pair();
        curve({std::lerp(at_.x, end.x, kQuarter), at_.y},
              {end.x, std::lerp(end.y, at_.y, kQuarter)}, end);
        break;
      }
      default: {  // 'C'
        const Pixel a = pair(), b = pair();
        curve(a, b, pair());
      }
    }
  }

  void line(Pixel to) {
    out_.push_back({place_(at_.x, at_.y), place_(to.x, to.y), radius_});
    at_ = to;
  }
  void curve(Pixel a, Pixel b, Pixel to) {
    constexpr int kPieces = 10;  // smooth up to letters far larger than titles
    const Pixel from = at_;
    for (int i = 1; i <= kPieces; ++i) {
      const double t = static_cast<double>(i) / kPieces, s = 1 - t;
      const double wa = 3 * s * s * t, wb = 3 * s * t * t;
      line({s * s * s * from.x + wa * a.x + wb * b.x + t * t * t * to.x,
            s * s * s * from.y + wa * a.y + wb * b.y + t * t * t * to.y});
    }
  }

  Placing place_;
  double radius_;
  std::vector<Stroke>& out_;
  std::string_view rest_;
  Pixel at_{0, 0};
};

// A character and how it is made.
struct Shape {
  const Glyph* glyph = &kHollowBox;
  Composed made;
};

Shape shape_of(char32_t code) {
  Shape shape;
  if (const Glyph* glyph = find_glyph(code)) return {glyph, {}};
  shape.made = find_composed(code);
  if (const Glyph* base = find_glyph(shape.made.base)) shape.glyph = base;
  return shape;
}

// Calls place(shape, x) for every character, x in units from the beginning; returns the width.
template <class Place>
double lay_out(std::string_view text, bool bold, Place&& place) {
  const double room = bold ? 1.5 : 0;  // wider strokes take of the space on both sides
  double x = 0;
  char32_t before = 0;
  while (!text.empty()) {
    const char32_t code = take_character(text);
    const Shape shape = shape_of(code);
    x -= kerning(before, code);
    const double scale = shape.made.scale;
    place(shape, x + room + scale * bearing(shape.glyph->left));
    x += 2 * room +
         scale * (bearing(shape.glyph->left) + shape.glyph->width + bearing(shape.glyph->right));
    before = code;
  }
  return x;
}

}  // namespace

double lettering_width(std::string_view text, Lettering lettering) {
  const double units = lay_out(text, lettering.bold, [](const Shape&, double) {});
  return units * lettering.cap / 100;
}

std::string lettering_fitted(std::string_view text, Lettering lettering, double width) {
  if (lettering_width(text, lettering) <= width) return std::string(text);
  std::size_t kept = 0;
  for (std::string_view rest = text; !rest.empty();) {
    take_character(rest);
    const std::size_t length = text.size() - rest.size();
    const std::string cut = std::string(trim(text.substr(0, length))) + "…";
    if (lettering_width(cut, lettering) > width) break;
    kept = length;
  }
  return std::string(trim(text.substr(0, kept))) + "…";
}

void draw_lettering(Canvas& canvas, Pixel at, std::string_view text, Lettering lettering,
                    Rgb colour, Anchor anchor) {
  const double width = lettering_width(text, lettering);
  Placing placing;
  placing.unit = lettering.cap / 100;
  const double x = at.x - (anchor == Anchor::middle ? width / 2
                           : anchor == Anchor::end  ? width
                                                    : 0);
  placing.origin.y = std::round(at.y) - 0.5;
  placing.letter_unit =
      std::max(1.0, std::round(kLetterHeight / 100 * lettering.cap)) / kLetterHeight;
  const double radius = stroke_width(lettering) / 2;
  std::vector<Stroke> strokes;
  lay_out(text, lettering.bold, [&](const Shape& shape, double offset) {
    Placing mine = placing;
    mine.origin.x = x + offset * placing.unit;
    mine.scale = shape.made.scale;
    mine.lift = shape.made.lift;
    // Smaller characters keep nearly the weight of the others.
    Pen(mine, shape.made.scale < 1 ? 0.88 * radius : radius, strokes).draw(shape.glyph->path);
    if (shape.made.mark == nullptr) return;
    mine.origin.x += shape.made.mark_x * shape.glyph->width * placing.unit;
    mine.lift += shape.made.mark_lift;
    Pen(mine, radius, strokes).draw(shape.made.mark);
  });
  canvas.strokes(strokes, colour);
}

}  // namespace pegnn
