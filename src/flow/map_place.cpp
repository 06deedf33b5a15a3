#include "flow/map_place.h"

#include <fmt/core.h>

#include "flow/map_request.h"
#include "model/state.h"
#include "pegnn/error.h"
#include "pegnn/log.h"
#include "pegnn/map.h"
#include "table/roles.h"

namespace pegnn {
namespace {

RasterGrid like_raster(const Gdal& gdal, const std::string& place, const Crs& own, Log& log) {
  RasterGrid grid = gdal.grid_of(place);
  if (grid.crs.known() && own.known()) return grid;
  if (grid.crs.known() && grid.crs.geographic) {
    throw Error(ErrorKind::usage,
                fmt::format("<option:like> {} is in {}, and the model has projected coordinates of "
                            "unknown reference system; train it with <option:crs>",
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

std::vector<Point> points_in(const Gdal& gdal, const Model& model, const Crs& crs) {
  const auto given = training_points(model);
  std::vector<Point> points(given.begin(), given.end());
  const Crs own = crs_of(model.state().roles);
  if (own.known() && crs.known() && !gdal.same(own, crs)) gdal.transform(own, crs)->apply(points);
  return points;
}

bool has_points(const Model& model) { return !training_points(model).empty(); }

RasterGrid choose_cells(const Gdal& gdal, const Model& model, const MapPlace& place, Log& log) {
  if (!place.like.empty() && place.described()) {
    throw Error(ErrorKind::usage,
                "<option:like> takes the place of <option:bbox>, <option:res>, <option:size> and "
                "<option:crs>");
  }
  const Crs own = crs_of(model.state().roles);
  if (!own.known() && !place.crs.empty()) {
    throw Error(ErrorKind::usage,
                "<option:crs>: the model does not know the coordinate reference system of its "
                "training points; train it with <option:crs>");
  }
  RasterGrid grid;
  if (!place.like.empty()) {
    grid = like_raster(gdal, place.like, own, log);
    check_map_place(model, grid, points_in(gdal, model, grid.crs), place.extrapolate, log);
  } else {
    GridRequest request{.crs = own};
    if (!place.crs.empty()) request.crs = gdal.crs(place.crs, "crs");
    if (!place.box.empty()) request.box = parse_box(place.box);
    if (!place.cell.empty()) request.cell = parse_cell(place.cell);
    if (!place.size.empty()) request.size = parse_size(place.size);
    grid = choose_map_grid(model, request, points_in(gdal, model, request.crs), place.extrapolate,
                           log);
  }
  if (!grid.crs.known()) {
    log.warn(
        "the coordinate reference system is not known: the map will not say where it lies. Train "
        "with " +
        log.option("crs"));
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
