#include "report/preview_pixels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "pegnn/geo.h"
#include "report/colour.h"
#include "report/colour_scale.h"
#include "report/raster_preview.h"

namespace pegnn {
namespace {

constexpr Rgb kPaper{1, 1, 1}, kDot{0.05, 0.06, 0.08};
constexpr double kRim = 1.1;  // around dots, light, so that they are seen on dark colours too

double byte_of(double part) { return std::round(255 * std::clamp(part, 0.0, 1.0)); }

std::uint32_t packed(Rgb colour) {
  const auto byte = [](double part) { return static_cast<std::uint32_t>(byte_of(part)); };
  return byte(colour.r) << 16U | byte(colour.g) << 8U | byte(colour.b);
}

Rgb unpacked(std::uint32_t code) {
  const auto part = [&](unsigned shift) { return static_cast<double>(code >> shift & 255U) / 255; };
  return {part(16), part(8), part(0)};
}

Rgb mixed(Rgb a, Rgb b, double share) {
  return {std::lerp(a.r, b.r, share), std::lerp(a.g, b.g, share), std::lerp(a.b, b.b, share)};
}

// For every pixel of one side, the cells under it and how much of each.
struct Cover {
  std::vector<std::int64_t> first;
  std::vector<std::vector<double>> share;
};

Cover cover(std::int64_t cells, std::int64_t pixels) {
  Cover made;
  const double per_pixel = static_cast<double>(cells) / static_cast<double>(pixels);
  for (std::int64_t p = 0; p < pixels; ++p) {
    const double lo = per_pixel * static_cast<double>(p), hi = lo + per_pixel;
    const auto first = std::min(static_cast<std::int64_t>(lo), cells - 1);
    made.first.push_back(first);
    std::vector<double>& share = made.share.emplace_back();
    for (std::int64_t c = first; c < cells && static_cast<double>(c) < hi; ++c) {
      const double part =
          std::min(hi, static_cast<double>(c + 1)) - std::max(lo, static_cast<double>(c));
      if (part > 1e-9 * per_pixel || share.empty())
        share.push_back(std::max(part, 0.0));
      else
        break;
    }
  }
  return made;
}

// Colours at equal steps, so that each is mixed once.
class Palette {
 public:
  explicit Palette(Rgb (*colour)(double)) {
    for (std::size_t i = 0; i < colours_.size(); ++i) {
      colours_[i] = colour(static_cast<double>(i) / static_cast<double>(colours_.size() - 1));
    }
  }
  Rgb at(double share) const {
    return colours_[static_cast<std::size_t>(share * static_cast<double>(colours_.size() - 1) +
                                             0.5)];
  }

 private:
  std::array<Rgb, 512> colours_;
};

// What a pixel covers.
struct Under {
  double all = 0, valid = 0;         // areas: of cells, of those with a value
  double value = 0, applicable = 0;  // sums by area over these
};

Under under_pixel(const RasterPreview& raster, const Cover& columns, const Cover& rows,
                  std::size_t i, std::size_t j) {
  Under sum;
  for (std::size_t r = 0; r < rows.share[j].size(); ++r) {
    const std::int64_t row = (rows.first[j] + static_cast<std::int64_t>(r)) * raster.width;
    for (std::size_t c = 0; c < columns.share[i].size(); ++c) {
      const double share = rows.share[j][r] * columns.share[i][c];
      const auto cell =
          static_cast<std::size_t>(row + columns.first[i] + static_cast<std::int64_t>(c));
      const double value = raster.cells[cell];
      sum.all += share;
      if (!plottable(value)) continue;
      sum.value += share * value;
      sum.valid += share;
      sum.applicable += share * (raster.applicable.empty() ? 1.0 : raster.applicable[cell]);
    }
  }
  return sum;
}

// Those in their order that are no nearer to one before them than `spacing` pixels, above 0.
std::vector<Pixel> thinned(std::span<const Pixel> places, std::int64_t width, std::int64_t height,
                           double spacing) {
  // Squares whose diagonal is the spacing have one place each; those too near are two squares away.
  const double side = spacing / std::numbers::sqrt2;
  const auto square_of = [&](double pixel) { return static_cast<std::int64_t>(pixel / side); };
  const std::int64_t columns = square_of(static_cast<double>(width)) + 1;
  const std::int64_t rows = square_of(static_cast<double>(height)) + 1;
  constexpr std::int32_t kNobody = -1;
  std::vector<std::int32_t> taken(static_cast<std::size_t>(columns * rows), kNobody);
  std::vector<Pixel> kept;
  const auto crowded = [&](const Pixel& p, std::int64_t column, std::int64_t row) {
    for (std::int64_t r = std::max<std::int64_t>(row - 2, 0); r <= std::min(row + 2, rows - 1);
         ++r) {
      for (std::int64_t c = std::max<std::int64_t>(column - 2, 0);
           c <= std::min(column + 2, columns - 1); ++c) {
        const std::int32_t other = taken[static_cast<std::size_t>(r * columns + c)];
        if (other == kNobody) continue;
        const Pixel& q = kept[static_cast<std::size_t>(other)];
        if (std::hypot(p.x - q.x, p.y - q.y) < spacing) return true;
      }
    }
    return false;
  };
  for (const Pixel& p : places) {
    const std::int64_t column = square_of(p.x), row = square_of(p.y);
    if (crowded(p, column, row)) continue;
    taken[static_cast<std::size_t>(row * columns + column)] =
        static_cast<std::int32_t>(kept.size());
    kept.push_back(p);
  }
  return kept;
}

}  // namespace

PixelImage::PixelImage(std::int64_t width, std::int64_t height, Rgb colour)
    : width_(width),
      height_(height),
      colours_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), packed(colour)) {
}

void PixelImage::set(std::int64_t column, std::int64_t row, Rgb colour) {
  colours_[static_cast<std::size_t>(row * width_ + column)] = packed(colour);
}

void PixelImage::blend(std::int64_t column, std::int64_t row, Rgb colour, double share) {
  if (column < 0 || row < 0 || column >= width_ || row >= height_) return;
  std::uint32_t& pixel = colours_[static_cast<std::size_t>(row * width_ + column)];
  pixel = packed(mixed(unpacked(pixel), colour, share));
}

Rgb outside_area(Rgb colour, std::int64_t column, std::int64_t row, double outside) {
  // Pale enough to recede, dark enough to be read; lines, since a pale colour alone could be taken
  // for another one. Looked at on maps of a few cells and of a million, on paper and on screens.
  constexpr double kPale = 0.42, kLine = 0.62, kWide = 1.3;
  constexpr std::int64_t kEvery = 7;  // pixels along a side
  if (!(outside > 0)) return colour;
  const auto along = static_cast<double>((column + row) % kEvery);
  const double to_line = std::min(along, kEvery - along) / std::numbers::sqrt2;
  const double line = std::clamp((kWide + 1) / 2 - to_line, 0.0, 1.0);
  return mixed(colour, kPaper, std::min(outside, 1.0) * std::lerp(kPale, 1.0, kLine * line));
}

PixelImage cell_pixels(const RasterPreview& raster, const ColourScale& scale, std::int64_t width,
                       std::int64_t height) {
  const Cover columns = cover(raster.width, width), rows = cover(raster.height, height);
  const Palette palette(raster.colour != nullptr ? raster.colour : sequential);
  PixelImage image(width, height, kNoData);
  for (std::size_t j = 0; j < rows.first.size(); ++j) {
    for (std::size_t i = 0; i < columns.first.size(); ++i) {
      const Under sum = under_pixel(raster, columns, rows, i, j);
      if (!(sum.valid > 0)) continue;
      const auto column = static_cast<std::int64_t>(i), row = static_cast<std::int64_t>(j);
      const Rgb colour = outside_area(palette.at(scale.share(sum.value / sum.valid)), column, row,
                                      1 - sum.applicable / sum.valid);
      image.set(column, row, mixed(kNoData, colour, sum.valid / sum.all));
    }
  }
  return image;
}

Stations place_stations(const RasterPreview& raster, std::int64_t width, std::int64_t height,
                        std::int64_t shown) {
  const double wide = raster.dx * static_cast<double>(raster.width);
  const double high = raster.dy * static_cast<double>(raster.height);
  const auto across = static_cast<double>(width), down = static_cast<double>(height);
  std::vector<Pixel> places;
  const auto put = [&](double east, double y) {
    if (east >= 0 && east <= wide) places.push_back({across * east / wide, y});
  };
  Stations made;
  for (const Point& p : raster.stations) {
    const double y = down * (raster.y - p.y) / high;
    if (!std::isfinite(p.x) || !(y >= 0 && y <= down)) continue;
    const std::size_t before = places.size();
    if (raster.geographic) {
      // A map of more than one turn shows a place twice.
      double east = std::fmod(p.x - raster.x, 360.0);
      if (east < 0) east += 360;
      for (; east <= wide && wide < 3600; east += 360) put(east, y);
    } else {
      put(p.x - raster.x, y);
    }
    if (places.size() > before) ++made.all;
  }
  // Large where they are few. They may hide a twelfth of what has data, rims and all.
  constexpr double kHidden = 1.0 / 12;
  constexpr std::array<double, 3> kRadii = {2.6, 2.0, 1.5};
  constexpr double kWidestSpacing = 60;
  const auto fit = [&](std::size_t count, double radius) {
    const double each = std::numbers::pi * (radius + kRim) * (radius + kRim);
    return static_cast<double>(count) * each <= kHidden * static_cast<double>(shown);
  };
  // Those that share a pixel are one dot, by which all of them are shown.
  made.dots = thinned(places, width, height, 1);
  for (const double radius : kRadii) {
    made.radius = radius;
    if (fit(made.dots.size(), radius)) return made;
  }
  made.some = true;
  for (double spacing = 5; spacing <= kWidestSpacing; spacing *= 1.25) {
    made.dots = thinned(places, width, height, spacing);
    if (fit(made.dots.size(), made.radius)) break;
  }
  return made;
}

void draw_stations(PixelImage& image, std::span<const Pixel> dots, double radius) {
  const auto disc = [&](Pixel at, double size, Rgb colour, double most) {
    const auto pixels = [&](double middle) {
      return std::pair(static_cast<std::int64_t>(std::floor(middle - size - 1)),
                       static_cast<std::int64_t>(std::ceil(middle + size + 1)));
    };
    const auto [left, right] = pixels(at.x);
    const auto [top, bottom] = pixels(at.y);
    for (std::int64_t row = top; row <= bottom; ++row) {
      for (std::int64_t column = left; column <= right; ++column) {
        const double distance = std::hypot(static_cast<double>(column) + 0.5 - at.x,
                                           static_cast<double>(row) + 0.5 - at.y);
        const double covered = std::clamp(size + 0.5 - distance, 0.0, 1.0);
        if (covered > 0) image.blend(column, row, colour, most * covered);
      }
    }
  };
  // Rims first: they hide no dot.
  for (const Pixel& at : dots) disc(at, radius + kRim, kPaper, 0.8);
  for (const Pixel& at : dots) disc(at, radius, kDot, 1);
}

}  // namespace pegnn
