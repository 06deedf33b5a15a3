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
  void visit(OGRPoint* point) override { point->setX(point->getX() + 360); }
};

// What lies on both sides of the antimeridian has parts at both ends of the map. Where they are
// nearer to each other with the western ones moved to the east, so moved; null for all others.
std::unique_ptr<OGRGeometry> put_together(const OGRGeometry& geometry) {
  const OGRwkbGeometryType type = wkbFlatten(geometry.getGeometryType());
  if (OGR_GT_IsSubClassOf(type, wkbGeometryCollection) == 0 || width(geometry) <= 180) {
    return nullptr;
  }
  std::unique_ptr<OGRGeometry> moved(geometry.clone());
  ToEast to_east;
  for (OGRGeometry* part : *moved->toGeometryCollection()) {
    OGREnvelope box;
    part->getEnvelope(&box);
    if (box.MaxX <= 0) part->accept(&to_east);
  }
  return width(*moved) < 180 ? std::move(moved) : nullptr;
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
    throw Error(
        ErrorKind::data,
        fmt::format("{} is {}, not a point; <option:centroid> takes the centroid of each", where,
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
