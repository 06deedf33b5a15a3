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
#include "flow/prepared_map.h"
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
           "  pegnn map model -o same_cells.tif --like other.tif\n"
           "  pegnn map model -o rain.tif --unit mm --colours quantile --no-stations\n";
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
                       "ending, go beside it, and FILE.sd.qml and FILE.sd.png of the standard "
                       "deviation where the model gives one.",
           .target = &out_,
           .required = true},
          {"--covariates", "A=FILE,...",
           "A raster for each feature of the model, sampled at the centres of the cells; FILE#N is "
           "its band N.",
           &request_.covariates},
          {.flags = "--resampling",
           .value = "WORD",
           .sentence = "How covariates are sampled: nearest takes the cell that a centre lies in, "
                       "bilinear the "
                       "mean of four cells around it by their distance. [nearest]",
           .target = &resampling_,
           .limits = {.words = "nearest|bilinear"}},
          {"--mask", "FILE", "Leave cells empty whose centre is outside these polygons.",
           &request_.mask},
          {"--mask-layer", "NAME", "Which layer of --mask. [the only one]", &request_.mask_layer},
          json_.argument("What was made, as JSON, to FILE.json or standard output."),
          {"--overwrite", "", "Replace files that are already there.", &overwrite_}}},
        {"Grid",
         {{"--bbox", "X0,Y0,X1,Y1",
           "West, south, east and north side, in --crs; on the globe west may be greater than "
           "east, "
           "around 180 degrees. [around the training points]",
           &request_.place.box},
          {"--res", "R", "Size of a cell in units of --crs, or two for x and y. [a round number]",
           &request_.place.cell},
          {"--size", "WxH", "Number of columns and rows, in place of --res.", &request_.place.size},
          {"--crs", "CRS", "Coordinate reference system of the map. [the model's]",
           &request_.place.crs},
          {"--like", "RASTER",
           "Take the cells and the CRS of this raster. [the first covariate where there are "
           "covariates and nothing is said of the grid]",
           &request_.place.like},
          {"--extrapolate", "", "Allow a map far away from all training points.",
           &request_.place.extrapolate}}},
        {"Format",
         {{"--of", "FORMAT",
           "GDAL's name of the format. [by the ending of FILE; .tif is a cloud-optimised GeoTIFF]",
           &format_.format},
          {"--co", "NAME=VALUE,...", "Creation options of the format.", &format_.creation},
          {"--nodata", "NUMBER", "Stands in cells without a value; may be nan. [-9999]",
           &format_.nodata},
          {"--no-deviation", "", "Leave out the band with the standard deviation.", &no_deviation_},
          {"--no-applicability", "",
           "Leave out the bands with the distance to the nearest training point and the area of "
           "applicability.",
           &no_applicability_},
          {"--no-preview", "",
           "Leave out the pictures and the styles, and the band opacity that styles use.",
           &no_preview_}}},
        {"Picture",
         {{"--unit", "UNIT", "Unit of the target, for the title of its colours.", &look_.unit},
          {.flags = "--colours",
           .value = "WORD",
           .sentence = "How values are spread over the colours: range goes evenly from the least "
                       "to the greatest, cut from the 2nd to the 98th percentile, and by quantile "
                       "every colour stands for as many cells. [cut]",
           .target = &look_.colours,
           .limits = {.words = "range|cut|quantile"}},
          {"--no-stations", "", "Do not draw the training points.", &no_stations_}}}};
  }

  void run(Session& session) override {
    // What can be wrong is looked at before the work begins.
    look_.pictures = !no_preview_;
    look_.stations = !no_stations_;
    MapFiles files(out_, format_, look_, overwrite_);
    json_.open(overwrite_);
    request_.bilinear = resampling_ == "bilinear";
    request_.mean_only = no_deviation_;
    request_.applicability = !no_applicability_;
    request_.opacity = !no_preview_;
    const Model model = Model::load(model_file(model_));
    const PreparedMap map(model, request_, session.log());
    const auto start = std::chrono::steady_clock::now();
    const MapFigures figures = write_map(files, map, session);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    json_.emit(describe_map(map.plan(), figures),
               map_json(out_, map.plan(), figures, took.count()));
    session.log().note(
        fmt::format("wrote {} in {}", join(files.names(), ", "), format_seconds(took.count())));
  }

 private:
  std::string model_, out_, resampling_ = "nearest";
  MapRequest request_;
  MapFormat format_;
  MapLook look_;
  bool overwrite_ = false, no_deviation_ = false, no_applicability_ = false, no_preview_ = false;
  bool no_stations_ = false;
  JsonOutput json_;
};

}  // namespace

extern constinit const CommandEntry map_command{
    "map", []() -> std::unique_ptr<Command> { return std::make_unique<MapCommand>(); }};

}  // namespace pegnn
