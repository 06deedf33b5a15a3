#pragma once
// A map made ready: the model, the grid, the rasters it takes features from.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "flow/map_place.h"
#include "flow/map_request.h"
#include "io/gdal.h"
#include "pegnn/geo.h"
#include "pegnn/model.h"
#include "predict/raster_map.h"

namespace pegnn {

class Log;

// What is asked for, as typed; empty: not given.
struct MapRequest {
  std::vector<std::string> covariates = {};  // FEATURE=RASTER, as in `parse_covariates`
  bool bilinear = false;                     // how they are sampled; else nearest
  std::string mask = {}, mask_layer = {};    // polygons outside of which cells stay empty
  MapPlace place = {};
  bool mean_only = false;     // no bands of what else the model says
  bool applicability = true;  // bands with distance and mask, where the model tells its points
  bool opacity = true;        // and one by which a style fades what lies outside the area
};

// Whether maps can be made at all: this build has GDAL.
bool can_map();

class PreparedMap {
 public:
  // Opens what the map needs; `model` is borrowed. Where nothing is said of the grid, it is that of
  // the first covariate. Error{usage} for what the model cannot be asked for, and where GDAL is not
  // there.
  PreparedMap(const Model& model, const MapRequest& request, Log& log);
  PreparedMap(const PreparedMap&) = delete;
  PreparedMap& operator=(const PreparedMap&) = delete;

  const RasterMapPlan& plan() const { return plan_; }
  const Gdal& gdal() const { return *gdal_; }
  // The training points in the map's CRS, not finite where they have no place in it; none where the
  // model does not tell them.
  std::vector<Point> stations() const;

 private:
  void open_covariates(const std::vector<Covariate>& covariates, bool bilinear, Log& log);

  std::optional<Model> attached_;  // one that links new points to the training points
  const Gdal* gdal_ = nullptr;
  std::unique_ptr<Transform> to_model_;
  std::vector<std::unique_ptr<RasterSource>> sources_;
  std::unique_ptr<RasterMask> mask_;
  RasterMapPlan plan_;  // borrows from all of these
};

}  // namespace pegnn
