#pragma once
// A canvas that keeps what is drawn on it, for tests of what stands where. A letter is six tenths
// of the size wide.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "io/canvas.h"

namespace pegnn {

class DrawnCanvas final : public Canvas {
 public:
  struct Filled {
    Box box;
    Rgb colour;
  };
  struct Written {
    std::string text;
    Box box;  // from the base line up to the height of capitals
  };

  std::vector<Filled> fills;
  std::vector<Written> texts;
  std::int64_t triangles = 0;
  Box map;  // where the first pixels are
  std::vector<std::uint32_t> cells;
  std::vector<Box> swatches;           // where later ones are
  std::int64_t width = 0, height = 0;  // of the file

  std::uint32_t cell(std::int64_t column, std::int64_t row) const {
    return cells[static_cast<std::size_t>(row) * static_cast<std::size_t>(map.width()) +
                 static_cast<std::size_t>(column)];
  }

  // The first text that is `text`, or null.
  const Written* find(const std::string& text) const {
    const auto found = std::find_if(texts.begin(), texts.end(),
                                    [&](const Written& one) { return one.text == text; });
    return found == texts.end() ? nullptr : &*found;
  }

  void fill(const Box& box, Rgb colour) override { fills.push_back({box, colour}); }
  void triangle(Pixel, Pixel, Pixel, Rgb) override { ++triangles; }
  void pixels(std::int64_t left, std::int64_t top, std::int64_t columns,
              std::span<const std::uint32_t> colours) override {
    const auto x = static_cast<double>(left), y = static_cast<double>(top);
    const auto rows = static_cast<std::int64_t>(colours.size()) / columns;
    const Box box{x, y, x + static_cast<double>(columns), y + static_cast<double>(rows)};
    if (map.width() > 0) {
      swatches.push_back(box);
      return;
    }
    map = box;
    cells.assign(colours.begin(), colours.end());
  }
  double text_width(std::string_view text, TextStyle style, double most) override {
    const auto letters = std::count_if(text.begin(), text.end(),
                                       [](char c) { return (c & 0xC0) != 0x80; });  // of UTF-8
    return std::min(0.6 * style.size * static_cast<double>(letters), most);
  }
  void text(Pixel at, std::string_view text, TextStyle style, Rgb, Anchor anchor,
            double most) override {
    if (text.empty()) return;
    const double wide = text_width(text, style, most);
    const double left = at.x - (anchor == Anchor::start ? 0
                                : anchor == Anchor::end ? 1
                                                        : 0.5) *
                                   wide;
    texts.push_back({std::string(text), {left, at.y - 0.73 * style.size, left + wide, at.y}});
  }
  std::string font_note() const override { return {}; }
  std::string png(std::int64_t columns, std::int64_t rows) override {
    width = columns;
    height = rows;
    return "a picture";
  }
};

}  // namespace pegnn
