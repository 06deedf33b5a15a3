// Where a map may lie: its cells by what is asked for and by the training points.

#include <utility>

#include <fmt/core.h>

#include "base/array.h"
#include "base/text.h"
#include "model/state.h"
#include "pegnn/error.h"
#include "pegnn/log.h"
#include "pegnn/map.h"
#include "predict/map_grid.h"
#include "table/roles.h"

namespace pegnn {
namespace {

// How far, in lengths of the training points' extent, a map may lie from it before it is taken for
// a mistake.
constexpr double kFar = 1;

// Of training points in that CRS.
Extent data_extent(const Model& model, Span<const Point> points, const Crs& crs) {
  if (points.empty()) return {};
  const Extent extent =
      extent_of(points, crs.known() ? crs.geographic : model.state().roles.geographic);
  if (extent.west <= extent.east) return extent;
  throw Error(
      ErrorKind::usage,
      fmt::format("no training point has a place in {}; choose another <option:crs>", crs.name));
}

}  // namespace

std::span<const Point> training_points(const Model& model) { return model.state().points; }

RasterGrid choose_map_grid(const Model& model, GridRequest request, std::span<const Point> points,
                           bool extrapolate, Log& log) {
  if (!request.crs.known()) request.crs = crs_of(model.state().roles);
  request.geographic = model.state().roles.geographic;
  if (!request.box && points.empty()) {
    throw Error(ErrorKind::usage,
                "the model was made by an older pegnn and does not tell where its training points "
                "lie; give <option:bbox> or <option:like>");
  }
  RasterGrid grid = choose_grid(request, data_extent(model, points, request.crs));
  check_map_place(model, grid, points, extrapolate, log);
  return grid;
}

void check_map_place(const Model& model, const RasterGrid& grid, std::span<const Point> points,
                     bool extrapolate, Log& log) {
  if (points.empty()) return;
  const Extent data = data_extent(model, points, grid.crs);
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
    throw Error(ErrorKind::usage, where +
                                      ", far from all of them; correct <option:bbox> or "
                                      "<option:crs>, or say <option:extrapolate>");
  }
  log.warn(where);
}

}  // namespace pegnn
