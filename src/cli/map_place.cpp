#include "cli/map_place.h"

#include <fmt/core.h>

#include "base/text.h"
#include "cli/map_request.h"
#include "model/state.h"
#include "pegnn/error.h"
#include "pegnn/log.h"
#include "predict/map_grid.h"
#include "table/roles.h"

namespace pegnn {
namespace {

// How far, in lengths of the training points' extent, a map may lie from it before it is taken for
// a mistake.
constexpr double kFar = 1;

// Where the training points lie in that CRS.
Extent data_extent(const Gdal& gdal, const Model& model, const Crs& crs) {
  if (!has_points(model)) return {};
  std::vector<Point> points = model.state().points;
  const Crs own = crs_of(model.state().roles);
  if (own.known() && crs.known() && !gdal.same(own, crs)) gdal.transform(own, crs)->apply(points);
  const bool geographic = crs.known() ? crs.geographic : model.state().roles.geographic;
  const Extent extent = extent_of(points, geographic);
  if (extent.west <= extent.east) return extent;
  throw Error(ErrorKind::usage,
              fmt::format("no training point has a place in {}; choose another --crs", crs.name));
}

void check_place(const RasterGrid& grid, const Extent& data, bool extrapolate, Log& log) {
  const bool geographic = grid.crs.known() && grid.crs.geographic;
  const Extent box = extent_of(grid);
  if (overlap(box, data, geographic)) return;
  const auto text = [](const Extent& e) {
    return fmt::format("{},{},{},{}", format_short(e.west, 7), format_short(e.south, 7),
                       format_short(e.east, 7), format_short(e.north, 7));
  };
  const std::string where =
      fmt::format("the map ({}) lies outside the training points ({}, {})", text(box), text(data),
                  grid.crs.known() ? grid.crs.name : "unknown CRS");
  if (!extrapolate && !overlap(box, widened(data, kFar, geographic), geographic)) {
    throw Error(ErrorKind::usage,
                where + ", far from all of them; correct --bbox or --crs, or say --extrapolate");
  }
  log.warn(where);
}

RasterGrid like_raster(const Gdal& gdal, const std::string& place, const Crs& own, Log& log) {
  RasterGrid grid = gdal.grid_of(place);
  if (grid.crs.known() && own.known()) return grid;
  if (grid.crs.known() && grid.crs.geographic) {
    throw Error(
        ErrorKind::usage,
        fmt::format("--like {} is in {}, and the model has projected coordinates of unknown "
                    "reference system; train it with --crs",
                    place, grid.crs.name));
  }
  log.warn(
      fmt::format("{} and the model are taken to be in the same coordinates: {} does not say in "
                  "which",
                  place, grid.crs.known() ? "the model" : place));
  if (!grid.crs.known()) grid.crs = own;
  return grid;
}

}  // namespace

bool has_points(const Model& model) { return !model.state().points.empty(); }

RasterGrid choose_cells(const Gdal& gdal, const Model& model, const MapPlace& place, Log& log) {
  if (!place.like.empty() && place.described()) {
    throw Error(ErrorKind::usage, "--like takes the place of --bbox, --res, --size and --crs");
  }
  const Crs own = crs_of(model.state().roles);
  if (!own.known() && !place.crs.empty()) {
    throw Error(ErrorKind::usage,
                "--crs: the model does not know the coordinate reference system of its training "
                "points; train it with --crs");
  }
  RasterGrid grid;
  if (!place.like.empty()) {
    grid = like_raster(gdal, place.like, own, log);
  } else {
    GridRequest request{.crs = own, .geographic = model.state().roles.geographic};
    if (!place.crs.empty()) request.crs = gdal.crs(place.crs, "--crs");
    if (!place.box.empty()) request.box = parse_box(place.box);
    if (!place.cell.empty()) request.cell = parse_cell(place.cell);
    if (!place.size.empty()) request.size = parse_size(place.size);
    if (!request.box && !has_points(model)) {
      throw Error(
          ErrorKind::usage,
          "the model was made by an older pegnn and does not tell where its training points "
          "lie; give --bbox or --like");
    }
    grid = choose_grid(request, data_extent(gdal, model, request.crs));
  }
  if (has_points(model)) {
    check_place(grid, data_extent(gdal, model, grid.crs), place.extrapolate, log);
  }
  if (!grid.crs.known()) {
    log.warn(
        "the coordinate reference system is not known: the map will not say where it lies. Train "
        "with --crs");
  }
  return grid;
}

std::unique_ptr<Transform> conversion_to_model(const Gdal& gdal, const Model& model,
                                               const Crs& grid) {
  const Crs own = crs_of(model.state().roles);
  if (!own.known() || !grid.known() || gdal.same(own, grid)) return nullptr;
  return gdal.transform(grid, own);
}

}  // namespace pegnn
