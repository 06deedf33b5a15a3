#include "report/qml.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/core.h>

#include "base/text.h"
#include "report/axis.h"
#include "report/colour.h"

namespace pegnn {
namespace {

constexpr const char* kBegin =
    "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n"
    "<qgis version=\"3.22.0\" styleCategories=\"Symbology\">\n";
constexpr const char* kEnd = "</qgis>\n";

// Colours between two stations are mixed in sRGB by QGIS, which is not how ours are made: with so
// many stations the difference cannot be seen.
constexpr int kStations = 18;

using Knots = std::vector<std::pair<double, double>>;

Knots usable(Knots knots) {
  std::erase_if(knots, [](const auto& one) { return !plottable(one.first); });
  std::ranges::sort(knots);
  const double lo = knots.empty() ? 0 : knots.front().first;
  const double hi = knots.empty() ? 0 : knots.back().first;
  const Range range = widened({lo, hi}, 0);
  if (range.lo != lo || range.hi != hi) return {{range.lo, 0}, {range.hi, 1}};
  knots.front().second = 0;
  knots.back().second = 1;
  return knots;
}

double value_at(const Knots& knots, double share) {
  const auto after = std::ranges::lower_bound(knots, share, {}, &std::pair<double, double>::second);
  if (after == knots.end()) return knots.back().first;
  if (after == knots.begin() || after->second == share) return after->first;
  const auto& [lo, from] = *std::prev(after);
  return std::lerp(lo, after->first, (share - from) / (after->second - from));
}

// Shares at which a colour is told: those at equal steps, and where the course of values bends.
std::vector<double> told_shares(const Knots& knots) {
  std::vector<double> shares;
  for (int i = 0; i <= kStations; ++i) shares.push_back(static_cast<double>(i) / kStations);
  for (const auto& [value, share] : knots) shares.push_back(share);
  std::ranges::sort(shares);
  shares.erase(std::unique(shares.begin(), shares.end()), shares.end());
  return shares;
}

std::string rgba(Rgb colour) {
  const auto byte = [](double c) { return std::lround(255 * std::clamp(c, 0.0, 1.0)); };
  return fmt::format("{},{},{},255", byte(colour.r), byte(colour.g), byte(colour.b));
}

std::string option(std::string_view name, std::string_view value) {
  return fmt::format("<Option type=\"QString\" name=\"{}\" value=\"{}\"/>\n", name,
                     escape_html(value));
}

// The course of colours as QGIS keeps it, to make other classes of.
std::string ramp(Rgb (*colour)(double)) {
  std::vector<std::string> stops;
  for (int i = 1; i < kStations; ++i) {
    const double t = static_cast<double>(i) / kStations;
    stops.push_back(fmt::format("{};{}", format_short(t, 6), rgba(colour(t))));
  }
  return "<colorramp type=\"gradient\" name=\"[source]\">\n<Option type=\"Map\">\n" +
         option("color1", rgba(colour(0))) + option("color2", rgba(colour(1))) +
         option("discrete", "0") + option("rampType", "gradient") +
         option("stops", join(stops, ":")) + "</Option>\n</colorramp>\n";
}

// A dot of `size` millimetres with a thin light rim. Those of a higher `level` are drawn later.
std::string dot(std::size_t number, std::string_view colour, double size, int level) {
  return fmt::format(
             "<symbol type=\"marker\" name=\"{}\" alpha=\"1\" clip_to_extent=\"1\" "
             "force_rhr=\"0\">\n<layer class=\"SimpleMarker\" enabled=\"1\" locked=\"0\" "
             "pass=\"{}\">\n<Option type=\"Map\">\n",
             number, level) +
         option("name", "circle") + option("color", colour) + option("size", format_short(size)) +
         option("size_unit", "MM") + option("scale_method", "diameter") +
         option("outline_color", "255,255,255,160") + option("outline_style", "solid") +
         option("outline_width", "0.1") + option("outline_width_unit", "MM") +
         "</Option>\n</layer>\n</symbol>\n";
}

}  // namespace

std::string raster_qml(const RasterStyle& style) {
  const Knots knots = usable(style.knots);
  const Range range{knots.front().first, knots.back().first};
  Rgb (*const colour)(double) = style.colour != nullptr ? style.colour : sequential;
  std::string out = kBegin;
  out += fmt::format(
      "<pipe>\n<rasterrenderer type=\"singlebandpseudocolor\" band=\"{}\" alphaBand=\"{}\" "
      "opacity=\"1\" nodataColor=\"\" classificationMin=\"{}\" classificationMax=\"{}\">\n",
      style.band, style.opacity_band, format_number(range.lo), format_number(range.hi));
  out +=
      "<rasterTransparency/>\n<minMaxOrigin>\n<limits>None</limits>\n<extent>WholeRaster</extent>\n"
      "<statAccuracy>Estimated</statAccuracy>\n</minMaxOrigin>\n<rastershader>\n";
  out += fmt::format(
      "<colorrampshader colorRampType=\"INTERPOLATED\" classificationMode=\"1\" clip=\"0\" "
      "labelPrecision=\"4\" minimumValue=\"{}\" maximumValue=\"{}\">\n",
      format_number(range.lo), format_number(range.hi));
  out += ramp(colour);
  for (const double t : told_shares(knots)) {
    const double value = value_at(knots, t);
    out += fmt::format("<item value=\"{}\" label=\"{}\" color=\"{}\" alpha=\"255\"/>\n",
                       format_number(value), format_short(value), hex(colour(t)));
  }
  out += "</colorrampshader>\n</rastershader>\n</rasterrenderer>\n</pipe>\n";
  return out + kEnd;
}

std::string lisa_qml(std::string_view field) {
  // Red for high, blue for low; pale where the neighbours are of the other kind (the four-class
  // red-blue scheme of ColorBrewer, safe for colour-blind eyes), grey where nothing is proved.
  struct Kind {
    const char *word, *label, *colour;
    double size;
    int level;
  };
  constexpr std::array<Kind, 5> kKinds = {
      Kind{"HH", "HH: high among high", "202,0,32,255", 2.2, 1},
      Kind{"LL", "LL: low among low", "5,113,176,255", 2.2, 1},
      Kind{"LH", "LH: low among high", "146,197,222,255", 2.2, 1},
      Kind{"HL", "HL: high among low", "244,165,130,255", 2.2, 1},
      Kind{"ns", "not significant", "190,195,202,255", 1.4, 0}};
  std::string categories, symbols;
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    categories += fmt::format(
        "<category symbol=\"{}\" value=\"{}\" label=\"{}\" type=\"string\" render=\"true\"/>\n", i,
        kKinds[i].word, kKinds[i].label);
    symbols += dot(i, kKinds[i].colour, kKinds[i].size, kKinds[i].level);
  }
  return kBegin +
         fmt::format(
             "<renderer-v2 type=\"categorizedSymbol\" attr=\"{}\" symbollevels=\"1\" "
             "forceraster=\"0\" enableorderby=\"0\">\n<categories>\n",
             escape_html(field)) +
         categories + "</categories>\n<symbols>\n" + symbols + "</symbols>\n</renderer-v2>\n" +
         kEnd;
}

}  // namespace pegnn
