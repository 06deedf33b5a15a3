#include "flow/map_files.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/json_writer.h"
#include "base/text.h"
#include "base/thread_pool.h"
#include "model/state.h"
#include "pegnn/error.h"
#include "pegnn/evaluate.h"
#include "pegnn/log.h"
#include "pegnn/version.h"
#include "predict/applicability.h"
#include "predict/map_grid.h"

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

}  // namespace

MapFiles::MapFiles(std::string raster, const MapFormat& format, const MapLook& look, bool overwrite)
    : raster_(std::move(raster)),
      format_(format),
      nodata_(parse_nodata(format.nodata)),
      look_(look),
      overwrite_(overwrite) {
  if (look_.pictures) beside_ = picture_files(raster_, false);
  if (std::ranges::find(beside_, raster_) != beside_.end()) {
    throw Error(ErrorKind::usage, "<option:out>: the map itself cannot be a .png; name it .tif");
  }
  for (const std::string& file : names()) Output(file, overwrite);
}

std::vector<std::string> MapFiles::names() const {
  std::vector<std::string> names{raster_};
  names.insert(names.end(), beside_.begin(), beside_.end());
  return names;
}

void MapFiles::check_nodata(const RasterMapPlan& plan) const {
  const auto check = [&](const char* band, const char* option, double one, double other) {
    if (nodata_ != one && nodata_ != other) return;
    throw Error(ErrorKind::usage,
                fmt::format("<option:nodata> {} is also a value of the band {}; choose another "
                            "number, or leave the band out with <option:{}>",
                            format_.nodata, band, option));
  };
  if (plan.applicability) check("aoa", "no-applicability", 0, 1);
  if (plan.opacity) check("opacity", "no-preview", kFaded, kOpaque);
}

MapFigures MapFiles::write(const PreparedMap& map, const RunSettings& run,
                           const MapProgress& progress, Log& log) {
  const RasterMapPlan& plan = map.plan();
  check_nodata(plan);
  if (look_.pictures) {
    beside_ = picture_files(raster_, has_deviation(plan));
    for (const std::string& file : beside_) Output(file, overwrite_);
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
  MapPictures pictures;
  if (look_.pictures) pictures = write_pictures(raster_, map, figures.preview, look_);
  sink->commit([&](double share) {
    const double done = share * static_cast<double>(figures.cells);
    if (progress) progress("writing", std::llround(done));
    return !run.stopped();
  });
  beside_.clear();
  for (const auto& [name, file] : pictures.files) {
    file->commit();
    beside_.push_back(name);
  }
  if (!pictures.warning.empty()) log.warn(pictures.warning);
  return figures;
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
        length_text(figures.reach, plan.model->state()));
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
