#pragma once
// A model asked for every cell of a grid, tile by tile.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/array.h"
#include "io/gdal.h"
#include "pegnn/model.h"
#include "pegnn/run.h"

namespace pegnn {

// What is asked for, and by which means. Borrowed, all of it.
struct RasterMapPlan {
  const Model* model = nullptr;
  RasterGrid grid;
  // One for each feature of the model, in its order.
  std::vector<RasterSource*> covariates = {};
  RasterMask* mask = nullptr;     // null: every cell
  Transform* to_model = nullptr;  // from the grid's CRS to the model's; null: they are the same
  bool mean_only = false;         // no bands of what else the model says of a cell
  bool applicability = false;     // bands with the distance and the mask; the model has its points
  bool opacity = false;           // and one by which a style fades what lies outside the area
  std::int64_t preview_side = 1100;  // the longer side of the preview, at most
};

// What the band `opacity` says of cells in the area of applicability and outside: QGIS takes a band
// for how opaque another is drawn, by 255ths.
inline constexpr double kOpaque = 255, kFaded = 77;

// What the bands of such a map are called, in their order: pred, pred_sd, distance, aoa, opacity.
std::vector<std::string> band_names(const RasterMapPlan& plan);

// Bands made smaller: means of the cells with a value, NaN where there is none.
struct MapPreview {
  std::int64_t width = 0, height = 0;
  std::int64_t step = 1;     // cells to a side of each; the last of a row or column may have fewer
  std::vector<float> cells;  // the first band
  std::vector<float> deviation;   // empty where the map has no such band
  std::vector<float> applicable;  // the share in the area of applicability; empty likewise
};

struct MapFigures {
  std::int64_t cells = 0;       // of the grid
  std::int64_t predicted = 0;   // of them, those with a value
  std::int64_t applicable = 0;  // of those, those in the area of applicability
  double reach = 0;             // Applicability::reach()
  double lo = 0, hi = 0;        // of the predictions; NaN when there are none
  MapPreview preview;
};

// Told before the work on a map of many cells begins: how many of its cells a second will be done,
// by a trial in windows all over it.
using MapRate = std::function<void(double cells_per_second)>;
// A map of fewer cells is done before it is worth asking.
inline constexpr std::int64_t kCellsForARate = 1'000'000;

// Memory does not grow with the grid, but for the preview. `progress` is told how many cells are
// done; like `rate` it may be empty. Error{data} when no cell has a value: nothing to be committed.
MapFigures draw_map(const RasterMapPlan& plan, RasterSink& sink, const RunSettings& run,
                    const std::function<void(std::int64_t)>& progress, const MapRate& rate = {});

}  // namespace pegnn
