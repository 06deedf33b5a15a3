#pragma once
// Styles for QGIS (QML files, QGIS 3.22 and later) with the colours of our own pictures. A file of
// the same name beside a layer, FILE.qml beside FILE.tif or FILE.gpkg, is taken up when the layer
// is opened.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/shapes.h"

namespace pegnn {

// The XML text of a style.

// One band in colours, interpolated; values beyond take the end colours, no data is not drawn.
struct RasterStyle {
  // Values and where they lie along the colours, both rising, from 0 to 1 (ColourScale::knots).
  // Those that are not finite are left out; a range that is empty becomes one around its value.
  std::vector<std::pair<double, double>> knots;
  int band = 1;
  // The band that says how opaque each cell is drawn, by 255ths; -1: all are as opaque as can be.
  int opacity_band = -1;
  Rgb (*colour)(double share) = nullptr;  // null: `sequential`
};
std::string raster_qml(const RasterStyle& style);
// Dots in the usual colours of local Moran's I, by a column of the words HH, LL, LH, HL and ns.
std::string lisa_qml(std::string_view field = "cluster");

}  // namespace pegnn
