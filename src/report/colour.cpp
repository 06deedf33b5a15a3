#include "report/colour.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include <fmt/core.h>

namespace pegnn {

namespace {

// Oklab (Ottosson 2020): equal steps look equal, so colours are mixed in it.
struct Lab {
  double l, a, b;
};

double to_linear(double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }

double to_srgb(double c) {
  const double v = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
  return std::clamp(v, 0.0, 1.0);
}

Lab to_lab(Rgb colour) {
  const double r = to_linear(colour.r), g = to_linear(colour.g), b = to_linear(colour.b);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

Rgb to_rgb(Lab lab) {
  const auto cube = [](double v) { return v * v * v; };
  const double l = cube(lab.l + 0.3963377774 * lab.a + 0.2158037573 * lab.b);
  const double m = cube(lab.l - 0.1055613458 * lab.a - 0.0638541728 * lab.b);
  const double s = cube(lab.l - 0.0894841775 * lab.a - 1.2914855480 * lab.b);
  return {to_srgb(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          to_srgb(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          to_srgb(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

Rgb from_code(unsigned code) {
  const auto part = [&](unsigned shift) {
    return static_cast<double>((code >> shift) & 255U) / 255;
  };
  return {part(16), part(8), part(0)};
}

double unit(double t) { return t > 0 ? std::min(t, 1.0) : 0.0; }

}  // namespace

std::string hex(Rgb colour) {
  const auto byte = [](double c) { return static_cast<int>(std::lround(255 * unit(c))); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(colour.r), byte(colour.g), byte(colour.b));
}

double luminance(Rgb colour) {
  return 0.2126 * to_linear(colour.r) + 0.7152 * to_linear(colour.g) + 0.0722 * to_linear(colour.b);
}

Rgb sequential(double t) {
  // Ten equidistant stations of viridis (Smith and van der Walt, CC0), joined in Oklab.
  static constexpr std::array<unsigned, 10> kKnots = {0x440154, 0x482878, 0x3e4989, 0x31688e,
                                                      0x26828e, 0x1f9e89, 0x35b779, 0x6ece58,
                                                      0xb5de2b, 0xfde725};
  const double position = unit(t) * static_cast<double>(kKnots.size() - 1);
  const auto left = std::min(static_cast<std::size_t>(position), kKnots.size() - 2);
  const double share = position - static_cast<double>(left);
  const Lab a = to_lab(from_code(kKnots[left])), b = to_lab(from_code(kKnots[left + 1]));
  return to_rgb(
      {std::lerp(a.l, b.l, share), std::lerp(a.a, b.a, share), std::lerp(a.b, b.b, share)});
}

Rgb diverging(double t, Ground ground) {
  // Lightness depends on the distance from the middle alone, so both arms weigh the same; hues of
  // 250 and 30 degrees stay apart for every common kind of colour blindness. Chroma follows what
  // sRGB can show at that lightness.
  const double signed_distance = 2 * unit(t) - 1;
  const double d = std::fabs(signed_distance);
  const double hue = signed_distance < 0 ? 4.36 : 0.52;
  const bool light = ground == Ground::light;
  const double lightness =
      light ? std::lerp(0.97, 0.44, std::pow(d, 1.15)) : std::lerp(0.42, 0.80, d);
  const double chroma = light ? 0.155 * std::sin(std::min(1.35 * d, 1.57))
                              : 0.125 * std::sin(std::min(1.6 * d, 1.57));
  return to_rgb({lightness, chroma * std::cos(hue), chroma * std::sin(hue)});
}

Rgb uncertainty(double t) {
  // Lightness falls evenly; hues go from 97 degrees, yellow, to -9, plum, at a chroma that sRGB can
  // show all the way and that keeps the pale end apart from the grey for no data.
  const double u = unit(t);
  const double lightness = std::lerp(0.95, 0.28, u), hue = std::lerp(1.7, -0.15, std::pow(u, 0.75));
  const double chroma = 0.06 + 0.1 * std::sin(std::min(2.2 * u, 1.57)) - 0.06 * u * u;
  return to_rgb({lightness, chroma * std::cos(hue), chroma * std::sin(hue)});
}

int colour_level(double value, Range range) {
  const double share = range.span() > 0 ? (value - range.lo) / range.span() : 0.5;
  return std::min(static_cast<int>(unit(share) * kColourLevels), kColourLevels - 1);
}

std::string level_class(ColourMap map, int level) {
  return fmt::format("{}{}", map == ColourMap::sequential ? 's' : 'd', level);
}

std::string palette_css(Ground ground) {
  // The darkest violet drowns on a dark page and the brightest yellow on a light one; a slice of
  // the map keeps its order and its look.
  const Range slice = ground == Ground::light ? Range{0.0, 0.96} : Range{0.2, 1.0};
  std::string css;
  for (int level = 0; level < kColourLevels; ++level) {
    const double t = static_cast<double>(level) / (kColourLevels - 1);
    css += fmt::format(".s{}{{color:{}}}.d{}{{color:{}}}", level,
                       hex(sequential(std::lerp(slice.lo, slice.hi, t))), level,
                       hex(diverging(t, ground)));
  }
  return css;
}

}  // namespace pegnn
