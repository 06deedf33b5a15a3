#include "flow/map_pictures.h"

#include <algorithm>
#include <filesystem>

#include <fmt/core.h>

#include "base/assert.h"
#include "model/state.h"
#include "pegnn/evaluate.h"
#include "report/colour.h"
#include "report/qml.h"
#include "report/raster_preview.h"

namespace pegnn {
namespace {

std::string beside(const std::string& raster, const char* ending) {
  return std::filesystem::path(raster).replace_extension(ending).string();
}

Spread spread_named(const std::string& word) {
  if (word == "range") return Spread::range;
  if (word == "quantile") return Spread::quantile;
  PEGNN_ASSERT(word == "cut", "the words are those of the option");
  return Spread::cut;
}

RasterPreview picture_of(const PreparedMap& map, const MapPreview& preview, const MapLook& look) {
  const ModelInfo info = map.plan().model->info();
  const RasterGrid& g = map.plan().grid;
  return {.width = preview.width,
          .height = preview.height,
          .cells = preview.cells,
          .x = g.x,
          .y = g.y,
          .dx = g.dx * static_cast<double>(preview.step),
          .dy = g.dy * static_cast<double>(preview.step),
          .geographic = g.crs.known() ? g.crs.geographic : info.roles.geographic,
          .title = info.roles.target,
          .subtitle = fmt::format("{}, {}{}", model_name(info.options), info.table,
                                  g.crs.known() ? " · " + g.crs.name : ""),
          .name = info.roles.target,
          .unit = look.unit,
          .applicable = preview.applicable,
          .stations = look.stations ? map.stations() : std::vector<Point>(),
          .spread = spread_named(look.colours)};
}

// The number of the band, from 1.
int deviation_band(const RasterMapPlan& plan) {
  const std::vector<OutputColumn> columns = plan.model->outputs();
  const auto found = std::ranges::find(columns, OutputKind::deviation, &OutputColumn::kind);
  return static_cast<int>(found - columns.begin()) + 1;
}

class Writer {
 public:
  Writer(std::string raster, const RasterMapPlan& plan)
      : raster_(std::move(raster)),
        opacity_band_(plan.opacity ? static_cast<int>(band_names(plan).size()) : -1) {}

  void write(const RasterPreview& picture, int band, const char* style, const char* png) {
    put(style, raster_qml({.knots = preview_colours(picture).knots(),
                           .band = band,
                           .opacity_band = opacity_band_,
                           .colour = picture.colour}));
    std::string why_not;
    const std::unique_ptr<Canvas> canvas = create_canvas(kPreviewWidth, kPreviewHeight, why_not);
    if (canvas != nullptr) put(png, render_preview(picture, *canvas));
    const std::string note =
        canvas != nullptr ? canvas->font_note()
                          : fmt::format(
                                "not written, as a picture needs Pango: {}. Install it (Debian: "
                                "libpango1.0-dev) and build pegnn again",
                                why_not);
    // What is true of one picture is true of the other.
    if (!note.empty() && made_.warning.empty()) {
      made_.warning = fmt::format("{}: {}", beside(raster_, png), note);
    }
  }

  MapPictures finish() { return std::move(made_); }

 private:
  void put(const char* ending, const std::string& bytes) {
    const std::string name = beside(raster_, ending);
    auto& [_, file] =
        made_.files.emplace_back(name, std::make_unique<Output>(name, /*overwrite=*/true));
    file->write(bytes);
    file->settle();
  }

  std::string raster_;
  int opacity_band_;
  MapPictures made_;
};

}  // namespace

bool has_deviation(const RasterMapPlan& plan) {
  return !plan.mean_only && has_column(plan.model->outputs(), OutputKind::deviation);
}

std::vector<std::string> picture_files(const std::string& raster, bool deviation) {
  std::vector<std::string> names;
  for (const char* ending : {".qml", ".png", ".sd.qml", ".sd.png"}) {
    if (deviation || names.size() < 2) names.push_back(beside(raster, ending));
  }
  return names;
}

MapPictures write_pictures(const std::string& raster, const PreparedMap& map,
                           const MapPreview& preview, const MapLook& look) {
  Writer writer(raster, map.plan());
  RasterPreview picture = picture_of(map, preview, look);
  writer.write(picture, 1, ".qml", ".png");
  if (has_deviation(map.plan())) {
    picture.cells = preview.deviation;
    picture.title += ": standard deviation";
    picture.name = "standard deviation of " + picture.name;
    picture.colour = uncertainty;
    writer.write(picture, deviation_band(map.plan()), ".sd.qml", ".sd.png");
  }
  return writer.finish();
}

}  // namespace pegnn
