#include "gdal/feature_point.h"

#include <ogr_geometry.h>

#include <limits>
#include <memory>

#include <fmt/core.h>

#include "gdal/errors.h"
#include "pegnn/error.h"

namespace pegnn::gdal_module {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

Point place_of(const OGRPoint& point) { return {point.getX(), point.getY()}; }

double width(const OGRGeometry& geometry) {
  OGREnvelope box;
  geometry.getEnvelope(&box);
  return box.MaxX - box.MinX;
}

class ToEast final : public OGRDefaultGeometryVisitor {
 public:
  using OGRDefaultGeometryVisitor::visit;
  void visit(OGRPoint* point) override {
    if (point->getX() < 0) point->setX(point->getX() + 360);
  }
};

// A country on both sides of the antimeridian is narrower when its longitudes run from 0 to 360;
// null for all others.
std::unique_ptr<OGRGeometry> put_together(const OGRGeometry& geometry) {
  const double before = width(geometry);
  if (before <= 180) return nullptr;
  std::unique_ptr<OGRGeometry> moved(geometry.clone());
  ToEast to_east;
  moved->accept(&to_east);
  return width(*moved) < before ? std::move(moved) : nullptr;
}

}  // namespace

bool FeaturePoint::plain(const OGRGeometry* geometry, Point& point) {
  point = {kNone, kNone};
  if (geometry == nullptr || geometry->IsEmpty()) return true;
  const OGRwkbGeometryType type = wkbFlatten(geometry->getGeometryType());
  if (type == wkbPoint) {
    point = place_of(*geometry->toPoint());
    return true;
  }
  if (type != wkbMultiPoint || geometry->toMultiPoint()->getNumGeometries() != 1) return false;
  point = place_of(*geometry->toMultiPoint()->getGeometryRef(0));
  return true;
}

Point FeaturePoint::other(const OGRGeometry& geometry, const std::string& where) const {
  if (!centroid_) {
    const bool points = wkbFlatten(geometry.getGeometryType()) == wkbMultiPoint;
    throw Error(ErrorKind::data,
                fmt::format("{} is {}, not a point; --centroid takes the centroid of each", where,
                            points ? "a multipoint of several points"
                                   : fmt::format("a {}", geometry.getGeometryName())));
  }
  forget_errors();
  const std::unique_ptr<OGRGeometry> moved = geographic_ ? put_together(geometry) : nullptr;
  OGRPoint centre;
  if ((moved ? *moved : geometry).Centroid(&centre) != OGRERR_NONE) {
    throw Error(ErrorKind::data, fmt::format("{} has no centroid: {}", where, reason()));
  }
  if (centre.IsEmpty()) return {kNone, kNone};
  if (moved && centre.getX() > 180) centre.setX(centre.getX() - 360);
  return place_of(centre);
}

}  // namespace pegnn::gdal_module
