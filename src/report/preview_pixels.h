#pragma once
// The pixels of a map in a picture: cells, what is said of them by paling and hatching, dots.

#include <cstdint>
#include <span>
#include <vector>

#include "base/shapes.h"

namespace pegnn {

struct RasterPreview;
class ColourScale;

inline constexpr Rgb kNoData{0.92, 0.93, 0.94};

// So many pixels of 0xRRGGBB, row by row.
class PixelImage {
 public:
  PixelImage(std::int64_t width, std::int64_t height, Rgb colour);

  std::int64_t width() const { return width_; }
  std::int64_t height() const { return height_; }
  const std::vector<std::uint32_t>& colours() const { return colours_; }

  void set(std::int64_t column, std::int64_t row, Rgb colour);
  // `share` of the colour, the rest stays what it is. Beyond the image nothing happens.
  void blend(std::int64_t column, std::int64_t row, Rgb colour, double share);

 private:
  std::int64_t width_, height_;
  std::vector<std::uint32_t> colours_;
};

// The colour of the pixel in that column and row of the page, as it is drawn where `outside` of it,
// 0 to 1, lies outside the area of applicability: paler, and hatched.
Rgb outside_area(Rgb colour, std::int64_t column, std::int64_t row, double outside);

// A pixel shows the mean of the cells it covers, by area.
PixelImage cell_pixels(const RasterPreview& raster, const ColourScale& scale, std::int64_t width,
                       std::int64_t height);

// Dots on a map.
struct Stations {
  std::vector<Pixel> dots;  // those that are drawn
  double radius = 0;
  std::int64_t all = 0;  // on the map
  bool some = false;     // not all of them are drawn
};
// Of the stations on a map of so many pixels, of which `shown` have data: all of them, or, where
// they would hide it, some, no two of them near each other.
Stations place_stations(const RasterPreview& raster, std::int64_t width, std::int64_t height,
                        std::int64_t shown);
void draw_stations(PixelImage& image, std::span<const Pixel> dots, double radius);

}  // namespace pegnn
