#include "report/canvas.h"

#include <algorithm>
#include <cmath>

namespace pegnn {
namespace {

// Columns or rows that [lo, hi] touches, within [0, size).
struct Cells {
  std::int64_t begin = 0, end = 0;
};

Cells touched(double lo, double hi, std::int64_t size) {
  const auto most = static_cast<double>(size);
  if (!(lo < hi)) return {};
  return {static_cast<std::int64_t>(std::clamp(std::floor(lo), 0.0, most)),
          static_cast<std::int64_t>(std::clamp(std::ceil(hi), 0.0, most))};
}

// How much of cell i lies in [lo, hi].
double covered(std::int64_t i, double lo, double hi) {
  const auto at = static_cast<double>(i);
  return std::max(0.0, std::min(at + 1, hi) - std::max(at, lo));
}

double distance(Pixel p, const Stroke& stroke) {
  const double dx = stroke.to.x - stroke.from.x, dy = stroke.to.y - stroke.from.y;
  const double length = dx * dx + dy * dy;
  const double along = (p.x - stroke.from.x) * dx + (p.y - stroke.from.y) * dy;
  const double t = length > 0 ? std::clamp(along / length, 0.0, 1.0) : 0;
  return std::hypot(p.x - stroke.from.x - t * dx, p.y - stroke.from.y - t * dy);
}

// Twice the area of a triangle, positive when c is to the right of a to b as one sees it.
double side(Pixel a, Pixel b, Pixel c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

}  // namespace

void Canvas::blend(std::int64_t column, std::int64_t row, Rgb colour, double share) {
  if (column < 0 || row < 0 || column >= image_.width || row >= image_.height) return;
  if (!(share > 0)) return;
  std::uint8_t* at = image_.rgb.data() + 3 * static_cast<std::size_t>(row * image_.width + column);
  const double parts[] = {colour.r, colour.g, colour.b};
  for (int c = 0; c < 3; ++c) {
    const double mixed =
        std::lerp(at[c] / 255.0, std::clamp(parts[c], 0.0, 1.0), std::min(share, 1.0));
    at[c] = static_cast<std::uint8_t>(std::lround(255 * mixed));
  }
}

void Canvas::fill(const Box& box, Rgb colour) {
  const Cells columns = touched(box.left, box.right, image_.width);
  const Cells rows = touched(box.top, box.bottom, image_.height);
  for (std::int64_t y = rows.begin; y < rows.end; ++y) {
    const double share = covered(y, box.top, box.bottom);
    for (std::int64_t x = columns.begin; x < columns.end; ++x) {
      blend(x, y, colour, share * covered(x, box.left, box.right));
    }
  }
}

void Canvas::frame(const Box& box, double width, Rgb colour) {
  fill({box.left - width, box.top - width, box.right + width, box.top}, colour);
  fill({box.left - width, box.bottom, box.right + width, box.bottom + width}, colour);
  fill({box.left - width, box.top, box.left, box.bottom}, colour);
  fill({box.right, box.top, box.right + width, box.bottom}, colour);
}

void Canvas::triangle(Pixel a, Pixel b, Pixel c, Rgb colour) {
  constexpr int kSteps = 8;  // of a pixel, in each direction: smooth enough for 64 shades
  if (side(a, b, c) < 0) std::swap(b, c);
  const Cells columns = touched(std::min({a.x, b.x, c.x}), std::max({a.x, b.x, c.x}), image_.width);
  const Cells rows = touched(std::min({a.y, b.y, c.y}), std::max({a.y, b.y, c.y}), image_.height);
  for (std::int64_t y = rows.begin; y < rows.end; ++y) {
    for (std::int64_t x = columns.begin; x < columns.end; ++x) {
      int inside = 0;
      for (int s = 0; s < kSteps * kSteps; ++s) {
        const Pixel p{static_cast<double>(x) + (s % kSteps + 0.5) / kSteps,
                      static_cast<double>(y) + (s / kSteps + 0.5) / kSteps};
        inside += side(a, b, p) >= 0 && side(b, c, p) >= 0 && side(c, a, p) >= 0;
      }
      blend(x, y, colour, inside / static_cast<double>(kSteps * kSteps));
    }
  }
}

void Canvas::strokes(std::span<const Stroke> strokes, Rgb colour) {
  if (strokes.empty()) return;
  Box box{1e9, 1e9, -1e9, -1e9};
  for (const Stroke& s : strokes) {
    const double reach = s.radius + 1;
    box.left = std::min({box.left, s.from.x - reach, s.to.x - reach});
    box.top = std::min({box.top, s.from.y - reach, s.to.y - reach});
    box.right = std::max({box.right, s.from.x + reach, s.to.x + reach});
    box.bottom = std::max({box.bottom, s.from.y + reach, s.to.y + reach});
  }
  const Cells columns = touched(box.left, box.right, image_.width);
  const Cells rows = touched(box.top, box.bottom, image_.height);
  const auto width = static_cast<std::size_t>(columns.end - columns.begin);
  std::vector<double> share(width * static_cast<std::size_t>(rows.end - rows.begin), 0.0);
  for (const Stroke& s : strokes) {
    const double reach = s.radius + 1;
    const Cells across = touched(std::min(s.from.x, s.to.x) - reach,
                                 std::max(s.from.x, s.to.x) + reach, image_.width);
    const Cells down = touched(std::min(s.from.y, s.to.y) - reach,
                               std::max(s.from.y, s.to.y) + reach, image_.height);
    for (std::int64_t y = down.begin; y < down.end; ++y) {
      for (std::int64_t x = across.begin; x < across.end; ++x) {
        const Pixel centre{static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5};
        // A pixel is about one wide in every direction, so that its share falls over that length.
        const double part = std::clamp(s.radius + 0.5 - distance(centre, s), 0.0, 1.0);
        double& most = share[static_cast<std::size_t>(y - rows.begin) * width +
                             static_cast<std::size_t>(x - columns.begin)];
        most = std::max(most, part);
      }
    }
  }
  for (std::int64_t y = rows.begin; y < rows.end; ++y) {
    for (std::int64_t x = columns.begin; x < columns.end; ++x) {
      blend(x, y, colour,
            share[static_cast<std::size_t>(y - rows.begin) * width +
                  static_cast<std::size_t>(x - columns.begin)]);
    }
  }
}

}  // namespace pegnn
