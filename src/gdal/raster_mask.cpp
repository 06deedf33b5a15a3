// Polygons burnt into parts of a grid.

#include <gdal_alg.h>
#include <gdal_priv.h>
#include <ogrsf_frmts.h>

#include <cmath>

#include <fmt/core.h>

#include "gdal/crs.h"
#include "gdal/errors.h"
#include "gdal/parts.h"
#include "gdal/raster_files.h"
#include "gdal/unwrap.h"
#include "gdal/vector_source.h"
#include "pegnn/error.h"

namespace pegnn::gdal_module {
namespace {

struct Area {
  std::unique_ptr<OGRGeometry> polygon;
  OGREnvelope box;
};

class Mask final : public RasterMask {
 public:
  Mask(const LayerQuery& query, const RasterGrid& grid) : grid_(grid) {
    VectorSource source(query);
    Crs crs = crs_of(source.layer().GetSpatialRef(), query.place);
    // TopoJSON has no way to say it, and is in longitude and latitude by custom.
    short_way_ = std::string(source.dataset().GetDriverName()) == "TopoJSON";
    if (!crs.known() && short_way_) crs = lonlat_crs();
    prepare_conversion(crs);
    while (const OGRFeatureUniquePtr feature = source.next()) {
      const OGRGeometry* shape = feature->GetGeometryRef();
      if (shape == nullptr || shape->IsEmpty()) continue;
      if (shape->getDimension() != 2) {
        throw Error(
            ErrorKind::data,
            fmt::format("<option:mask> '{}' holds a {} among its features; it must hold polygons",
                        query.place, shape->getGeometryName()));
      }
      take_parts(*std::unique_ptr<OGRGeometry>(shape->getLinearGeometry()));
    }
    if (areas_.empty()) {
      throw Error(
          ErrorKind::data,
          fmt::format("<option:mask> '{}' holds no polygon that lies in the grid{}", query.place,
                      crs.known() ? "" : "; it does not say in which CRS it is"));
    }
  }

  void read(const RasterWindow& w, std::span<std::uint8_t> inside) override {
    std::fill(inside.begin(), inside.end(), std::uint8_t{0});
    double transform[6] = {grid_.x + static_cast<double>(w.column) * grid_.dx, grid_.dx, 0,
                           grid_.y - static_cast<double>(w.row) * grid_.dy,    0,        -grid_.dy};
    OGREnvelope box;
    box.MinX = transform[0];
    box.MaxX = transform[0] + static_cast<double>(w.width) * grid_.dx;
    box.MaxY = transform[3];
    box.MinY = transform[3] - static_cast<double>(w.height) * grid_.dy;
    std::vector<OGRGeometryH> touching;
    for (const Area& area : areas_) {
      if (area.box.Intersects(box)) touching.push_back(OGRGeometry::ToHandle(area.polygon.get()));
    }
    if (touching.empty()) return;
    const RasterFile tile(GetGDALDriverManager()->GetDriverByName("MEM")->Create(
        "", static_cast<int>(w.width), static_cast<int>(w.height), 0, GDT_Byte, nullptr));
    const std::string pointer =
        fmt::format("DATAPOINTER={}", reinterpret_cast<std::uintptr_t>(inside.data()));
    const char* const at[] = {pointer.c_str(), nullptr};
    tile->AddBand(GDT_Byte, const_cast<char**>(at));
    tile->SetGeoTransform(transform);
    int band = 1;
    const std::vector<double> burn(touching.size(), 1.0);
    forget_errors();
    if (GDALRasterizeGeometries(tile.get(), 1, &band, static_cast<int>(touching.size()),
                                touching.data(), nullptr, nullptr, burn.data(), nullptr, nullptr,
                                nullptr) != CE_None) {
      throw Error(ErrorKind::failure, "the mask cannot be burnt into the grid: " + reason());
    }
  }

 private:
  // Polygons in another CRS are first cut to what the grid covers there: what lies far outside may
  // have no place in the grid's CRS.
  void prepare_conversion(const Crs& crs) {
    const Crs& own = crs.known() ? crs : grid_.crs;
    round_ = own.known() && own.geographic;
    if (!crs.known() || !grid_.crs.known() || same_crs(crs, grid_.crs)) return;
    conversion_ = make_conversion(crs, grid_.crs);
    constexpr std::int64_t kSteps = 32;
    std::vector<Point> points;
    for (std::int64_t i = 0; i <= kSteps; ++i) {
      for (std::int64_t j = 0; j <= kSteps; ++j) {
        const OGREnvelope box = grid_box();
        const double u = static_cast<double>(i) / kSteps, v = static_cast<double>(j) / kSteps;
        points.push_back(
            {box.MinX + u * (box.MaxX - box.MinX), box.MinY + v * (box.MaxY - box.MinY)});
      }
    }
    make_transform(grid_.crs, crs)->apply(points);
    OGREnvelope seen;
    for (const Point& p : points) {
      if (!std::isnan(p.x)) seen.Merge(p.x, p.y);
    }
    // Between the sampled places the edge may bulge; around a pole it goes all the way.
    const double margin = 0.05 * std::max(seen.MaxX - seen.MinX, seen.MaxY - seen.MinY);
    cut_.MinX = seen.MinX - margin;
    cut_.MaxX = seen.MaxX + margin;
    cut_.MinY = seen.MinY - margin;
    cut_.MaxY = seen.MaxY + margin;
    longest_edge_ = std::max(cut_.MaxX - cut_.MinX, cut_.MaxY - cut_.MinY) / 500;
  }

  // One polygon at a time; on the globe also a turn further east and west, where a grid may go on.
  void take_parts(const OGRGeometry& shape) {
    if (const auto* many = dynamic_cast<const OGRGeometryCollection*>(&shape)) {
      for (const OGRGeometry* part : *many) take_parts(*part);
      return;
    }
    std::unique_ptr<OGRGeometry> whole(shape.clone());
    if (round_) {
      unwrap_longitudes(*whole, short_way_);
      // A ring that begins beyond the antimeridian has been put together a turn away.
      OGREnvelope box;
      whole->getEnvelope(&box);
      const double turns = std::round((box.MinX + box.MaxX) / 2 / 360);
      if (turns != 0) shift_longitudes(*whole, -360 * turns);
    }
    for (const double turn : {0.0, 360.0, -360.0}) {
      if (turn != 0 && !round_) break;
      std::unique_ptr<OGRGeometry> part(whole->clone());
      if (turn != 0) shift_longitudes(*part, turn);
      if (conversion_ != nullptr && !convert(part)) continue;
      Area area{std::move(part), {}};
      area.polygon->getEnvelope(&area.box);
      if (area.box.Intersects(grid_box())) areas_.push_back(std::move(area));
    }
  }

  // False when nothing of it has a place in the grid's CRS.
  bool convert(std::unique_ptr<OGRGeometry>& part) const {
    OGREnvelope box;
    part->getEnvelope(&box);
    if (!box.Intersects(cut_)) return false;
    if (!cut_.Contains(box)) {
      OGRLinearRing ring;
      for (const auto& [x, y] : {std::pair(cut_.MinX, cut_.MinY), std::pair(cut_.MaxX, cut_.MinY),
                                 std::pair(cut_.MaxX, cut_.MaxY), std::pair(cut_.MinX, cut_.MaxY),
                                 std::pair(cut_.MinX, cut_.MinY)}) {
        ring.addPoint(x, y);
      }
      OGRPolygon frame;
      frame.addRing(&ring);
      std::unique_ptr<OGRGeometry> inside(part->Intersection(&frame));
      if (inside != nullptr && inside->getDimension() == 2) part = std::move(inside);
    }
    // An edge that is straight here is none there.
    part->segmentize(longest_edge_);
    const bool converted = part->transform(conversion_.get()) == OGRERR_NONE && !part->IsEmpty();
    forget_errors();
    return converted;
  }

  OGREnvelope grid_box() const {
    OGREnvelope box;
    box.MinX = grid_.x;
    box.MaxX = grid_.x + static_cast<double>(grid_.width) * grid_.dx;
    box.MaxY = grid_.y;
    box.MinY = grid_.y - static_cast<double>(grid_.height) * grid_.dy;
    return box;
  }

  RasterGrid grid_;
  Conversion conversion_;
  bool short_way_ = false;   // long edges go around the other side of the globe
  bool round_ = false;       // the polygons are in longitude and latitude
  OGREnvelope cut_;          // what the grid covers, in the CRS of the polygons
  double longest_edge_ = 0;  // there
  std::vector<Area> areas_;
};

}  // namespace

std::unique_ptr<RasterMask> open_mask(const LayerQuery& polygons, const RasterGrid& grid) {
  return std::make_unique<Mask>(polygons, grid);
}

}  // namespace pegnn::gdal_module
