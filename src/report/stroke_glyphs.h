#pragma once
// The letters of the stroke font: what strokes a character is made of.

#include <string_view>

namespace pegnn {

// Units are hundredths of the height of capitals, y upwards from the base line; small letters are
// 70 high, and reach to 104 and -29. The path is the middle of the stroke, from x = 0 to x =
// `width`:
//   M x y   begin here               L x y   straight to
//   H x     level to                 V y     upright to
//   v x y   a quarter of an oval, leaving upright and arriving level
//   h x y   the same, leaving level and arriving upright
//   C x y x y x y   Bézier curve     D x y   a dot
struct Glyph {
  char32_t code;
  double width;
  // What the sides look like, which decides the space beside them: 's' upright stem, 'r' round,
  // 'o' open or slanting, 'n' none (the width holds it).
  char left, right;
  const char* path;
};

// The glyph of a character, or null.
const Glyph* find_glyph(char32_t code);

// Characters made of another and a mark, or of a smaller digit.
struct Composed {
  char32_t base = 0;
  const char* mark = nullptr;  // a path around x = 0, at the height of small letters
  double mark_x = 0;           // share of the base's width
  double mark_lift = 0;        // how much higher, above capitals
  double scale = 1, lift = 0;  // of the base
};
// What `code` is made of; base 0 when it is not.
Composed find_composed(char32_t code);

// How much nearer `right` stands after `left` than their sides say, in the same units.
double kerning(char32_t left, char32_t right);

}  // namespace pegnn
