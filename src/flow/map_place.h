#pragma once
// Where a map lies: its cells and reference system, from what the user said and where the training
// points are.

#include <memory>
#include <string>
#include <vector>

#include "io/gdal.h"
#include "pegnn/model.h"

namespace pegnn {

class Log;

// As typed; empty: not given.
struct MapPlace {
  std::string like = {}, crs = {};
  std::vector<std::string> box = {}, cell = {}, size = {};
  bool extrapolate = false;  // far from all training points is where it is meant to be

  bool described() const { return !box.empty() || !cell.empty() || !size.empty() || !crs.empty(); }
};

// Whether the model tells where its training points lie.
bool has_points(const Model& model);
// The training points in that CRS; those without a place there are NaN.
std::vector<Point> points_in(const Gdal& gdal, const Model& model, const Crs& crs);

// Error{usage} for words that describe no grid, and for one far from all training points.
RasterGrid choose_cells(const Gdal& gdal, const Model& model, const MapPlace& place, Log& log);

// From the grid's reference system to the model's; null where they are the same.
std::unique_ptr<Transform> conversion_to_model(const Gdal& gdal, const Model& model,
                                               const Crs& grid);

}  // namespace pegnn
