#pragma once
// The point that stands for a feature's geometry.

#include <string>

#include "pegnn/geo.h"

class OGRGeometry;

namespace pegnn::gdal_module {

class FeaturePoint {
 public:
  // `geographic`: longitude and latitude, where what reaches over the antimeridian is put together
  // before its centroid is taken.
  FeaturePoint(bool centroid, bool geographic) : centroid_(centroid), geographic_(geographic) {}

  // NaN for no geometry and for an empty one. What is neither a point nor a multipoint of one is
  // its centroid where that is asked for, else an Error{data}; `where` begins its message.
  template <class Where>
  Point operator()(const OGRGeometry* geometry, const Where& where) const {
    Point point{};
    if (plain(geometry, point)) return point;
    return other(*geometry, where());
  }

 private:
  static bool plain(const OGRGeometry* geometry, Point& point);
  Point other(const OGRGeometry& geometry, const std::string& where) const;

  bool centroid_, geographic_;
};

}  // namespace pegnn::gdal_module
