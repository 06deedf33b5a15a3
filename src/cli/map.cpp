// pegnn map: a raster of predictions.

#include <chrono>
#include <memory>

#include <fmt/core.h>

#include "base/text.h"
#include "cli/map_progress.h"
#include "cli/output.h"
#include "cli/session.h"
#include "flow/input.h"
#include "flow/map_files.h"
#include "flow/map_place.h"
#include "flow/map_request.h"
#include "pegnn/error.h"
#include "pegnn/model.h"

namespace pegnn {
namespace {

class MapCommand final : public Command {
 public:
  std::string_view summary() const override {
    return "Predict on a raster: a GeoTIFF with a QGIS style and a picture.";
  }
  std::string_view examples() const override {
    return "  pegnn map model -o temperature.tif\n"
           "  pegnn map model -o zinc.tif --res 40 --mask area.gpkg\n"
           "  pegnn map model -o pacific.tif --bbox 120,-40,-70,40 --res 0.25\n"
           "  pegnn map model -o price.tif --covariates slope=slope.tif,age=city.tif#3\n"
           "  pegnn map model -o same_cells.tif --like other.tif\n";
  }
  std::vector<ArgumentGroup> arguments() override {
    return {
        {"Input and output",
         {{.flags = "MODEL",
           .value = "",
           .sentence = "Folder made by `pegnn train`, or a model file.",
           .target = &model_,
           .required = true},
          {.flags = "-o,--out",
           .value = "FILE",
           .sentence = "The raster; its style FILE.qml and its picture FILE.png, in place of the "
                       "ending, go "
                       "beside it.",
           .target = &out_,
           .required = true},
          {"--covariates", "A=FILE,...",
           "A raster for each feature of the model, sampled at the centres of the cells; FILE#N is "
           "its band N.",
           &covariates_},
          {.flags = "--resampling",
           .value = "WORD",
           .sentence = "How covariates are sampled: nearest takes the cell that a centre lies in, "
                       "bilinear the "
                       "mean of four cells around it by their distance. [nearest]",
           .target = &resampling_,
           .limits = {.words = "nearest|bilinear"}},
          {"--mask", "FILE", "Leave cells empty whose centre is outside these polygons.", &mask_},
          {"--mask-layer", "NAME", "Which layer of --mask. [the only one]", &mask_layer_},
          json_.argument("What was made, as JSON, to FILE.json or standard output."),
          {"--overwrite", "", "Replace files that are already there.", &overwrite_}}},
        {"Grid",
         {{"--bbox", "X0,Y0,X1,Y1",
           "West, south, east and north side, in --crs; on the globe west may be greater than "
           "east, "
           "around 180 degrees. [around the training points]",
           &place_.box},
          {"--res", "R", "Size of a cell in units of --crs, or two for x and y. [a round number]",
           &place_.cell},
          {"--size", "WxH", "Number of columns and rows, in place of --res.", &place_.size},
          {"--crs", "CRS", "Coordinate reference system of the map. [the model's]", &place_.crs},
          {"--like", "RASTER",
           "Take the cells and the CRS of this raster. [the first covariate where there are "
           "covariates and nothing is said of the grid]",
           &place_.like},
          {"--extrapolate", "", "Allow a map far away from all training points.",
           &place_.extrapolate}}},
        {"Format",
         {{"--of", "FORMAT",
           "GDAL's name of the format. [by the ending of FILE; .tif is a cloud-optimised GeoTIFF]",
           &format_},
          {"--co", "NAME=VALUE,...", "Creation options of the format.", &creation_},
          {"--nodata", "NUMBER", "Stands in cells without a value; may be nan. [-9999]", &nodata_},
          {"--no-deviation", "", "Leave out the band with the standard deviation.", &no_deviation_},
          {"--no-applicability", "",
           "Leave out the bands with the distance to the nearest training point and the area of "
           "applicability.",
           &no_applicability_},
          {"--no-preview", "", "Leave out the picture and the style.", &no_preview_}}}};
  }

  void run(Session& session) override {
    // What can be wrong is looked at before the work begins.
    const MapFormat format{format_, creation_, parse_nodata(nodata_)};
    MapFiles files(out_, !no_preview_, overwrite_);
    json_.open(overwrite_);
    Model model = Model::load(model_file(model_));
    const std::vector<Covariate> covariates =
        parse_covariates(covariates_, model.info().roles.features);
    if (model.needs_all_rows()) {
      session.log().note(
          "the model links new points among themselves; for a map they attach to the training "
          "points (--graph train)");
      model = model.with_graph("train");
    }
    if (place_.like.empty() && !covariates.empty() && !place_.described()) {
      place_.like = first_raster(covariates_);
      session.log().note(fmt::format("the cells are those of {}", place_.like));
    }
    const Gdal& gdal = pegnn::gdal("a map");
    RasterMapPlan plan{.model = &model, .grid = choose_cells(gdal, model, place_, session.log())};
    const std::unique_ptr<Transform> to_model = conversion_to_model(gdal, model, plan.grid.crs);
    plan.to_model = to_model.get();
    const auto sources = open_covariates(gdal, covariates, plan, session.log());
    std::unique_ptr<RasterMask> mask;
    if (!mask_.empty())
      mask = gdal.open_mask({.place = mask_, .layer = mask_layer_, .layer_option = "--mask-layer"},
                            plan.grid);
    plan.mask = mask.get();
    plan.deviation = model.gives_deviation() && !no_deviation_;
    plan.applicability = !no_applicability_ && has_points(model);
    if (plan.applicability && (format.nodata == 0 || format.nodata == 1)) {
      throw Error(ErrorKind::usage,
                  fmt::format("--nodata {} is also a value of the band aoa; choose another number, "
                              "or leave the band out with --no-applicability",
                              nodata_));
    }

    const auto start = std::chrono::steady_clock::now();
    const MapFigures figures = write_map(files, gdal, plan, format, session);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    json_.emit(describe_map(plan, figures), map_json(out_, plan, figures, took.count()));
    session.log().note(
        fmt::format("wrote {} in {}", join(files.names(), ", "), format_seconds(took.count())));
  }

 private:
  std::vector<std::unique_ptr<RasterSource>> open_covariates(
      const Gdal& gdal, const std::vector<Covariate>& covariates, RasterMapPlan& plan,
      Log& log) const {
    std::vector<std::unique_ptr<RasterSource>> sources;
    for (const Covariate& one : covariates) {
      sources.push_back(gdal.open_raster({.place = one.place,
                                          .band = one.band,
                                          .bilinear = resampling_ == "bilinear",
                                          .points = plan.grid.crs}));
      plan.covariates.push_back(sources.back().get());
      const Crs& crs = sources.back()->grid().crs;
      if (!crs.known()) {
        log.warn(
            fmt::format("{} has no coordinate reference system; it is taken to be in that of "
                        "the map",
                        one.place));
      } else if (plan.grid.crs.known() && !gdal.same(crs, plan.grid.crs)) {
        log.note(fmt::format("{} is in {}; its values are looked up there", one.place, crs.name));
      }
    }
    return sources;
  }

  std::string model_, out_, resampling_ = "nearest", mask_, mask_layer_, format_, nodata_ = "-9999";
  std::vector<std::string> covariates_, creation_;
  MapPlace place_;
  bool overwrite_ = false, no_deviation_ = false, no_applicability_ = false, no_preview_ = false;
  JsonOutput json_;
};

}  // namespace

extern constinit const CommandEntry map_command{
    "map", []() -> std::unique_ptr<Command> { return std::make_unique<MapCommand>(); }};

}  // namespace pegnn
