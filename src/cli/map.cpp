// pegnn map: a raster of predictions.

#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/text.h"
#include "base/thread_pool.h"
#include "cli/input.h"
#include "cli/map_request.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "model/state.h"
#include "pegnn/error.h"
#include "pegnn/evaluate.h"
#include "pegnn/model.h"
#include "pegnn/version.h"
#include "predict/raster_map.h"
#include "report/qml.h"
#include "report/raster_preview.h"

namespace pegnn {
namespace {

// How far, in lengths of the training points' extent, a map may lie from it before it is taken for
// a mistake.
constexpr double kFar = 1;

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
         {{"MODEL", "", "Folder made by `pegnn train`, or a model file.", &model_, true},
          {"-o,--out", "FILE",
           "The raster; its style FILE.qml and its picture FILE.png, in place of the ending, go "
           "beside it.",
           &out_, true},
          {"--covariates", "A=FILE,...",
           "A raster for each feature of the model, sampled at the centres of the cells; FILE#N is "
           "its band N.",
           &covariates_},
          {"--resampling",
           "WORD",
           "How covariates are sampled: the cell that a centre lies in, or between four cells. "
           "[nearest]",
           &resampling_,
           false,
           false,
           {.words = "nearest|bilinear"}},
          {"--mask", "FILE", "Leave cells empty whose centre is outside these polygons.", &mask_},
          {"--mask-layer", "NAME", "Which layer of --mask. [the only one]", &mask_layer_},
          json_.argument("What was made, as JSON, to FILE.json or standard output."),
          {"--overwrite", "", "Replace files that are already there.", &overwrite_}}},
        {"Grid",
         {{"--bbox", "X0,Y0,X1,Y1",
           "West, south, east and north side, in --crs; on the globe west may be greater than "
           "east, "
           "around 180 degrees. [around the training points]",
           &box_},
          {"--res", "R", "Size of a cell in units of --crs, or two for x and y. [a round number]",
           &cell_},
          {"--size", "WxH", "Number of columns and rows, in place of --res.", &size_},
          {"--crs", "CRS", "Coordinate reference system of the map. [the model's]", &crs_},
          {"--like", "RASTER",
           "Take the cells and the CRS of this raster. [the first covariate where there are "
           "covariates and nothing is said of the grid]",
           &like_},
          {"--extrapolate", "", "Allow a map far away from all training points.", &extrapolate_}}},
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
    session_ = &session;
    // What can be wrong is looked at before the work begins.
    const double nodata = parse_nodata(nodata_);
    for (const std::filesystem::path& file : files()) Output(file.string(), overwrite_);
    json_.open(overwrite_);
    Model model = Model::load(model_file(model_));
    const std::vector<Covariate> covariates =
        parse_covariates(covariates_, model.info().roles.features);
    if (model.needs_all_rows()) {
      session.log().note(
          "the model links new points among themselves; for a map they attach to the "
          "training points (--graph train)");
      model = model.with_graph("train");
    }
    const Gdal& gdal = pegnn::gdal("a map");

    RasterMapPlan plan{.model = &model, .grid = grid(gdal, model, covariates)};
    const std::unique_ptr<Transform> to_model = conversion(gdal, model, plan.grid.crs);
    plan.to_model = to_model.get();
    const auto sources = open_covariates(gdal, covariates, plan);
    std::unique_ptr<RasterMask> mask;
    if (!mask_.empty()) mask = gdal.open_mask({.place = mask_, .layer = mask_layer_}, plan.grid);
    plan.mask = mask.get();
    plan.deviation = model.gives_deviation() && !no_deviation_;
    plan.applicability = !no_applicability_ && has_points(model);

    const auto sink =
        gdal.create_raster({.file = out_,
                            .grid = plan.grid,
                            .bands = band_names(plan),
                            .nodata = nodata,
                            .format = format_,
                            .creation = creation_,
                            .metadata = metadata(model.info()),
                            .threads = ThreadPool(static_cast<int>(session.threads)).threads()});
    draw(plan, *sink);
  }

 private:
  Log& log() const { return session_->log(); }

  static bool has_points(const Model& model) { return !model.state().points.empty(); }

  std::filesystem::path beside(const char* ending) const {
    return std::filesystem::path(out_).replace_extension(ending);
  }
  std::vector<std::filesystem::path> files() const {
    if (no_preview_) return {out_};
    if (beside(".png") == out_) {
      throw Error(ErrorKind::usage, "-o: the map itself cannot be a .png; name it .tif");
    }
    return {out_, beside(".qml"), beside(".png")};
  }

  // The model's CRS; not known where the table had x and y without one.
  static Crs crs_of(const Model& model) {
    const Roles& roles = model.state().roles;
    if (roles.crs.known() || !roles.geographic) return roles.crs;
    return lonlat_crs();
  }

  RasterGrid grid(const Gdal& gdal, const Model& model, const std::vector<Covariate>& covariates) {
    const bool described = !box_.empty() || !cell_.empty() || !size_.empty() || !crs_.empty();
    if (!like_.empty() && described) {
      throw Error(ErrorKind::usage, "--like takes the place of --bbox, --res, --size and --crs");
    }
    if (like_.empty() && !covariates.empty() && !described) {
      like_ = covariates.front().place;
      log().note(fmt::format("the cells are those of {}", like_));
    }
    const Crs own = crs_of(model);
    RasterGrid grid;
    if (!like_.empty()) {
      grid = gdal.grid_of(like_);
      if (!grid.crs.known() || !own.known()) {
        log().warn(
            fmt::format("{} and the model are taken to be in the same coordinates: {} does "
                        "not say in which",
                        like_, grid.crs.known() ? "the model" : like_));
        if (!grid.crs.known()) grid.crs = own;
      }
    } else {
      GridRequest request{.crs = own, .geographic = model.state().roles.geographic};
      if (!crs_.empty()) request.crs = gdal.crs(crs_, "--crs");
      if (!box_.empty()) request.box = parse_box(box_);
      if (!cell_.empty()) request.cell = parse_cell(cell_);
      if (!size_.empty()) request.size = parse_size(size_);
      if (!request.box && !has_points(model)) {
        throw Error(ErrorKind::usage,
                    "the model was made by an older pegnn and does not tell where "
                    "its training points lie; give --bbox or --like");
      }
      grid = choose_grid(request, data_extent(gdal, model, request.crs));
    }
    check_place(grid, data_extent(gdal, model, grid.crs));
    if (!grid.crs.known()) {
      log().warn(
          "the coordinate reference system is not known: the map will not say where it lies. "
          "Train with --crs, or give the one of the map");
    }
    return grid;
  }

  // Where the training points lie in that CRS.
  Extent data_extent(const Gdal& gdal, const Model& model, const Crs& crs) const {
    if (!has_points(model)) return {};
    std::vector<Point> points = model.state().points;
    const Crs own = crs_of(model);
    if (own.known() && crs.known() && !gdal.same(own, crs)) gdal.transform(own, crs)->apply(points);
    const bool geographic = crs.known() ? crs.geographic : model.state().roles.geographic;
    const Extent extent = extent_of(points, geographic);
    if (extent.west <= extent.east) return extent;
    throw Error(ErrorKind::usage,
                fmt::format("no training point has a place in {}; choose another --crs", crs.name));
  }

  void check_place(const RasterGrid& grid, const Extent& data) const {
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
    if (!extrapolate_ && !overlap(box, widened(data, kFar, geographic), geographic)) {
      throw Error(ErrorKind::usage,
                  where + ", far from all of them; correct --bbox or --crs, or say --extrapolate");
    }
    log().warn(where);
  }

  std::unique_ptr<Transform> conversion(const Gdal& gdal, const Model& model,
                                        const Crs& crs) const {
    const Crs own = crs_of(model);
    if (!own.known() && !crs_.empty()) {
      throw Error(ErrorKind::usage,
                  "--crs: the model does not know the coordinate reference system of its training "
                  "points; train it with --crs");
    }
    if (!own.known() || !crs.known() || gdal.same(own, crs)) return nullptr;
    return gdal.transform(crs, own);
  }

  std::vector<std::unique_ptr<RasterSource>> open_covariates(
      const Gdal& gdal, const std::vector<Covariate>& covariates, RasterMapPlan& plan) const {
    std::vector<std::unique_ptr<RasterSource>> sources;
    for (const Covariate& one : covariates) {
      sources.push_back(gdal.open_raster({.place = one.place,
                                          .band = one.band,
                                          .bilinear = resampling_ == "bilinear",
                                          .points = plan.grid.crs}));
      plan.covariates.push_back(sources.back().get());
      const Crs& crs = sources.back()->grid().crs;
      if (!crs.known()) {
        log().warn(
            fmt::format("{} has no coordinate reference system; it is taken to be in that of "
                        "the map",
                        one.place));
      } else if (plan.grid.crs.known() && !gdal.same(crs, plan.grid.crs)) {
        log().note(fmt::format("{} is in {}; its values are looked up there", one.place, crs.name));
      }
    }
    return sources;
  }

  static std::vector<std::pair<std::string, std::string>> metadata(const ModelInfo& info) {
    return {{"TIFFTAG_SOFTWARE", fmt::format("pegnn {}", version())},
            {"AREA_OR_POINT", "Area"},
            {"MODEL", model_name(info.options)},
            {"TARGET", info.roles.target},
            {"TABLE", info.table},
            {"TABLE_HASH", info.table_hash}};
  }

  void draw(const RasterMapPlan& plan, RasterSink& sink) {
    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    const RunSettings run = session_->run_settings();
    CellProgress progress(plan.grid.width * plan.grid.height);
    const MapFigures figures = draw_map(plan, sink, run, [&](std::int64_t done) {
      if (!session_->quiet) progress("predicting", done, seconds());
    });
    sink.commit([&](double share) {
      const auto cells = static_cast<double>(figures.cells);
      if (!session_->quiet) {
        progress("writing", static_cast<std::int64_t>(share * cells), seconds());
      }
      return !(run.stop && run.stop());
    });
    progress.end();
    if (!no_preview_) write_pictures(plan, figures);
    say(plan, figures, seconds());
  }

  void write_pictures(const RasterMapPlan& plan, const MapFigures& figures) const {
    const ModelInfo info = plan.model->info();
    const MapPreview& p = figures.preview;
    const RasterGrid& g = plan.grid;
    const RasterPreview picture{
        .width = p.width,
        .height = p.height,
        .cells = p.cells,
        .x = g.x,
        .y = g.y,
        .dx = g.dx * static_cast<double>(p.step),
        .dy = g.dy * static_cast<double>(p.step),
        .geographic = g.crs.known() ? g.crs.geographic : info.roles.geographic,
        .title = info.roles.target,
        .subtitle = fmt::format("{}, {}{}", model_name(info.options), info.table,
                                g.crs.known() ? " · " + g.crs.name : "")};
    const Range colours = preview_range(picture);
    Output style(beside(".qml").string(), true), image(beside(".png").string(), true);
    style.write(raster_qml(colours.lo, colours.hi));
    image.write(render_preview(picture));
    style.commit();
    image.commit();
  }

  // A distance as the model measures it: "1.2 km", "227 m", without a known unit "227 units".
  static std::string length_text(double length, const ModelState& state) {
    const bool sphere = state.space == Space::sphere;
    if (!sphere && (!state.roles.crs.known() || state.roles.geographic)) {
      return format_short(length, 3) + " units";
    }
    const double metres = sphere ? length : length * state.roles.crs.metres_per_unit;
    return metres < 1000 ? format_short(metres, 3) + " m" : format_short(metres / 1000, 3) + " km";
  }

  void say(const RasterMapPlan& plan, const MapFigures& figures, double seconds) {
    const RasterGrid& g = plan.grid;
    const std::vector<std::string> bands = band_names(plan);
    std::string text = fmt::format(
        "{} x {} cells of {} x {}, {}\nbands {}; '{}' from {} to {}\n", format_count(g.width),
        format_count(g.height), format_short(g.dx, 6), format_short(g.dy, 6),
        g.crs.known() ? g.crs.name : "unknown CRS", join(bands, ", "),
        plan.model->state().roles.target, format_short(figures.lo, 5), format_short(figures.hi, 5));
    const auto share = [&](std::int64_t part, std::int64_t of) {
      return format_short(100.0 * static_cast<double>(part) / static_cast<double>(of), 3);
    };
    text += fmt::format("{} cells have a value ({} %)", format_count(figures.predicted),
                        share(figures.predicted, figures.cells));
    if (plan.applicability) {
      text += fmt::format(
          "; {} % of them lie in the area of applicability (up to {} from a training point)",
          share(figures.applicable, figures.predicted),
          length_text(figures.reach, plan.model->state()));
    }
    json_.emit(text + "\n", as_json(plan, figures, seconds));
    std::vector<std::string> names;
    for (const std::filesystem::path& file : files()) names.push_back(file.string());
    log().note(fmt::format("wrote {} in {}", join(names, ", "), format_seconds(seconds)));
  }

  std::string as_json(const RasterMapPlan& plan, const MapFigures& figures, double seconds) const {
    const RasterGrid& g = plan.grid;
    const Extent box = extent_of(g);
    nlohmann::ordered_json result{
        {"file", out_},
        {"width", g.width},
        {"height", g.height},
        {"bbox", {box.west, box.south, box.east, box.north}},
        {"res", {g.dx, g.dy}},
        {"crs", g.crs.known() ? nlohmann::ordered_json(g.crs.name) : nlohmann::ordered_json()},
        {"bands", band_names(plan)},
        {"predicted", figures.predicted},
        {"min", number_or_null(figures.lo)},
        {"max", number_or_null(figures.hi)}};
    if (plan.applicability) {
      result["applicable"] = figures.applicable;
      result["reach"] = number_or_null(figures.reach);
    }
    result["seconds"] = seconds;
    return result.dump(2) + "\n";
  }

  std::string model_, out_, resampling_ = "nearest", mask_, mask_layer_, crs_, like_, format_,
                            nodata_ = "-9999";
  std::vector<std::string> covariates_, box_, cell_, size_, creation_;
  bool overwrite_ = false, extrapolate_ = false, no_deviation_ = false, no_applicability_ = false,
       no_preview_ = false;
  JsonOutput json_;
  Session* session_ = nullptr;
};

}  // namespace

extern constinit const CommandEntry map_command{
    "map", []() -> std::unique_ptr<Command> { return std::make_unique<MapCommand>(); }};

}  // namespace pegnn
