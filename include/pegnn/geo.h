#pragma once
// Places and the spaces they lie in.

#include <cstdint>
#include <string>
#include <string_view>

namespace pegnn {

struct Metres {
  double value;
};

// A place as the table gives it. In `Space::sphere` and `Space::degrees` x is the longitude and y
// the latitude, both in degrees; in `Space::plane` they are projected coordinates in one unit.
struct Point {
  double x;
  double y;
  friend bool operator==(const Point&, const Point&) = default;
};

// How distance between two points is taken.
enum class Space {
  sphere,   // great circle in metres; longitude and latitude in degrees
  plane,    // Euclidean, in the unit of the coordinates
  degrees,  // Euclidean on raw degrees: wrong on a globe, kept to repeat the published code
};

std::string_view name_of(Space space);  // "great-circle", "planar", "degrees"

// The coordinate reference system of points. Carried as text: it is read, compared and converted by
// PROJ, through the GDAL module (src/io/gdal.h).
struct Crs {
  std::string wkt = {};        // WKT 2 (ISO 19162); empty: not known
  std::string name = {};       // for people: "EPSG:28992 (Amersfoort / RD New)"
  bool geographic = true;      // longitude and latitude in degrees, else x and y in one unit
  double metres_per_unit = 1;  // of projected coordinates

  bool known() const { return !wkt.empty(); }
  friend bool operator==(const Crs&, const Crs&) = default;
};

// Longitude and latitude on the WGS 84 ellipsoid (EPSG:4326, longitude first).
Crs lonlat_crs();

// Mean Earth radius (IUGG), the R of every great-circle distance here.
inline constexpr double kEarthRadiusMetres = 6371008.8;

// Distance between two points given as longitude and latitude in degrees, along the sphere of mean
// Earth radius (within about 0.6 % of the ellipsoid). Exact zero for the same place however it is
// written (180 and -180, any longitude at a pole); accurate for antipodes too.
Metres great_circle(Point a, Point b);

}  // namespace pegnn
