#include "flow/map_files.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/json_writer.h"
#include "base/text.h"
#include "base/thread_pool.h"
#include "geo/length.h"
#include "model/state.h"
#include "pegnn/error.h"
#include "pegnn/evaluate.h"
#include "pegnn/log.h"
#include "pegnn/version.h"
#include "predict/map_grid.h"
#include "report/qml.h"
#include "report/raster_preview.h"

namespace pegnn {
namespace {

std::vector<std::pair<std::string, std::string>> metadata(const ModelInfo& info) {
  return {{"TIFFTAG_SOFTWARE", fmt::format("pegnn {}", version())},
          {"AREA_OR_POINT", "Area"},
          {"MODEL", model_name(info.options)},
          {"TARGET", info.roles.target},
          {"TABLE", info.table},
          {"TABLE_HASH", info.table_hash}};
}

// A distance as the model measures it.
std::string model_length(double length, const ModelState& state) {
  return length_text(length, metres_per_unit(state.space, state.roles.crs));
}

}  // namespace

MapFiles::MapFiles(std::string raster, const MapFormat& format, bool pictures, bool overwrite)
    : raster_(std::move(raster)),
      format_(format),
      nodata_(parse_nodata(format.nodata)),
      style_(pictures),
      picture_(pictures) {
  if (picture_ && beside(".png") == raster_) {
    throw Error(ErrorKind::usage, "<option:out>: the map itself cannot be a .png; name it .tif");
  }
  for (const std::string& file : names()) Output(file, overwrite);
}

std::filesystem::path MapFiles::beside(const char* ending) const {
  return std::filesystem::path(raster_).replace_extension(ending);
}

std::vector<std::string> MapFiles::names() const {
  std::vector<std::string> names{raster_};
  if (style_) names.push_back(beside(".qml").string());
  if (picture_) names.push_back(beside(".png").string());
  return names;
}

MapFigures MapFiles::write(const PreparedMap& map, const RunSettings& run,
                           const MapProgress& progress, Log& log) {
  const RasterMapPlan& plan = map.plan();
  if (plan.applicability && (nodata_ == 0 || nodata_ == 1)) {
    throw Error(ErrorKind::usage,
                fmt::format("<option:nodata> {} is also a value of the band aoa; choose another "
                            "number, or leave the band out with <option:no-applicability>",
                            format_.nodata));
  }
  const auto sink = map.gdal().create_raster({.file = raster_,
                                              .grid = plan.grid,
                                              .bands = band_names(plan),
                                              .nodata = nodata_,
                                              .format = format_.format,
                                              .creation = format_.creation,
                                              .metadata = metadata(plan.model->info()),
                                              .threads = ThreadPool(run.threads).threads()});
  const auto tell = [&](double cells_per_second) {
    const std::string text = map_estimate(plan.grid.width * plan.grid.height, cells_per_second);
    if (!text.empty()) log.note(text);
  };
  MapFigures figures = draw_map(
      plan, *sink, run,
      [&](std::int64_t done) {
        if (progress) progress("predicting", done);
      },
      tell);
  // All is on the disk before anything appears under its name.
  Pictures pictures;
  if (style_) pictures = write_pictures(plan, figures);
  sink->commit([&](double share) {
    const double done = share * static_cast<double>(figures.cells);
    if (progress) progress("writing", std::llround(done));
    return !run.stopped();
  });
  for (const auto& file : pictures.files) file->commit();
  if (!pictures.warning.empty()) log.warn(pictures.warning);
  return figures;
}

MapFiles::Pictures MapFiles::write_pictures(const RasterMapPlan& plan, const MapFigures& figures) {
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
  Pictures written;
  const auto write = [&](const char* ending, const std::string& bytes) {
    written.files.push_back(std::make_unique<Output>(beside(ending).string(), true));
    written.files.back()->write(bytes);
    written.files.back()->settle();
  };
  write(".qml", raster_qml(colours.lo, colours.hi));
  std::string why_not;
  const std::unique_ptr<Canvas> canvas = create_canvas(kPreviewWidth, kPreviewHeight, why_not);
  picture_ = canvas != nullptr;
  if (picture_) write(".png", render_preview(picture, *canvas));
  const std::string note =
      picture_ ? canvas->font_note()
               : fmt::format(
                     "not written, as a picture needs Pango: {}. Install it (Debian: "
                     "libpango1.0-dev) and build pegnn again",
                     why_not);
  if (!note.empty()) written.warning = fmt::format("{}: {}", beside(".png").string(), note);
  return written;
}

std::string map_estimate(std::int64_t cells, double cells_per_second) {
  constexpr double kFewSeconds = 5;
  const double seconds = static_cast<double>(cells) / cells_per_second;
  if (!(seconds > kFewSeconds)) return {};
  // Two digits: a trial tells no more.
  const double unit =
      std::pow(10, std::max(0.0, std::floor(std::log10(std::max(1.0, cells_per_second))) - 1));
  return fmt::format("{} cells; about {} at {} cells/s", format_count(cells),
                     format_seconds(seconds),
                     format_count(std::llround(std::round(cells_per_second / unit) * unit)));
}

std::string describe_map(const RasterMapPlan& plan, const MapFigures& figures) {
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
        model_length(figures.reach, plan.model->state()));
  }
  return text + "\n";
}

std::string map_json(const std::string& file, const RasterMapPlan& plan, const MapFigures& figures,
                     double seconds) {
  const RasterGrid& g = plan.grid;
  const Extent box = extent_of(g);
  JsonWriter json(2);
  json.object([&] {
    json.field("file", file);
    json.field("width", g.width);
    json.field("height", g.height);
    json.list("bbox", {box.west, box.south, box.east, box.north});
    json.list("res", {g.dx, g.dy});
    json.text_or_null("crs", g.crs.known() ? g.crs.name : "");
    json.list("bands", band_names(plan));
    json.field("predicted", figures.predicted);
    json.field("min", figures.lo);
    json.field("max", figures.hi);
    if (plan.applicability) {
      json.field("applicable", figures.applicable);
      json.field("reach", figures.reach);
    }
    json.field("seconds", seconds);
  });
  return json.text() + "\n";
}

}  // namespace pegnn
