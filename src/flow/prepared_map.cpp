#include "flow/prepared_map.h"

#include <fmt/core.h>

#include "pegnn/log.h"

namespace pegnn {

bool can_map() { return has_gdal(); }

PreparedMap::PreparedMap(const Model& model, const MapRequest& request, Log& log) {
  const std::vector<Covariate> covariates =
      parse_covariates(request.covariates, model.info().roles.features);
  plan_.model = &model;
  if (model.needs_all_rows()) {
    log.note(
        fmt::format("the model links new points among themselves; for a map they attach to the "
                    "training points ({} train)",
                    log.option("graph")));
    plan_.model = &attached_.emplace(model.with_graph("train"));
  }
  MapPlace place = request.place;
  if (place.like.empty() && !covariates.empty() && !place.described()) {
    place.like = first_raster(request.covariates);
    log.note(fmt::format("the cells are those of {}", place.like));
  }
  gdal_ = &pegnn::gdal("a map");
  plan_.grid = choose_cells(*gdal_, model, place, log);
  to_model_ = conversion_to_model(*gdal_, model, plan_.grid.crs);
  plan_.to_model = to_model_.get();
  open_covariates(covariates, request.bilinear, log);
  if (!request.mask.empty()) {
    mask_ = gdal_->open_mask(
        {.place = request.mask, .layer = request.mask_layer, .layer_option = "mask-layer"},
        plan_.grid);
  }
  plan_.mask = mask_.get();
  plan_.mean_only = request.mean_only;
  plan_.applicability = request.applicability && has_points(model);
  plan_.opacity = plan_.applicability && request.opacity;
}

std::vector<Point> PreparedMap::stations() const {
  return points_in(*gdal_, *plan_.model, plan_.grid.crs);
}

void PreparedMap::open_covariates(const std::vector<Covariate>& covariates, bool bilinear,
                                  Log& log) {
  for (const Covariate& one : covariates) {
    sources_.push_back(gdal_->open_raster(
        {.place = one.place, .band = one.band, .bilinear = bilinear, .points = plan_.grid.crs}));
    plan_.covariates.push_back(sources_.back().get());
    const Crs& crs = sources_.back()->grid().crs;
    if (!crs.known()) {
      log.warn(
          fmt::format("{} has no coordinate reference system; it is taken to be in that of the map",
                      one.place));
    } else if (plan_.grid.crs.known() && !gdal_->same(crs, plan_.grid.crs)) {
      log.note(fmt::format("{} is in {}; its values are looked up there", one.place, crs.name));
    }
  }
}

}  // namespace pegnn
