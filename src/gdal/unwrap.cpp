#include "gdal/unwrap.h"

#include <ogr_geometry.h>

#include <cmath>

namespace pegnn::gdal_module {
namespace {

constexpr double kTurn = 360;

bool on_antimeridian(double x) { return std::abs(std::abs(x) - kTurn / 2) < 1e-6; }

void unwrap_ring(OGRLinearRing& ring, bool short_way) {
  const int count = ring.getNumPoints();
  OGRLinearRing whole;
  double turn = 0, latitudes = 0;
  bool moved = false;
  for (int i = 0; i < count; ++i) {
    const double x = ring.getX(i), y = ring.getY(i), before = ring.getX(i > 0 ? i - 1 : 0);
    if (short_way || (on_antimeridian(x) && on_antimeridian(before))) {
      if (x - before > kTurn / 2) turn -= kTurn;
      if (x - before < -kTurn / 2) turn += kTurn;
    }
    moved = moved || turn != 0;
    latitudes += y;
    whole.addPoint(x + turn, y);
  }
  if (!moved) return;
  if (turn != 0) {
    const double pole = latitudes > 0 ? 90 : -90;
    whole.addPoint(whole.getX(count - 1), pole);
    whole.addPoint(whole.getX(0), pole);
    whole.addPoint(whole.getX(0), whole.getY(0));
  }
  if (whole.get_Area() > 1e-9) ring = whole;
}

class Shift final : public OGRDefaultGeometryVisitor {
 public:
  explicit Shift(double by) : by_(by) {}
  using OGRDefaultGeometryVisitor::visit;
  void visit(OGRPoint* point) override { point->setX(point->getX() + by_); }

 private:
  double by_;
};

class Unwrap final : public OGRDefaultGeometryVisitor {
 public:
  explicit Unwrap(bool short_way) : short_way_(short_way) {}
  using OGRDefaultGeometryVisitor::visit;
  // A hole goes where its polygon went.
  void visit(OGRPolygon* polygon) override {
    OGRLinearRing* outer = polygon->getExteriorRing();
    if (outer == nullptr) return;
    unwrap_ring(*outer, short_way_);
    OGREnvelope around;
    outer->getEnvelope(&around);
    for (int i = 0; i < polygon->getNumInteriorRings(); ++i) {
      OGRLinearRing& hole = *polygon->getInteriorRing(i);
      unwrap_ring(hole, short_way_);
      OGREnvelope box;
      hole.getEnvelope(&box);
      const double middle = (box.MinX + box.MaxX) / 2;
      const double turn = middle > around.MaxX ? -kTurn : middle < around.MinX ? kTurn : 0;
      if (turn == 0) continue;
      Shift move(turn);
      hole.accept(&move);
    }
  }

 private:
  bool short_way_;
};

}  // namespace

void unwrap_longitudes(OGRGeometry& shape, bool short_way) {
  Unwrap visitor(short_way);
  shape.accept(&visitor);
}

void shift_longitudes(OGRGeometry& shape, double by) {
  Shift visitor(by);
  shape.accept(&visitor);
}

}  // namespace pegnn::gdal_module
