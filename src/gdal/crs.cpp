// Coordinate reference systems and conversions between them, by PROJ.

#include "gdal/crs.h"

#include <cmath>
#include <limits>
#include <vector>

#include <fmt/core.h>

#include "base/text.h"
#include "gdal/errors.h"
#include "gdal/parts.h"
#include "pegnn/error.h"

namespace pegnn::gdal_module {
namespace {

std::string wkt_of(const OGRSpatialReference& reference) {
  const char* const options[] = {"FORMAT=WKT2_2018", "MULTILINE=NO", nullptr};
  char* text = nullptr;
  std::string wkt;
  if (reference.exportToWkt(&text, options) == OGRERR_NONE && text != nullptr) wkt = text;
  CPLFree(text);
  return wkt;
}

// "EPSG:28992 (Amersfoort / RD New)", or as much of it as there is.
std::string name_of(const OGRSpatialReference& reference) {
  const char* name = reference.GetName();
  const char* authority = reference.GetAuthorityName(nullptr);
  const char* code = reference.GetAuthorityCode(nullptr);
  const std::string called = name == nullptr || *name == 0 ? "unnamed CRS" : name;
  if (authority == nullptr || code == nullptr) return called;
  return fmt::format("{}:{} ({})", authority, code, called);
}

// Degrees east of Greenwich: what the rest of the program takes longitudes to be.
bool in_usual_degrees(const OGRSpatialReference& reference) {
  constexpr double kDegree = 0.017453292519943295;
  return std::abs(reference.GetAngularUnits() - kDegree) < 1e-12 &&
         reference.GetPrimeMeridian() == 0;
}

class PointTransform final : public Transform {
 public:
  PointTransform(const Crs& from, const Crs& to) : conversion_(make_conversion(from, to)) {}

  void apply(std::span<Point> points) override {
    constexpr std::size_t kChunk = 16384;
    for (std::size_t first = 0; first < points.size(); first += kChunk) {
      apply_some(points.subspan(first, std::min(kChunk, points.size() - first)));
    }
    forget_errors();  // a point without a place is no failure
  }

 private:
  void apply_some(std::span<Point> points) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const std::size_t count = points.size();
    x_.resize(count);
    y_.resize(count);
    done_.assign(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
      x_[i] = points[i].x;
      y_[i] = points[i].y;
    }
    conversion_->Transform(static_cast<int>(count), x_.data(), y_.data(), nullptr, done_.data());
    for (std::size_t i = 0; i < count; ++i) {
      const bool good = done_[i] != 0 && std::isfinite(x_[i]) && std::isfinite(y_[i]);
      points[i] = good ? Point{x_[i], y_[i]} : Point{kNone, kNone};
    }
  }

  Conversion conversion_;
  std::vector<double> x_, y_;
  std::vector<int> done_;
};

}  // namespace

OGRSpatialReference reference_of(const Crs& crs) {
  OGRSpatialReference reference;
  reference.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  forget_errors();
  if (reference.importFromWkt(crs.wkt.c_str()) != OGRERR_NONE) {
    throw Error(
        ErrorKind::data,
        fmt::format("the coordinate reference system {} cannot be read: {}", crs.name, reason()));
  }
  return reference;
}

Conversion make_conversion(const Crs& from, const Crs& to) {
  const OGRSpatialReference first = reference_of(from), second = reference_of(to);
  forget_errors();
  Conversion conversion(OGRCreateCoordinateTransformation(&first, &second));
  if (conversion != nullptr) return conversion;
  throw Error(ErrorKind::usage,
              fmt::format("no way from {} to {}: {}", from.name, to.name, reason()));
}

Crs crs_of(const OGRSpatialReference* reference, const std::string& source) {
  if (reference == nullptr || reference->IsEmpty() || reference->IsLocal()) return {};
  // A GeoPackage says so of layers without a CRS.
  const char* name = reference->GetName();
  if (name != nullptr && std::string_view(name) == "Undefined geographic SRS") return {};
  Crs crs{.wkt = wkt_of(*reference), .name = name_of(*reference)};
  const bool usable = reference->IsGeographic() || reference->IsProjected();
  if (!usable || crs.wkt.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: {} is neither geographic nor projected; only such coordinate "
                            "reference systems can be used",
                            source, crs.name));
  }
  crs.geographic = reference->IsGeographic() != 0;
  if (!crs.geographic) crs.metres_per_unit = reference->GetLinearUnits();
  if (crs.geographic && !in_usual_degrees(*reference)) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: {} counts longitude in other units or from another meridian than "
                            "degrees east of Greenwich; convert the file to EPSG:4326 first",
                            source, crs.name));
  }
  return crs;
}

Crs read_crs(const std::string& text, std::string_view said_by) {
  const std::string by = option(said_by);
  forget_errors();
  OGRSpatialReference reference;
  reference.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  // No address is looked up in the network.
  constexpr const char* kLimits[] = {"ALLOW_NETWORK_ACCESS=NO", nullptr};
  const OGRErr error = reference.SetFromUserInput(text.c_str(), kLimits);
  if (error != OGRERR_NONE || reference.IsEmpty()) {
    throw Error(ErrorKind::usage,
                fmt::format("{} '{}' is not a coordinate reference system{}; give a code such as "
                            "EPSG:4326, WKT or a PROJ string",
                            by, text, failed() ? fmt::format(" ({})", reason()) : ""));
  }
  return crs_of(&reference, by);
}

bool same_crs(const Crs& a, const Crs& b) {
  if (a.wkt == b.wkt) return true;
  if (!a.known() || !b.known()) return false;
  const OGRSpatialReference first = reference_of(a), second = reference_of(b);
  const char* const options[] = {"IGNORE_DATA_AXIS_TO_SRS_AXIS_MAPPING=YES",
                                 "CRITERION=EQUIVALENT_EXCEPT_AXIS_ORDER_GEOGCRS", nullptr};
  return first.IsSame(&second, options) != 0;
}

std::unique_ptr<Transform> make_transform(const Crs& from, const Crs& to) {
  return std::make_unique<PointTransform>(from, to);
}

}  // namespace pegnn::gdal_module
