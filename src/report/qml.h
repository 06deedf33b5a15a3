#pragma once
// Styles for QGIS (QML files, QGIS 3.22 and later) with the colours of our own pictures. A file of
// the same name beside a layer, FILE.qml beside FILE.tif or FILE.gpkg, is taken up when the layer
// is opened.

#include <string>
#include <string_view>

namespace pegnn {

// The XML text of a style. A range that is empty or not finite becomes one around its values.

// One band in colours from `lo` to `hi`, interpolated; values beyond take the end colours, no data
// is not drawn.
std::string raster_qml(double lo, double hi, int band = 1);
// Dots in the usual colours of local Moran's I, by a column of the words HH, LL, LH, HL and ns.
std::string lisa_qml(std::string_view field = "cluster");

}  // namespace pegnn
